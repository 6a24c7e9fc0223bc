"""Runs syncs without end: whatever is lost is waited for, and only a wrong setting ends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn

from core.confluence import connect
from core.errors import SettingsError
from core.evidence import EvidenceStore
from core.pages import CONFLUENCE
from core.settings import Settings
from indexer.news.loop import Pause, start_news
from indexer.outages.back_off import Lost, until_there
from indexer.outages.report import report
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
    begun = partial(begin, chosen, open_store)
    scheduler = until_there(begun, event="start.failed", longest_s=pause.seconds)
    start_news(chosen, scheduler, pause)
    a_round = partial(one_round, scheduler, allow_shrink=allow_shrink)
    while True:
        until_there(a_round, event="sync.failed", longest_s=pause.seconds)
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


def one_round(scheduler: SyncScheduler, *, allow_shrink: bool) -> None:
    """One round.

    Raises:
        Lost: it is worth trying again sooner than the next round is due.
    """
    try:
        scheduler.sync(allow_shrink=allow_shrink)
    except SettingsError:
        raise
    except Exception as error:
        report("sync.failed", error)
        raise Lost from error
    if scheduler.lost:
        raise Lost
