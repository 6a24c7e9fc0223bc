"""A database that version 0.1 made, to be upgraded.

`groundwire-0.1.sql.gz` is the dump of what that version itself wrote against the stand-ins: 27
pages of the sample company, 17 questions (one refused for a limit), an explanation, a vote.
Embeddings, which are a cache, and the chart are left out.
"""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

DUMP = Path(__file__).with_name("groundwire-0.1.sql.gz")


def unpack(path: Path) -> None:
    """Write the database as version 0.1 left it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as old:
        old.executescript(gzip.decompress(DUMP.read_bytes()).decode())
