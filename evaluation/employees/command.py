"""`python -m evaluation employees`: how useful answers are to what employees type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from core.errors import GroundwireError
from core.settings import settings
from evaluation.answers.measure import with_model
from evaluation.answers.pose.posing import Posing
from evaluation.answers.pose.turns import SaidToUs
from evaluation.employees.explained import Story, explained
from evaluation.employees.other_subject import in_other_threads
from evaluation.employees.questions import Wanted, older, written
from evaluation.employees.verdicts import Figures, Verdict
from evaluation.employees.wikis import OF_WIKIS, WIKIS, AskedSet, questions, wiki
from evaluation.harness.accepted import accept
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.interval import Share
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.product import place_of, running
from evaluation.harness.progress import status, track
from evaluation.retrieval.left_out.corpora import Corpus, available
from groundwire.pairs import making
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.generation.second_reader.model_reader import ModelReader

MOST_PAIRS = 5_000
WIDTH = 150  # characters of the table, also where it is written into a file
SETS = Path(__file__).parents[1] / "sets"
SHOWN = 240  # characters of an answer in the list of misses


class With(NamedTuple):
    """What answers, beside the product as it comes."""

    own_model: bool
    examined: bool  # that model
    pairs: bool


def employees(
    corpus: Annotated[
        list[str] | None, typer.Option(help="These; by default all but the wikis of others.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where pages and indexes are kept.")] = Path(
        "var/evaluation-employees"
    ),
    misses: Annotated[bool, typer.Option("--misses", help="List what went wrong.")] = False,
    model: Annotated[
        bool, typer.Option("--model", help="Answer with the model of LLM_BASE_URL.")
    ] = False,
    examined: Annotated[
        bool, typer.Option("--examined", help="As if that model had passed its exam.")
    ] = False,
    with_pairs: Annotated[
        bool, typer.Option("--pairs", help="With pairs made of all pages by rules, accepted.")
    ] = False,
    story: Annotated[
        Story | None, typer.Option(help="In a message that explains before it asks.")
    ] = None,
    elsewhere: Annotated[bool, typer.Option("--elsewhere", help="In other threads.")] = False,
    of: Annotated[
        AskedSet, typer.Option("--set", help="Of wikis of others: which of their questions.")
    ] = AskedSet.QUESTIONS,
    as_json: AsJson = False,
) -> None:
    """Useful, wrong though green, refused: questions as employees type them, on own corpora.

    Useful: every fact stands in the first 600 characters, and a right page is among the sources.
    """
    makers = _makers(folder)
    names = _names(corpus, list(makers) if of is AskedSet.QUESTIONS else OF_WIKIS[of])
    verdicts: list[Verdict] = []
    try:
        for name in names:
            with status(f"writing {name}"):
                made = makers[name]()
            asked = _asked(made, of, story, elsewhere=elsewhere)
            found = _verdicts(made, asked, folder, With(model, examined, with_pairs))
            verdicts += track(found, name, total=len(asked))
    except (DidNotStart, GroundwireError) as error:
        fail(str(error))
    wrong = [each for each in verdicts if each.name] if misses else []
    _show(verdicts, _listed(wrong), as_json=as_json)


def _makers(folder: Path) -> dict[str, Callable[[], Corpus]]:
    theirs = {name: partial(wiki, name) for name in WIKIS}
    return {**available(None, folder / "corpora"), "utility": _utility, **theirs}


def _names(chosen: Sequence[str] | None, known: Sequence[str]) -> Sequence[str]:
    """What is asked; ends with what can be where something else is chosen."""
    if unknown := set(chosen or ()) - set(known):
        fail(f"there is no corpus {', '.join(sorted(unknown))}: name one of {', '.join(known)}")
    ours = [name for name in known if name not in WIKIS]
    return chosen or ours or known


def _asked(
    corpus: Corpus, of: AskedSet, story: Story | None, *, elsewhere: bool
) -> Sequence[Wanted]:
    """A set of a wiki; of any corpus what others wrote about it, then the older ones."""
    asked = _usual(corpus, story) if of is AskedSet.QUESTIONS else questions(corpus.name, of)
    return list(in_other_threads(asked)) if elsewhere else asked


def _usual(corpus: Corpus, story: Story | None) -> list[Wanted]:
    is_theirs = corpus.name in WIKIS
    typed = questions(corpus.name) if is_theirs else written()[corpus.name]
    asked = [*typed, *older(corpus)]
    return [explained(each, story) for each in asked] if story else asked


def _show(verdicts: Sequence[Verdict], misses: list[dict[str, str]], *, as_json: bool) -> None:
    rows = {name: Figures.of(those) for name, those in _rows(verdicts).items()}
    if as_json:
        figures = {name: _json(each) for name, each in rows.items()}
        return show_json({"figures": figures, "misses": misses})
    console = Console(width=WIDTH)
    console.print(_table(rows))
    for each in misses:
        console.print(" · ".join(each.values()), markup=False, highlight=False)
    return None


def _utility() -> Corpus:
    """Pages that no rule has seen, and no fit may see: what is measured on them carries further."""
    return Corpus("utility", SETS / "utility" / "documents", asked={})


def _verdicts(
    corpus: Corpus,
    asked: Sequence[Wanted],
    folder: Path,
    by: With,
) -> Iterator[Verdict]:
    """Each question is asked in a thread of its own, after those that were asked before it."""
    where = place_of(corpus.pages, folder / "index")
    own = settings()
    with running(corpus.pages, where, corpus.settings) as stage:
        parts = build(with_model(stage, own, wanted=by.own_model), AsIndexed())
        accept(parts.database, making.of_pages(parts, MOST_PAIRS, seed=0) if by.pairs else ())
        pipeline = replace(parts.pipeline, suggester=None)
        if by.examined:
            pipeline = replace(pipeline, second_reader=ModelReader(own.llm_context_tokens))
        posing = Posing(pipeline, own.answer_patience_s)
        for wanted in asked:
            said = [*wanted.before, wanted.ask]
            turns = [SaidToUs(id=wanted.id, thread=wanted.id, text=text) for text in said]
            *_, last = posing.replies(turns)
            yield Verdict(wanted, last)


def _rows(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """The written ones in all and by corpus and language; the older ones below."""
    rows: dict[str, list[Verdict]] = defaultdict(list)
    for each in verdicts:
        which = "older" if each.wanted.older else "written"
        rows[which].append(each)
        rows[f"{which} {each.wanted.language}"].append(each)
        rows[f"{which} {each.wanted.corpus} {each.wanted.language}"].append(each)
    return dict(sorted(rows.items(), reverse=True))


def _json(figures: Figures) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in vars(figures).items():
        found[name] = value.as_json() if isinstance(value, Share) else value
    return found


def _table(rows: dict[str, Figures]) -> Table:
    table = Table("", *(name.replace("_", " ") for name in Figures.__dataclass_fields__), "n")
    for name, figures in rows.items():
        cells = [
            str(value) if isinstance(value, Share) else f"{value:.0f}"
            for value in vars(figures).values()
        ]
        table.add_row(name, *cells, str(figures.useful.of + figures.answered.of))
    return table


def _listed(wrong: Sequence[Verdict]) -> list[dict[str, str]]:
    found = []
    for each in wrong:
        sources = "; ".join(source.title for source in each.reply.sources[:3])
        one = {"id": each.wanted.id, "what": each.name, "asked": each.wanted.ask}
        text = " ".join(each.reply.text.split())[:SHOWN]
        found.append({**one, "act": each.reply.act, "answer": text, "sources": sources})
    return found
