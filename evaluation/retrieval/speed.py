"""`python -m evaluation speed`: latency of a search, embedding included, by size of the index.

Pieces are seeded random words with random vectors, so nothing is said of how good the search is.
Each search is the product's, with a real Chroma, from the question's text to hits on pages in SQL.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy as np
import typer

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.evidence import Dense, EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from core.models import Evidence, Kind, Page
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from evaluation.harness.output import AsJson, show
from evaluation.harness.progress import status, track
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs, free_port

PER_PAGE = 20
QUESTIONS = 200
DIMENSIONS = 512


class Scattered:
    """The bundled encoder for questions; pieces get random vectors, which cost nothing."""

    name = "scattered"

    def __init__(self) -> None:
        self._real = Bundled()

    def embed(self, texts: Sequence[str]) -> Vectors:
        if all(text.endswith("?") for text in texts):
            return self._real.embed(texts)
        seeds = (int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) for text in texts)
        drawn = [np.random.default_rng(seed).standard_normal(DIMENSIONS) for seed in seeds]
        rows = np.array(drawn, np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def speed(
    pieces: Annotated[
        list[int] | None, typer.Option(help="Sizes of the index; 3,500 and 100,000.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Milliseconds of a search, and seconds that a new page and a start cost."""
    rows: dict[str, dict[str, float]] = {}
    for size in pieces or [3500, 100_000]:
        with TemporaryDirectory() as folder, Programs(Path(folder) / "logs") as programs:
            with status("starting Chroma"):
                chroma = _chroma(programs, Path(folder))
            rows[f"{size:,} pieces"] = _measured(size, Path(folder), chroma)
    show(rows, as_json=as_json)


def _chroma(programs: Programs, folder: Path) -> str:
    port = str(free_port())
    path = str(folder / "chroma")
    command = ["chroma", "run", "--host", "127.0.0.1", "--port", port, "--path", path]
    program = programs.start("chroma", command, child_environment(), ready="listening")
    program.wait_until_ready()
    return f"http://127.0.0.1:{port}"


def _measured(size: int, folder: Path, chroma: str) -> dict[str, float]:
    database = Database(f"sqlite:///{folder / 'groundwire.db'}")
    database.migrate()
    dense = Dense(vector_stores(chroma), lambda _name: Scattered(), wanted="scattered")
    store = EvidenceStore(database, LexicalIndex(folder), dense)
    for page, made in track(pages(size), f"filling {size:,}", total=size // PER_PAGE):
        store.replace(page, made, acl_id=OPEN_ID, body_hash="", made_by="")
    bridge = WordNeighbours(database, partial(Bundled))
    search = EvidenceSearch(database, store.lexical, dense, bridge)
    first = _seconds(lambda: search.search(Query("Where is the first one?"), 10))
    store.replace(*next(pages(size)), acl_id=OPEN_ID, body_hash="again", made_by="")
    changed = _seconds(lambda: search.search(Query("Where is the next one?"), 10))
    asked = track(questions(size), f"searching {size:,}", total=QUESTIONS)
    searches = (partial(search.search, Query(question), 10) for question in asked)
    taken = [1000 * seconds for seconds in map(_seconds, searches)]
    again = EvidenceSearch(database, LexicalIndex(folder), dense, bridge)
    start = _seconds(lambda: again.search(Query("Where is the last one?"), 10))
    return {
        "n": len(taken),
        "ms, median": round(median(taken), 1),
        "ms, 95 %": round(quantiles(taken, n=20)[-1], 1),
        "s, first ever": round(first, 2),
        "s, after a change": round(changed, 2),
        "s, after a restart": round(start, 2),
    }


def pages(size: int) -> Iterator[tuple[Page, list[Evidence]]]:
    """Pages of twenty pieces of about sixty words; words are as rare as in language (Zipf)."""
    chance = random.Random(7)
    words, weights = _vocabulary(size)
    for number in range(size // PER_PAGE):
        page = Page(
            id=str(number),
            space="ENG",
            title=" ".join(chance.choices(words, weights, k=4)),
            url=f"https://wiki.example/{number}",
        )
        pieces = []
        for place in range(PER_PAGE):
            text = " ".join(chance.choices(words, weights, k=60))
            pieces.append(_piece(number, place, text))
        yield page, pieces


def questions(size: int) -> Iterator[str]:
    """Eight words each, every tenth of them in no page."""
    chance = random.Random(8)
    words, weights = _vocabulary(size)
    for _ in range(QUESTIONS):
        drawn = chance.choices(words[20:], weights[20:], k=8)
        said = [word if chance.random() < 0.9 else word[::-1] for word in drawn]
        yield " ".join(said) + "?"


def _piece(page: int, place: int, text: str) -> Evidence:
    return Evidence(
        id=f"{page}-{place}", page_id=str(page), kind=Kind.PASSAGE, text=text, position=place
    )


def _vocabulary(size: int) -> tuple[list[str], list[float]]:
    """About 10 √n different words (Heaps' law), with weights after Zipf."""
    chance = random.Random(9)
    count = int(10 * (size * 60) ** 0.5)
    words = list(dict.fromkeys(_word(chance) for _ in range(count)))
    return words, [1 / rank for rank in range(1, len(words) + 1)]


def _word(chance: random.Random) -> str:
    syllables = chance.randint(2, 5)
    letters = (chance.choice(kind) for kind in ("bdfgklmnprst", "aeiou") * syllables)
    return "".join(letters)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
