"""`python -m evaluation speed`: what a search costs, embedding included, beside its peers.

Each search is the product's, with a real Chroma, from the question's text to hits on pages in SQL.
Times are of the processor, of this process and of Chroma's, since other work on the same cores says
nothing of a search. The wiki is word salad: see evaluation.speed.salad.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Annotated

import psutil
import typer

from core.evidence import Dense, EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from evaluation.harness.output import AsJson, show, show_json
from evaluation.harness.progress import status, track
from evaluation.speed import peers
from evaluation.speed.parts import by_part
from evaluation.speed.salad import PER_PAGE, Scattered, ScatteredWords, pages, questions
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Program, Programs, free_port

QUESTIONS = 200
K = 10

Figures = dict[str, dict[str, float]]


def speed(
    pieces: Annotated[
        list[int] | None, typer.Option(help="Sizes of the index; 3,500 and 100,000.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Milliseconds of a search, by part and beside peers; seconds of a new page and a start."""
    found: dict[str, Figures] = {"search": {}, "parts": {}, "peers": {}}
    for size in pieces or [3500, 100_000]:
        with TemporaryDirectory() as folder, Programs(Path(folder) / "logs") as programs:
            with status("starting Chroma"):
                chroma, url = _chroma(programs, Path(folder))
            measured = _measured(size, Path(folder), chroma, url)
        for name, row in measured.items():
            found[name][f"{size:,} pieces"] = row
    if as_json:
        return show_json(found)
    for rows in found.values():
        show(rows, as_json=False)
    return None


def _chroma(programs: Programs, folder: Path) -> tuple[Program, str]:
    """A Chroma of our own, and its address."""
    port = str(free_port())
    path = str(folder / "chroma")
    command = ["chroma", "run", "--host", "127.0.0.1", "--port", port, "--path", path]
    program = programs.start("chroma", command, child_environment(), ready="listening")
    program.wait_until_ready()
    return program, f"http://127.0.0.1:{port}"


def _measured(size: int, folder: Path, chroma: Program, url: str) -> Figures:
    database = Database(f"sqlite:///{folder / 'groundwire.db'}")
    database.migrate()
    dense = Dense(vector_stores(url), lambda _name: Scattered(), wanted=Scattered.name)
    bridge = WordNeighbours(database, ScatteredWords)
    store = EvidenceStore(database, LexicalIndex(folder), dense, bridge)
    for page, made in track(pages(size), f"filling {size:,}", total=size // PER_PAGE):
        store.replace(page, made, acl_id=OPEN_ID, body_hash="", made_by="")
    dense.embedder(Scattered.name).embed(["Is the encoder loaded?"])
    search = EvidenceSearch(database, store.lexical, dense, bridge)
    first = _seconds(lambda: search.search(Query("Where is the first one?"), K))
    store.replace(*next(pages(size)), acl_id=OPEN_ID, body_hash="again", made_by="")
    changed = _seconds(lambda: search.search(Query("Where is the next one?"), K))
    asked = list(questions(size, 2 * QUESTIONS))
    row = _searches(search, asked[:QUESTIONS], chroma)
    again = WordNeighbours(database, ScatteredWords)
    restarted = EvidenceSearch(database, LexicalIndex(folder), dense, again)
    start = _seconds(lambda: restarted.search(Query("Where is the last one?"), K))
    row |= {"s, first ever": first, "s, after a change": changed, "s, after a restart": start}
    ours = partial(_all, search, asked[QUESTIONS:])
    return {
        "search": {name: round(figure, 2) for name, figure in row.items()},
        "parts": by_part(ours, QUESTIONS, row["processor ms, ours"]),
        "peers": peers.measured(size, asked[:QUESTIONS], K),
    }


def _searches(search: EvidenceSearch, asked: list[str], chroma: Program) -> dict[str, float]:
    _, before = chroma.signs()
    searches = (partial(search.search, Query(question), K) for question in asked)
    ours = [1000 * seconds for seconds in map(_seconds, searches)]
    _, after = chroma.signs()
    theirs = 1000 * (after - before) / len(asked)
    return {
        "n": len(asked),
        "processor ms": median(ours) + theirs,
        "processor ms, ours": median(ours),
        "95 % of ours": quantiles(ours, n=20)[-1],
        "Chroma's": theirs,
        "MB": psutil.Process().memory_info().rss / 1e6,
    }


def _all(search: EvidenceSearch, asked: list[str]) -> None:
    for question in asked:
        search.search(Query(question), K)


def _seconds(work: Callable[[], object]) -> float:
    """Of the processor, in this process."""
    began = time.process_time()
    work()
    return time.process_time() - began
