"""What a host pays for an index: starts, memory of its processes, a change while others write."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from core.evidence import Dense, EvidenceSearch, EvidenceStore, Query
from core.evidence.dense.in_sql import in_sql
from core.models import Evidence, Kind, Page
from core.policy.acl import OPEN_ID
from evaluation.speed.process import K, opened
from evaluation.speed.salad import Scattered

PROCESSES = 3  # worker, explainer and indexer hold the index
ASKED = 40  # questions of each before its memory is looked at
CHANGES = 10

Figures = dict[str, float]


class _Process:
    """One of evaluation.speed.process."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self._running = running
        self.before = self._line()

    def asked(self, command: str) -> Figures:
        assert self._running.stdin
        self._running.stdin.write(f"{command}\n")
        self._running.stdin.flush()
        return self._line()

    def _line(self) -> Figures:
        assert self._running.stdout
        found: Figures = json.loads(self._running.stdout.readline())
        return found


@contextmanager
def _process(folder: Path) -> Iterator[_Process]:
    command = [sys.executable, "-m", "evaluation.speed.process", str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as running:  # noqa: S603
        yield _Process(running)
        assert running.stdin
        running.stdin.close()


def memory_and_start(folder: Path, size: int) -> Figures:
    """Of several processes at once: what they hold beyond their encoders, each shared page once."""
    with ExitStack() as stack:
        several = [stack.enter_context(_process(folder)) for _ in range(PROCESSES)]
        starts = [each.asked("start") for each in several]
        for each in several:
            each.asked(f"ask {size} {ASKED}")
        after = [each.asked("memory") for each in several]
        held = sum(each["pss"] for each in after) - sum(each.before["pss"] for each in several)
        own = max(now["own"] - each.before["own"] for now, each in zip(after, several, strict=True))
    return {
        "s, first search after a start": max(each["s"] for each in starts),
        f"MB, {PROCESSES} processes together": held / 1e6,
        "MB, one process alone": own / 1e6,
    }


def first_ever(folder: Path) -> tuple[EvidenceSearch, Figures]:
    """The index is made from SQL."""
    search, _ = opened(folder)
    began = time.process_time()
    search.search(Query("Where is the first one?"), K)
    return search, {"processor s, first search ever": time.process_time() - began}


def changes(search: EvidenceSearch) -> Figures:
    """Seconds from a commit until a search finds it while others write, the longest of a few."""
    encoder = Scattered()
    dense = Dense(in_sql, lambda _name: encoder, wanted=Scattered.name, is_in_sql=True)
    store = EvidenceStore(search.database, search.lexical, dense)
    ended = threading.Event()
    writer = threading.Thread(target=_writing, args=[store, ended])
    writer.start()
    try:
        taken = [_until_found(search, store, number) for number in range(CHANGES)]
    finally:
        ended.set()
        writer.join()
    return {"s, until a change is found": max(taken)}


def _writing(store: EvidenceStore, ended: threading.Event) -> None:
    number = 0
    while not ended.is_set():
        _put(store, f"written-{number % 500}", f"The sync has written page number {number}.")
        number += 1


def _until_found(search: EvidenceSearch, store: EvidenceStore, number: int) -> float:
    text = f"The crane QUOKKA-{number} stands here."
    _put(store, f"changed-{number}", text)
    began = time.perf_counter()
    while not any(
        hit.evidence.text == text for hit in search.search(Query(f"QUOKKA-{number}"), K).hits
    ):
        pass
    return time.perf_counter() - began


def _put(store: EvidenceStore, name: str, text: str) -> None:
    page = Page(id=name, space="ENG", title=name, url=f"https://wiki.example/{name}")
    piece = Evidence(id=f"{name}-0", page_id=name, kind=Kind.PASSAGE, text=text)
    store.replace(page, [piece], acl_id=OPEN_ID, body_hash=text, made_by="")
