"""Runs syncs without end: whatever is lost is waited for, and only a wrong setting ends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn

from core.confluence import connect
from core.errors import SettingsError
from core.evidence import EvidenceStore
from core.outages.back_off import Lost, until_there
from core.outages.health import OK, Health
from core.outages.report import report
from core.outages.stores import check, database_look
from core.pages import CONFLUENCE
from core.settings import Settings
from indexer.news.loop import Pause, start_news
from indexer.numbers import IndexNumbers
from indexer.state.runs import save_failed_listing
from indexer.sync.scheduler import SyncScheduler


def sync_for_ever(
    chosen: Settings,
    open_store: Callable[[], EvidenceStore],
    pause: Pause,
    *,
    allow_shrink: bool,
) -> NoReturn:
    """Sync, and read news in between.

    Raises:
        SettingsError: what only the operator can change.
    """
    health = Health()
    health.serve(chosen.health_host, chosen.indexer_metrics_port)
    health.waits_for("its stores and the site")
    begun = partial(begin, chosen, open_store)
    scheduler = until_there(begun, event="start.failed", longest_s=pause.seconds)
    database = scheduler.database
    numbers = IndexNumbers(database)
    rounds = Rounds(scheduler, allow_shrink=allow_shrink)
    checks = {"database": check(database_look(database)), "sync": rounds.health}
    health.works(checks, numbers=[numbers.now])
    start_news(chosen, scheduler, pause)
    while True:
        until_there(rounds.one, event="sync.failed", longest_s=pause.seconds)
        pause.wait()


def begin(chosen: Settings, open_store: Callable[[], EvidenceStore]) -> SyncScheduler:
    """What syncs, before its first round; why there is none is shown by `status`.

    Raises:
        SettingsError: a setting is wrong, or so it seems from what the site answers.
    """
    store = open_store()
    try:
        source = connect(chosen)
    except SettingsError as error:
        save_failed_listing(store.database, CONFLUENCE, str(error))
        raise
    return SyncScheduler(chosen, source, store)


class Rounds:
    """One after the other, and how the last one ended."""

    def __init__(self, scheduler: SyncScheduler, *, allow_shrink: bool) -> None:
        self._scheduler = scheduler
        self._allow_shrink = allow_shrink
        self._failed = False

    def health(self) -> str:
        return "the last round failed: see `python -m indexer status`" if self._failed else OK

    def one(self) -> None:
        """One round.

        Raises:
            Lost: it is worth trying again sooner than the next round is due.
        """
        self._failed = not self._went_well()
        if self._failed:
            raise Lost

    def _went_well(self) -> bool:
        try:
            self._scheduler.sync(allow_shrink=self._allow_shrink)
        except SettingsError:
            raise
        except Exception as error:  # noqa: BLE001  (told, a defect with its traceback)
            report("sync.failed", error)
            return False
        return not self._scheduler.lost
