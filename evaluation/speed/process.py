"""A process that searches an index, as a worker does: `python -m evaluation.speed.process FOLDER`.

It answers each line of its standard input with a line of JSON: `start` searches for the first time,
`ask SIZE COUNT` asks questions, `memory` says what it holds.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import chain
from pathlib import Path

import psutil
import typer

from core.evidence import Dense, EvidenceSearch, Query, WordNeighbours
from core.evidence.dense.in_sql import in_sql
from core.evidence.lexical.index import LexicalIndex
from core.storage.database import Database
from evaluation.speed.salad import Scattered, ScatteredWords, questions

K = 10


def opened(folder: Path) -> tuple[EvidenceSearch, Scattered]:
    """The search of the index in a folder, by codes, and its encoder, which is loaded."""
    database = Database(f"sqlite:///{folder / 'groundwire.db'}")
    encoder, words = Scattered(), ScatteredWords()
    encoder.embed(["Is the encoder loaded?"])
    words.embed(["loaded"])
    dense = Dense(in_sql, lambda _name: encoder, wanted=Scattered.name, is_in_sql=True)
    neighbours = WordNeighbours(database, lambda: words, folder)
    return EvidenceSearch(database, LexicalIndex(folder, dense.coder), dense, neighbours), encoder


def _answered(search: EvidenceSearch, command: str, *numbers: str) -> dict[str, float]:
    if command == "memory":
        held = psutil.Process().memory_full_info()
        return {"pss": held.pss, "own": held.uss, "rss": held.rss}
    began, processor = time.perf_counter(), time.process_time()
    if command == "start":
        search.search(Query("Where is the first one?"), K)
    else:
        size, count = map(int, numbers)
        for question in questions(size, count):
            search.search(Query(question), K)
    return {"s": time.perf_counter() - began, "processor s": time.process_time() - processor}


def main(folder: Path) -> None:
    search, _ = opened(folder)
    for line in chain(["memory"], sys.stdin):
        typer.echo(json.dumps(_answered(search, *line.split())))
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
