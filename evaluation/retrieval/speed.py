"""`python -m evaluation speed`: how long a search takes, with the question's embedding, over an index of some size.

Pieces are seeded word salad and their vectors random, so nothing is said of how good the search is; each search is the product's, with a
real Chroma, from the question's text to hits that stand on pages in SQL.
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
from rich.progress import track

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.evidence import Dense, EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.evidence.lexical.index import LexicalIndex
from core.models import Evidence, Kind, Page
from core.policy.acl import OPEN_ID
from core.settings import child_environment
from core.storage.database import Database
from evaluation.harness.stage import AsJson, console, show
from sandbox.programs.processes import Programs, free_port

PER_PAGE = 20
QUESTIONS = 200
DIMENSIONS = 512


class Scattered:
    """The bundled encoder for questions; pieces get random directions at once."""

    name = "scattered"

    def __init__(self) -> None:
        self._real = Bundled()

    def embed(self, texts: Sequence[str]) -> Vectors:
        if all(text.endswith("?") for text in texts):
            return self._real.embed(texts)
        seeds = (int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) for text in texts)
        rows = np.array(
            [np.random.default_rng(seed).standard_normal(DIMENSIONS) for seed in seeds], np.float32
        )
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
            port = str(free_port())
            command = [
                "chroma",
                "run",
                "--host",
                "127.0.0.1",
                "--port",
                port,
                "--path",
                f"{folder}/chroma",
            ]
            programs.start(
                "chroma", command, child_environment(), ready="listening"
            ).wait_until_ready()
            rows[f"{size:,} pieces"] = _measured(size, Path(folder), f"http://127.0.0.1:{port}")
    show(rows, as_json=as_json)


def _measured(size: int, folder: Path, chroma: str) -> dict[str, float]:
    database = Database(f"sqlite:///{folder / 'groundwire.db'}")
    database.migrate()
    dense = Dense(chroma, lambda _name: Scattered(), wanted="scattered")
    store = EvidenceStore(database, LexicalIndex(folder), dense)
    for page, made in track(
        pages(size), f"filling {size:,}", total=size // PER_PAGE, console=console, transient=True
    ):
        store.replace(page, made, acl_id=OPEN_ID, body_hash="", made_by="")
    bridge = WordNeighbours(database, partial(Bundled))
    search = EvidenceSearch(database, store.lexical, dense, bridge)
    first = _seconds(lambda: search.search(Query("Where is the first one?"), 10))
    store.replace(*next(pages(size)), acl_id=OPEN_ID, body_hash="again", made_by="")
    changed = _seconds(lambda: search.search(Query("Where is the next one?"), 10))
    taken = [
        1000 * _seconds(partial(search.search, Query(question), 10)) for question in questions(size)
    ]
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
        yield (
            page,
            [
                _piece(number, place, " ".join(chance.choices(words, weights, k=60)))
                for place in range(PER_PAGE)
            ],
        )


def questions(size: int) -> Iterator[str]:
    """Eight words each, every tenth of them in no page."""
    chance = random.Random(8)
    words, weights = _vocabulary(size)
    for _ in range(QUESTIONS):
        said = [
            word if chance.random() < 0.9 else word[::-1]
            for word in chance.choices(words[20:], weights[20:], k=8)
        ]
        yield " ".join(said) + "?"


def _piece(page: int, place: int, text: str) -> Evidence:
    return Evidence(
        id=f"{page}-{place}", page_id=str(page), kind=Kind.PASSAGE, text=text, position=place
    )


def _vocabulary(size: int) -> tuple[list[str], list[float]]:
    """Heaps: about 10 √n different words."""
    chance = random.Random(9)
    count = int(10 * (size * 60) ** 0.5)
    made = [
        "".join(
            chance.choice("bdfgklmnprst") + chance.choice("aeiou")
            for _ in range(chance.randint(2, 5))
        )
        for _ in range(count)
    ]
    words = list(dict.fromkeys(made))
    return words, [1 / rank for rank in range(1, len(words) + 1)]


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
