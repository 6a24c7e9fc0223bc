"""`python -m evaluation speed`: what a search costs as an index grows, beside its peers.

Each search is the product's, from the question's text to hits on pages in SQL, by codes in the
index of the host and, up to a hundred thousand pieces, with a real Chroma. Times of searches are of
the processor, since other work on the same cores says nothing of them. The wiki is word salad: see
evaluation.speed.salad.
"""

from __future__ import annotations

import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Annotated

import psutil
import typer

from core.evidence import Dense, EvidenceSearch, Query, WordNeighbours
from core.evidence.dense.collections import embedded_text
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from core.storage.database import Database
from core.storage.index_tables import IndexRow
from evaluation.harness.output import AsJson, fail, show_down, show_json
from evaluation.harness.progress import status, track
from evaluation.speed import host, peers
from evaluation.speed.filling import fill
from evaluation.speed.growth import draw
from evaluation.speed.parts import by_part
from evaluation.speed.process import K
from evaluation.speed.salad import PER_PAGE, Scattered, ScatteredWords, pages, questions
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Program, Programs, free_port

QUESTIONS = 100
WARM = 5  # questions that come before those that are measured
CHROMA_MOST = 100_000  # pieces; it takes a thousand a second

Figures = dict[str, float]


def speed(
    pieces: Annotated[
        list[int] | None, typer.Option(help="Sizes of the index; 3,500 and 100,000.")
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the curves into this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Milliseconds of a search, by part and beside peers; memory, starts, changes and disk."""
    if find_spec("faiss") is None:
        fail("the peers are not installed: scripts/install dev")
    found: dict[str, dict[str, float | None]] = {}
    for size in pieces or [3500, 100_000]:
        with TemporaryDirectory() as folder:
            found[f"{size:,} pieces"] = dict(_measured(size, Path(folder)))
    names = dict.fromkeys(name for figures in found.values() for name in figures)
    rows = {size: {name: each.get(name) for name in names} for size, each in found.items()}
    if picture:
        draw(rows, picture)
    show_json(rows) if as_json else show_down(rows, as_json=False)


def _measured(size: int, folder: Path) -> Figures:
    database = Database(f"sqlite:///{folder / 'groundwire.db'}")
    database.migrate()
    fill(database, size)
    with status(f"the index of {size:,}"):
        search, found = host.first_ever(folder)
    asked = list(questions(size, 2 * QUESTIONS))
    own, parts = _searches(search, asked)
    found |= {"processor ms, by codes": own["median"], "95 %, by codes": own["95 %"], **parts}
    with status(f"processes on {size:,}"):
        found |= host.memory_and_start(folder, size)
        found |= host.changes(search)
    found |= {
        f"MB, {file.suffix or file.name}": file.stat().st_size / 1e6 for file in _files(folder)
    }
    if size <= CHROMA_MOST:
        found |= _with_chroma(size, folder, database, asked)
    found |= peers.measured(size, asked, K, folder)
    return {name: round(figure, 2) for name, figure in found.items()}


def _files(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.iterdir()) if file.suffix in (".db", ".index", ".words")]


def _searches(search: EvidenceSearch, asked: list[str]) -> tuple[Figures, Figures]:
    """Their median and how few take longer, in milliseconds, and those of each part."""
    first, second = asked[:QUESTIONS], asked[QUESTIONS:]
    _all(search, second[:WARM])
    taken = [1000 * _seconds(search, question) for question in first]
    own = {"median": median(taken), "95 %": quantiles(taken, n=20)[-1]}
    parts = by_part(partial(_all, search, second), len(second), own["median"])
    return own, {f"ms, {name}": figure for name, figure in parts.items()}


def _with_chroma(size: int, folder: Path, database: Database, asked: list[str]) -> Figures:
    """The same vectors in a Chroma of our own, and an index without codes."""
    encoder = Scattered()
    with Programs(folder / "logs") as programs:
        chroma, url = _chroma(programs, folder)
        dense = Dense(vector_stores(url), lambda _name: encoder, wanted=encoder.name)
        with database.reading() as session:
            vectors = dense.vectors(session.get_one(IndexRow, 1).collection)
        vectors.create()
        for page, made in track(pages(size), f"Chroma of {size:,}", total=size // PER_PAGE):
            rows = encoder.embed([embedded_text(page, piece) for piece in made])
            vectors.replace(str(page.key), [piece.id for piece in made], rows, there=())
        words = WordNeighbours(database, ScatteredWords, folder)
        search = EvidenceSearch(database, LexicalIndex(folder / "beside"), dense, words)
        _all(search, asked[:WARM])
        _, before = chroma.signs()
        taken = [1000 * _seconds(search, question) for question in asked[:QUESTIONS]]
        _, after = chroma.signs()
        held = psutil.Process(chroma.process.pid).memory_info().rss
    theirs = 1000 * (after - before) / QUESTIONS
    return {
        "processor ms, with Chroma": median(taken) + theirs,
        "of it Chroma's": theirs,
        "MB, Chroma": held / 1e6,
    }


def _chroma(programs: Programs, folder: Path) -> tuple[Program, str]:
    port = str(free_port())
    path = str(folder / "chroma")
    command = ["chroma", "run", "--host", "127.0.0.1", "--port", port, "--path", path]
    program = programs.start("chroma", command, child_environment(), ready="listening")
    program.wait_until_ready()
    return program, f"http://127.0.0.1:{port}"


def _all(search: EvidenceSearch, asked: list[str]) -> None:
    for question in asked:
        search.search(Query(question), K)


def _seconds(search: EvidenceSearch, question: str) -> float:
    """Of the processor, in this process."""
    began = time.process_time()
    search.search(Query(question), K)
    return time.process_time() - began
