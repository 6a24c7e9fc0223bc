"""`python -m evaluation`: the benchmarks on the shipped code, one command for each measure."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core import logs
from core.errors import SettingsError
from core.settings import settings
from core.settings.private_files import make_private
from evaluation.access.histories import histories
from evaluation.access.revocation import revocation
from evaluation.answerability import confidence
from evaluation.answerability.command import answerable, badge
from evaluation.answers import injection, needle
from evaluation.answers.measure import answers as answers_command
from evaluation.answers.pose.command import pose
from evaluation.answers.sample import answers
from evaluation.answers.sample import report as sample_report
from evaluation.answers.speed import answer_speed
from evaluation.answers.suggestions import suggestions
from evaluation.console.command import console
from evaluation.corpus.command import corpus
from evaluation.dialogue.command import acts
from evaluation.employees.command import employees
from evaluation.explanations.any_answer.agreement import explained_twice
from evaluation.explanations.any_answer.command import explain
from evaluation.explanations.attribution import attribution
from evaluation.explanations.planted.command import planted
from evaluation.explanations.speed import explain_speed
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show, show_json
from evaluation.harness.product import running
from evaluation.harness.progress import status, track
from evaluation.hosts.command import hosts
from evaluation.question_encoder.command import question_encoder
from evaluation.reader.command import reader
from evaluation.retrieval import ablation, entities
from evaluation.retrieval.engines import engines
from evaluation.retrieval.filters import filters
from evaluation.retrieval.leads import leads
from evaluation.retrieval.left_out.command import left_out
from evaluation.retrieval.own import own
from evaluation.retrieval.pairs import measure_pairs
from evaluation.retrieval.routing import routing
from evaluation.sets.confquestions import DataMissing
from evaluation.sets.testset import testset
from evaluation.slack.command import slack
from evaluation.speed.command import speed
from evaluation.speed.in_postgres import speed_in_postgres
from evaluation.support.command import support
from evaluation.support.examination import examination
from evaluation.support.learning.command import claims
from evaluation.sync import measure, parsing
from evaluation.sync.hostile import hostile
from evaluation.tuning.command import tune
from sandbox.confluence.__main__ import SAMPLE
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build

SYNCS = 4  # of each size: first, unchanged, one new page, one edit

app = typer.Typer(
    help="Measures the product, on published and on our own questions.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(answerable)
app.command()(claims)
app.command()(reader)
app.command("question-encoder")(question_encoder)
app.command()(badge)
app.command()(entities.entities)
app.command()(acts)
app.command("answers")(answers_command)
app.command()(pose)
app.command()(employees)
app.command("left-out")(left_out)
app.command("answer-speed")(answer_speed)
app.command("routing")(routing)

app.command()(filters)
app.command()(suggestions)
app.command()(leads)
app.command()(speed)
app.command("speed-postgres")(speed_in_postgres)
app.command()(engines)
app.command()(slack)
app.command()(hosts)
app.command()(support)
app.command()(examination)
app.command()(console)


@app.callback()
def main() -> None:
    """Each measure is a command of its own."""
    make_private()  # or the programs that they start refuse the folders that they make
    try:
        logs.configure(settings().model_copy(update={"log_level": "ERROR"}))
    except SettingsError as error:
        fail(str(error))


app.command()(ablation.retrieval)
app.command()(ablation.sweep)
app.command()(confidence.confidence)


@app.command()
def sample(
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation-sample"
    ),
    as_json: AsJson = False,
) -> None:
    """Whole answers about the sample company: the right page first, the expected words."""
    try:
        with running(SAMPLE, folder) as chosen:
            turns = answers(build(chosen, AsIndexed()).pipeline, SAMPLE / "questions.yaml")
            answered = list(track(turns, "sample"))
    except DidNotStart as error:
        fail(str(error))
    rows = {"quoted answers": sample_report(answered)}
    show(rows, as_json=as_json)


@app.command("parse")
def parse_pages(
    data: Annotated[Path, typer.Option(help="The folder with documents/.")],
    as_json: AsJson = False,
) -> None:
    """The parser on the benchmark's pages: counts beside published ones, losses, leaks, speed."""
    try:
        with status("parsing"):
            figures = parsing.report(parsing.sources(data / "documents"))
    except DataMissing as error:
        fail(str(error))
    if as_json:
        show_json(figures)
        return
    table = Table("what", "figure")
    for what, figure in figures.items():
        table.add_row(what, f"{figure:g}")
    Console().print(table)


@app.command()
def sync(
    pages: Annotated[
        list[int] | None,
        typer.Option(help="How many generated pages; may be given several times. 1000 and 10000."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a sync costs (first, unchanged, new page, edit): requests, seconds, peak memory."""
    sizes = pages or [1000, 10000]
    with TemporaryDirectory() as folder:
        syncs = measure.measure(sizes, Path(folder))
        found = list(track(syncs, "sync", total=len(sizes) * SYNCS))
    if as_json:
        show_json([asdict(each) for each in found])
        return
    counted = ("requests", "bodies", "texts embedded", "peak MB")
    table = Table("pages", "sync", "seconds", "pages/s", *counted)
    for each in found:
        seconds, speed_ = f"{each.seconds:.1f}", f"{each.pages / each.seconds:.0f}"
        counts = (each.requests, each.bodies, each.embedded, f"{each.peak_mb:.0f}")
        table.add_row(str(each.pages), each.what, seconds, speed_, *map(str, counts))
    Console().print(table)


app.command()(hostile)
app.command()(histories)
app.command()(revocation)
app.command()(injection.injection)
app.command()(needle.needle)
app.command()(corpus)
app.command()(own)
app.command("pairs")(measure_pairs)
app.command("tune")(tune)
app.command()(explain)
app.command("explained-twice")(explained_twice)
app.command()(planted)
app.command()(attribution)
app.command("explain-speed")(explain_speed)
app.command()(testset)


if __name__ == "__main__":
    app()
