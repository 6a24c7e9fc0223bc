"""A round that meets a defect of this program is told with its traceback, and is not the last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from wiki_site import client, settings

from core.evidence import EvidenceStore
from core.outages.back_off import Lost
from core.page_source import PageSource, Space
from indexer.rounds import Rounds
from indexer.sync.scheduler import SyncScheduler
from indexer.sync.status import status_of_spaces

NOWHERE = "http://127.0.0.1:1"


def broken(source: PageSource) -> PageSource:
    """It stumbles over what nobody foresaw."""

    def spaces(keys: Sequence[str]) -> list[Space]:
        raise KeyError(keys)

    source.spaces = spaces  # type: ignore[method-assign]
    return source


def scheduler(store: EvidenceStore, folder: Path, source: PageSource) -> SyncScheduler:
    return SyncScheduler(settings(NOWHERE, data_dir=folder), source, store)


def test_a_defect_is_told_and_the_next_round_comes(store: EvidenceStore, tmp_path: Path) -> None:
    with capture_logs() as said, pytest.raises(Lost):
        ours = scheduler(store, tmp_path, broken(client(NOWHERE)))
        Rounds(ours, allow_shrink=False).one()
    (line,) = [line for line in said if line["event"] == "sync.failed"]
    assert line["log_level"] == "error"
    assert isinstance(line["exc_info"], KeyError)


def test_what_is_lost_brings_the_next_round_forward(store: EvidenceStore, tmp_path: Path) -> None:
    ours = scheduler(store, tmp_path, client(NOWHERE))
    rounds = Rounds(ours, allow_shrink=False)
    assert rounds.health() == "ok"
    with capture_logs(), pytest.raises(Lost):
        rounds.one()
    assert rounds.health() == "the last round failed: see `python -m indexer status`"
    (shown,) = status_of_spaces(store.database)
    assert "is CONFLUENCE_URL right?" in shown.last_error
