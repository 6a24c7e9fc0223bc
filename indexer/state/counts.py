"""What one sync of one space did."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Counts:
    """Numbers of pages, unless noted otherwise."""

    listed: int = 0
    # listed, and shown to nobody: restricted in the default mode, or of unknown readers
    withheld: int = 0
    scanned: int = 0  # labels and restrictions read
    fetched: int = 0  # bodies
    indexed: int = 0  # evidence rebuilt
    embedded: int = 0  # texts
    regranted: int = 0  # other readers than before
    hidden: int = 0  # taken away from readers
    failed: int = 0
    requests: int = 0
    kept_on_doubt: int = 0  # missing from a listing that looked broken
