"""The loop of news, in a thread beside the syncs: asks what was edited, reads what was told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

from core.outages.back_off import Lost, until_there
from core.outages.report import report
from core.settings import Settings
from indexer.news.fast_path import FastPath
from indexer.news.reader import NewsReader
from indexer.news.webhooks import Webhooks, serve
from indexer.sync.scheduler import Round, SyncScheduler

TICK_S = 1.0  # what is told is read so soon
# However often somebody asks for a sync at once, this long passes between two.
EARLIEST_S = 30.0
LONGEST_S = 30.0  # between two turns while something is lost


class Pause:
    """The time between two syncs, which an event may shorten."""

    def __init__(self, seconds: float, *, earliest_s: float = EARLIEST_S) -> None:
        self.seconds = seconds
        self._earliest_s = min(seconds, earliest_s)
        self._hurry = threading.Event()

    def hurry(self) -> None:
        self._hurry.set()

    def wait(self) -> None:
        time.sleep(self._earliest_s)
        self._hurry.wait(self.seconds - self._earliest_s)
        self._hurry.clear()


class NewsLoop:
    """Asks and reads in turn; one that fails does not keep the other from its work."""

    def __init__(self, scheduler: SyncScheduler, *, every_s: float) -> None:
        """`every_s`: between two questions for edited pages; 0 for none."""
        self._scheduler = scheduler
        self._every_s = every_s
        self._fast_path = FastPath()
        self._reader = NewsReader()
        self._next = time.monotonic() + every_s

    def run(self) -> None:
        """Without end; before the first sync has begun there is nothing to read news with."""
        while True:
            latest = self._scheduler.latest
            if latest is not None:
                until_there(partial(self._good_turn, latest), event="lost", longest_s=LONGEST_S)
            time.sleep(TICK_S)

    def _good_turn(self, latest: Round) -> None:
        if not self.turn(latest):
            raise Lost

    def turn(self, latest: Round) -> bool:
        """Whether neither failed; why one did is in the log."""
        good = True
        if self._every_s and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every_s
            good = _tried("news.not_asked", self._fast_path.ask, latest)
        return _tried("news.not_read", self._reader.read, latest) and good


def start_news(
    settings: Settings,
    scheduler: SyncScheduler,
    pause: Pause,
) -> None:
    """Begin to listen for webhooks, where that is wanted, and to read what is told.

    Raises:
        SettingsError: webhooks without a secret, or at an address that cannot be had.
    """
    if settings.webhook_port is not None:
        settings.require("webhook_secret")
        assert settings.webhook_secret is not None
        secret = settings.webhook_secret.get_secret_value()
        webhooks = Webhooks(scheduler.database, scheduler.source, secret, pause.hurry)
        serve(webhooks, settings.webhook_host, settings.webhook_port)
    loop = NewsLoop(scheduler, every_s=settings.confluence_news_s)
    threading.Thread(target=loop.run, name="news", daemon=True).start()


def _tried(event: str, do: Callable[[Round], None], latest: Round) -> bool:
    try:
        do(latest)
    except Exception as error:  # noqa: BLE001  (told, a defect with its traceback; the loop goes on)
        report(event, error)
        return False
    return True
