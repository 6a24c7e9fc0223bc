"""`python -m indexer tune`: chooses ranking weights on the operator's own pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from core import logs
from core.errors import SettingsError
from core.evidence import EvidenceSearch, WordNeighbours
from core.evidence.dense.collections import configured
from core.evidence.lexical.index import LexicalIndex
from core.evidence.ranking import tuned
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.outages.ending import or_one_sentence
from core.settings import Settings, settings
from core.storage.database import open_database
from indexer.tuning.tune import FEWEST, Advance, Search, Share, Tuned, by_bm25s, questions, tune

console = Console(stderr=True)


def tune_weights(
    count: Annotated[int, typer.Option("--questions", min=FEWEST, help="How many to ask.")] = 300,
    seed: Annotated[int, typer.Option(help="Another seed, other questions.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Fit the search to questions made from open pages; RANKING=tuned then uses the weights."""
    with or_one_sentence():
        chosen = settings()
        logs.configure_quietly(chosen)
        search = _search(chosen)
        as_shipped = search(PRODUCT)
        asked = questions(as_shipped, count, seed)
        if len(asked) < FEWEST:
            raise SettingsError(
                f"only {len(asked)} questions can be made from the open pages, and fewer than "
                f"{FEWEST} say nothing: sync more pages first"
            )
        with _searches() as advance:
            found = tune(asked, search, advance)
        peer = by_bm25s(asked, as_shipped.database)
        rows = found.figures() | {"bm25s": peer.as_json()}
        # Of weights that gain no more than noise none is kept: RANKING=tuned is the product's then.
        kept = dict(found.weights) if found.is_better else {}
        tuned.save(as_shipped.database, kept, rows | {"embedder": chosen.embedder})
    if as_json:
        typer.echo(json.dumps({"measured": rows, "weights": kept}, indent=2))
    else:
        _show(found, peer)


def _search(chosen: Settings) -> Search:
    """By ranking: searches that share one index."""
    dense = configured(chosen)
    dense.embedder(chosen.embedder)  # a wrong setting fails before any work
    database = open_database(chosen.sql_url)
    lexical = LexicalIndex(chosen.data_dir, dense.coder)
    neighbours = WordNeighbours(database, partial(dense.embedder, "bundled"), chosen.data_dir)

    def search(ranking: Ranking) -> EvidenceSearch:
        return EvidenceSearch(database, lexical, dense, neighbours, ranking)

    return search


@contextmanager
def _searches() -> Iterator[Advance]:
    """Counts them; how many there will be is known only when the last weight stays where it is."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}: {task.completed} searches, {task.speed:.0f} a second"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("tuning", total=None)
        advance: Callable[..., None] = partial(progress.advance, task)
        yield advance


def _show(found: Tuned, peer: Share) -> None:
    shown = Table("weights", "right page first", "95 %", "questions")
    rows = {
        "the product's": found.product,
        "tuned, on pages left out": found.left_out,
        "bm25s": peer,
    }
    for name, share in rows.items():
        low, high = share.interval
        shown.add_row(name, f"{share.value:.3f}", f"{low:.3f} to {high:.3f}", str(share.of))
    Console().print(shown)
    if not found.is_better:
        typer.echo("the product's weights stay: nothing is better by more than noise")
        return
    for name, value in found.weights.items():
        typer.echo(f"{name}: {value:g}")
    typer.echo("kept: RANKING=tuned uses them from the next start of the workers on")
