"""`python -m indexer`: syncs Confluence into the index, and shows what is there."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from core import logs
from core.access.connected import connected
from core.errors import SettingsError
from core.evidence import EvidenceStore, WordNeighbours
from core.evidence.dense.collections import configured
from core.evidence.lexical.index import LexicalIndex
from core.models import Page
from core.outages.disk_space import too_little_space
from core.outages.ending import or_one_sentence
from core.outages.stores import open_database_in_time
from core.pages import CONFLUENCE, PageKey
from core.policy import audit
from core.policy.audit import Act
from core.settings import Settings, settings
from core.settings.values import PermissionMode
from core.storage.database import open_database
from core.turns import disclosures
from indexer.access.why_readable import asked_now, can_read
from indexer.drafting import draft
from indexer.evidence.build import evidence
from indexer.evidence.described import described
from indexer.news.loop import Pause
from indexer.parse import parse as parse_page
from indexer.rounds import begin, sync_for_ever
from indexer.sync.scheduler import rebuild_watched
from indexer.sync.status import status_of_spaces
from indexer.sync.status_table import ago, in_doubt, problems, table, unread
from indexer.tuning.command import tune_weights
from indexer.unread import list_unread

app = typer.Typer(
    help="Brings Confluence into the index.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
ANSWERS = {True: "yes", False: "no", None: "it was not asked, or does not answer"}
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.command()
def sync(
    every: Annotated[
        str, typer.Option(help="Sync again after this long, such as 30s, 5m, 1h; without it, once.")
    ] = "",
    allow_shrink: Annotated[
        bool, typer.Option(help="Believe a listing that lost many pages at once.")
    ] = False,
) -> None:
    """Bring the configured spaces up to date."""
    with or_one_sentence():
        pause = Pause(_seconds(every)) if every else None
        chosen = settings()
        logs.configure(chosen)
        open_store = partial(_store, chosen)
        if pause is not None:
            sync_for_ever(chosen, open_store, pause, allow_shrink=allow_shrink)
        good = begin(chosen, open_store).sync(allow_shrink=allow_shrink)
        raise typer.Exit(0 if good else 1)


@app.command()
def status(as_json: AsJson = False) -> None:
    """Per space: pages, evidence, last complete sync, failures."""
    with or_one_sentence():
        logs.configure_quietly(settings())
        database = open_database(settings().sql_url)
        spaces, doubts = status_of_spaces(database), disclosures.in_doubt(database)
        if problem := too_little_space(settings()):
            typer.echo(f"groundwire: {problem}", err=True)
    if as_json:
        dumped = [vars(space) for space in spaces]
        typer.echo(json.dumps(dumped, indent=2))
    else:
        Console().print(table(spaces))
        for line in (*unread(spaces), *problems(spaces), *in_doubt(doubts)):
            typer.echo(line)


@app.command(
    help="Make the vectors anew from SQL beside those in use, with the configured embedder, "
    "then switch; Confluence is not asked."
)
def rebuild() -> None:
    with or_one_sentence():
        logs.configure(settings())
        rebuild_watched(_store(settings()))


app.command("tune")(tune_weights)
app.command("unread")(list_unread)


@app.command("can-read")
def can_read_page(
    user: Annotated[str, typer.Argument(help="E-mail or account id.")],
    page: Annotated[str, typer.Argument(help="The page's id: the number in its address.")],
    source: Annotated[str, typer.Option(help="Where the page comes from.")] = CONFLUENCE,
    as_json: AsJson = False,
) -> None:
    """Say whether somebody may be shown a page, and why; exit code 1 when not."""
    with or_one_sentence():
        logs.configure_quietly(settings())
        aware = settings().permission_mode is PermissionMode.AWARE
        database = open_database(settings().sql_url)
        key = PageKey(source, page)
        verdict = can_read(database, user, key, aware=aware)
        if settings().confluence_url:
            verdict = asked_now(verdict, key, connected(settings(), database))
        looked_at = {"what": "can_read", "page": str(key)}
        audit.by_operator(database, Act.LOOKED_INTO, subject=verdict.account, details=looked_at)
    if as_json:
        typer.echo(json.dumps(asdict(verdict), indent=2, ensure_ascii=False))
    else:
        for step in verdict.steps:
            typer.echo(f"{'✓' if step.passes else '✗'} {step.what}: {step.why}")
        who = verdict.name or verdict.account or "nobody known, so as everybody"
        typer.echo(f"{who}: {'yes' if verdict.allowed else 'no'}, {verdict.why}")
        typer.echo(f"by the index, which read the restrictions {ago(verdict.as_of)}")
        typer.echo(f"by Confluence, asked right now: {ANSWERS[verdict.now]}")
    raise typer.Exit(0 if verdict.allowed and verdict.now is not False else 1)


@app.command(
    help="Draft the file for ENTITIES_FILE from pages about the organization that everybody may "
    "read; a person then edits it."
)
def entities(
    page: Annotated[
        list[str] | None,
        typer.Option(help="Id or title of a page about the organization; several times for more."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; without it, the draft is printed.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Write over a file that is there.")] = False,
) -> None:
    with or_one_sentence():
        logs.configure_quietly(settings())
        if out and out.exists() and not force:
            raise SettingsError(
                f"{out} is there already: name another file, or use --force to write over it"
            )
        drafted = draft(open_database(settings().sql_url), page or ())
    if not drafted.counts:
        _fail("nothing found: name pages about the organization with --page ID or --page TITLE")
    typer.echo(f"read: {', '.join(drafted.titles)}", err=True)
    counts = ", ".join(f"{count} {kind}" for kind, count in drafted.counts.items())
    typer.echo(f"found: {counts}", err=True)
    if out:
        out.write_text(drafted.text, encoding="utf-8")
    else:
        typer.echo(drafted.text, nl=False)


@app.command(
    help="Print the evidence of one page in storage format; what had to be repaired in its markup "
    "is told on standard error."
)
def parse(
    file: Annotated[Path, typer.Argument(help="A page in storage format; - for standard input.")],
    as_json: AsJson = False,
) -> None:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        body = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        _fail(f"cannot read {file}: {error}")
    document = parse_page(body)
    for note in document.notes:
        typer.echo(f"groundwire: {note}", err=True)
    page = Page(
        id=file.stem,
        space="",
        title=file.stem,
        url="",
    )
    pieces = evidence(page, document)
    if as_json:
        dumped = [piece.model_dump(mode="json") for piece in pieces]
        typer.echo(json.dumps(dumped, indent=2, ensure_ascii=False))
    else:
        for piece in pieces:
            typer.echo(described(piece))


def _store(chosen: Settings) -> EvidenceStore:
    dense = configured(chosen)
    dense.embedder(chosen.embedder)  # a wrong setting fails before any work
    database = open_database_in_time(chosen)
    word_neighbours = WordNeighbours(database, partial(dense.embedder, "bundled"), chosen.data_dir)
    return EvidenceStore(
        database, LexicalIndex(chosen.data_dir, dense.coder), dense, word_neighbours
    )


def _seconds(text: str) -> float:
    match = re.fullmatch(r"(\d+)([smh]?)", text)
    if not match:
        raise SettingsError(f"--every {text}: write a number and s, m or h, such as 5m")
    number, unit = match.groups()
    return int(number) * {"s": 1, "": 1, "m": 60, "h": 3600}[unit]


def _fail(sentence: str) -> None:
    typer.echo(f"groundwire: {sentence}", err=True)
    raise typer.Exit(1)


if __name__ == "__main__":
    app()
