"""`python -m evaluation`: the published benchmark on the shipped code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from core import embeddings
from core.database import open_database
from core.evidence import EvidenceStore
from core.evidence.lexical import LexicalIndex
from core.evidence.vectors import VectorStore
from core.settings import settings
from evaluation.confquestions import DataMissing, conversations, published_urls
from evaluation.retrieval import measure, report
from sandbox.processes import DidNotStart
from sandbox.stack import Stack
from worker import rerank
from worker.retrieve import Retriever

app = typer.Typer(help="Measures the product on ConfQuestions.", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
console = Console(stderr=True)
WAYS = ["human", "history", "none"]


@app.callback()
def main() -> None:
    """Each measure is a command of its own."""


@app.command()
def retrieval(
    data: Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")],
    completion: Annotated[list[str] | None, typer.Option(help="human, history (rules, no model) or none; all by default.")] = None,
    language: Annotated[str, typer.Option(help="en, de or both.")] = "both",
    questions: Annotated[Path | None, typer.Option(help="Another file of conversations.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path("var/evaluation"),
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """P@1, recall and MRR of the page that answers."""
    languages = ["en", "de"] if language == "both" else [language]
    try:
        asked = {code: conversations(questions or data / "qa-pairs.json", code) for code in languages}
        urls = published_urls(data / "documents")
        with _indexed(data / "documents", folder) as retriever:
            rows = {}
            for code in languages:
                for way in completion or WAYS:
                    turns = measure(retriever, asked[code], way)
                    total = sum(map(len, asked[code]))
                    rows[f"{way} {code}"] = report(list(track(turns, f"{way} {code}", total=total, console=console)), urls)
    except (DataMissing, DidNotStart) as error:
        typer.echo(f"groundwire: {error}", err=True)
        raise typer.Exit(1) from None
    typer.echo(json.dumps(rows, indent=2)) if as_json else Console().print(_table(rows))


@contextmanager
def _indexed(pages: Path, folder: Path) -> Iterator[Retriever]:
    """The pages, indexed by the product through the stand-in for Confluence."""
    with Stack(folder.absolute(), pages=pages.absolute()) as stack:
        with console.status("indexing (minutes the first time, seconds afterwards)"):
            stack.start_sandbox()
            stack.start("redis", "chroma")
            sync = stack.sync()
            if sync.process.wait() != 0:
                raise DidNotStart(f"the sync failed: {sync.last_words()}")
        chosen = stack.settings.model_copy(update={"embedder": settings().embedder, "reranker": settings().reranker})
        embedder = embeddings.load(chosen)
        vectors = VectorStore(chosen.chroma_url, embedder.name)
        store = EvidenceStore(open_database(chosen.sql_url), LexicalIndex(chosen.data_dir), vectors, embedder)
        yield Retriever(store, rerank.load(chosen))


def _table(rows: dict[str, dict[str, float]]) -> Table:
    names = list(next(iter(rows.values())))
    table = Table("questions", *names)
    for name, figures in rows.items():
        table.add_row(name, *(f"{figures[key]:.3f}" if key not in ("n", "median_ms") else f"{figures[key]:g}" for key in names))
    return table


if __name__ == "__main__":
    app()
