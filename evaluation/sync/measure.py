"""What a sync costs: the first one, one without changes, one after an edit, on generated pages.

The stand-in and Chroma run in processes of their own, so time and memory are the indexer's.
Embedding is left out: its price depends on the embedder alone, and is measured elsewhere.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.access.policy import read_policy
from core.confluence import connect
from core.embeddings import Vectors
from core.evidence import Dense, EvidenceStore
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from core.settings import Settings
from core.storage.database import Database
from indexer.parse.formats import FORMATS
from indexer.sync.extras import Extras
from indexer.sync.parts import SyncParts
from indexer.sync.space_sync import Indexer
from sandbox.confluence.app import TOKEN, USERNAME
from sandbox.confluence.client import Site
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs, free_port

SPACE = "BENCH"


class Free:
    """Vectors that cost nothing."""

    name = "free"

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.full((len(texts), 8), 1 / np.sqrt(8), dtype=np.float32)
        return np.asarray(vectors, dtype=np.float32)


@dataclass(frozen=True)
class Measured:
    """One sync."""

    pages: int
    what: str
    seconds: float
    requests: int
    bodies: int
    embedded: int  # texts
    peak_mb: float  # of the indexer's process, until then


def measure(sizes: Sequence[int], folder: Path) -> Iterator[Measured]:
    """Sync spaces of these sizes, each from nothing, then without changes, then after one edit."""
    with Programs(folder / "logs") as programs:
        chroma = _start(
            programs,
            "chroma",
            ["chroma", "run", "--host", "127.0.0.1", "--path", str(folder / "chroma")],
            r"listening",
        )
        site = _start(
            programs, "confluence", [sys.executable, "-m", "sandbox.confluence"], r"listening on"
        )
        with Site(site) as control:
            for size in sizes:
                control.reset()
                control.fill(SPACE, size)
                yield from _syncs(size, control, Bench(site, chroma, folder / str(size)))


class Bench:
    """An indexer on the generated space."""

    def __init__(self, site: str, chroma: str, folder: Path) -> None:
        folder.mkdir(parents=True)
        account = {
            "confluence_url": f"{site}/wiki",
            "confluence_username": USERNAME,
            "confluence_token": TOKEN,
        }
        self._settings = Settings.model_validate(
            account | {"confluence_spaces": SPACE, "confluence_requests_per_second": 1e6}
        )
        database = Database(f"sqlite:///{folder / 'groundwire.db'}")
        database.migrate()
        self._store = EvidenceStore(
            database,
            LexicalIndex(folder),
            Dense(vector_stores(chroma), lambda _name: Free(), wanted="free"),
        )

    def sync(self, pages: int, what: str) -> Measured:
        confluence = connect(self._settings)
        chosen, extras = (
            read_policy(self._settings, confluence),
            Extras(confluence, self._settings, self._store.database),
        )
        began = time.perf_counter()
        spaces = confluence.spaces((SPACE,))
        parts = SyncParts(confluence, self._store, chosen, extras, FORMATS)
        counts = Indexer(parts, spaces, period_s=86400).sync(spaces[0])
        seconds = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return Measured(
            pages,
            what,
            round(seconds, 2),
            confluence.requests,
            counts.fetched,
            counts.embedded,
            round(peak),
        )


def _syncs(size: int, control: Site, bench: Bench) -> Iterator[Measured]:
    yield bench.sync(size, "first")
    yield bench.sync(size, "unchanged")
    page_id = str(
        int(control.create(SPACE, "The last one", "<p>It marks the buoy.</p>")["id"]) - size // 2
    )
    yield bench.sync(size, "one new page")
    control.edit(page_id, "<p>It opens the lock.</p>")
    yield bench.sync(size, "one edit")


def _start(programs: Programs, name: str, command: list[str], ready: str) -> str:
    port = str(free_port())
    programs.start(
        name, [*command, "--port", port], child_environment(), ready=ready
    ).wait_until_ready()
    return f"http://127.0.0.1:{port}"
