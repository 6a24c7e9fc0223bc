"""`python -m indexer`: bring Confluence into the index, and look at what is there."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core import embeddings, logs
from core.database import open_database
from core.errors import ConfluenceError, SettingsError, StoreUnavailable
from core.evidence import EvidenceStore
from core.evidence.lexical import LexicalIndex
from core.evidence.vectors import VectorStore
from core.leases import lease
from core.models import Page
from core.settings import Settings, or_exit, settings
from indexer.confluence import Confluence
from indexer.contextualize import evidence
from indexer.parse import parse as parse_page
from indexer.progress import progress
from indexer.status import SpaceStatus, status_of_spaces
from indexer.sync import Indexer

app = typer.Typer(help="Brings Confluence into the index.", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
log = logs.get(__name__)

AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.command()
def sync(
    every: Annotated[str, typer.Option(help="Sync again after this long, such as 30s, 5m, 1h; without it, once.")] = "",
    allow_shrink: Annotated[bool, typer.Option(help="Believe a listing that lost many pages at once.")] = False,
) -> None:
    """Bring the configured spaces up to date."""
    with or_exit():
        pause = _seconds(every) if every else None
        chosen = settings()
        logs.configure(chosen)
        confluence = Confluence(chosen)
        store = _store(chosen)
        while True:
            good = _sync_all(confluence, store, chosen, allow_shrink=allow_shrink)
            if pause is None:
                raise typer.Exit(0 if good else 1)
            time.sleep(pause)


@app.command()
def status(as_json: AsJson = False) -> None:
    """Per space: pages, evidence, last complete sync, failures."""
    with or_exit():
        spaces = status_of_spaces(open_database(settings().sql_url))
    if as_json:
        typer.echo(json.dumps([vars(space) for space in spaces], indent=2))
    else:
        Console().print(_table(spaces))


@app.command()
def rebuild() -> None:
    """Make the vectors in Chroma anew from SQL, without asking Confluence."""
    with or_exit():
        logs.configure(settings())
        store = _store(settings())
        pages = store.visible_pages()
        try:
            with progress("rebuild", len(pages)) as advance:
                for page_id in pages:
                    store.rebuild(page_id)
                    advance()
        except StoreUnavailable as error:
            _fail(str(error))


@app.command()
def parse(file: Annotated[Path, typer.Argument(help="A page in storage format.")], as_json: AsJson = False) -> None:
    """Print the evidence of one page in storage format."""
    try:
        body = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        _fail(f"cannot read {file}: {error}")
    pieces = evidence(Page(id=file.stem, space="", title=file.stem, url=""), parse_page(body))
    if as_json:
        typer.echo(json.dumps([piece.model_dump(mode="json") for piece in pieces], indent=2, ensure_ascii=False))
    else:
        for piece in pieces:
            typer.echo(f"[{piece.kind.value}] {' › '.join(piece.heading_path)}\n{piece.text}\n")


def _store(chosen: Settings) -> EvidenceStore:
    embedder = embeddings.load(chosen)
    vectors = VectorStore(chosen.chroma_url, embedder.name)
    return EvidenceStore(open_database(chosen.sql_url), LexicalIndex(chosen.data_dir), vectors, embedder)


def _sync_all(confluence: Confluence, store: EvidenceStore, chosen: Settings, *, allow_shrink: bool) -> bool:
    """Sync every configured space; whether all went well. One that fails does not keep the others waiting."""
    good = True
    try:
        spaces = confluence.spaces(chosen.space_keys)
    except ConfluenceError as error:
        log.error("sync.failed", error=str(error))
        return False
    indexer = Indexer(confluence, store, spaces)
    for space in spaces:
        with lease(store.database, f"indexer:{space.key}") as held:
            if held is None:
                log.info("sync.skipped", space=space.key, reason="another indexer is at it")
                continue
            try:
                good &= indexer.sync(space, allow_shrink=allow_shrink).failed == 0
            except (ConfluenceError, StoreUnavailable) as error:
                log.error("sync.failed", space=space.key, error=str(error))
                good = False
    return good


def _seconds(text: str) -> float:
    match = re.fullmatch(r"(\d+)([smh]?)", text)
    if not match:
        raise SettingsError(f"--every {text}: write a number and s, m or h, such as 5m")
    return int(match.group(1)) * {"s": 1, "": 1, "m": 60, "h": 3600}[match.group(2)]


def _table(spaces: list[SpaceStatus]) -> Table:
    table = Table("space", "pages", "hidden", "evidence", "last complete sync", "failures")
    for space in spaces:
        failures = "\n".join(f"{f['title']}: {f['error']}" for f in space.failures) or "none"
        table.add_row(space.space, str(space.pages), str(space.hidden), str(space.evidence), space.last_complete or "never", failures)
    return table


def _fail(sentence: str) -> None:
    typer.echo(f"groundwire: {sentence}", err=True)
    raise typer.Exit(1)


if __name__ == "__main__":
    app()
