"""The outbox: lets a call to Slack go when a budget has room for it, or says that it has none."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bot import metrics
from bot.slack_api.errors import RATE_LIMITED, Dropped, SlackError, refusal
from bot.slack_api.installed.workspace import THE_ONLY, Workspace
from bot.slack_api.outbox.budgets import Budgets, Change
from bot.slack_api.outbox.tiers import CallLimit
from bot.slack_api.outbox.urgency import KEPT, PATIENCE_S, SHARE, Urgency
from bot.slack_api.outbox.window import Window
from core.settings import Settings
from core.storage.database import Database

# Of several workspaces, one lets so many threads of a process wait for its budget, of the 32 that a
# speaker has; what comes on top is delivered later, so that threads are left for the others.
MOST_WAITING = 12
LOOK_EVERY_S = 0.5  # at most, while a call waits without a place in line


class Outbox:
    """The budgets of this app in this workspace."""

    def __init__(self, budgets: Budgets, most_waiting: int | None = None) -> None:
        """No more than `most_waiting` threads wait at a time; None: any number."""
        self._budgets = budgets
        self._places = threading.BoundedSemaphore(most_waiting) if most_waiting else None

    @classmethod
    def of(cls, chosen: Settings, database: Database, workspace: Workspace = THE_ONLY) -> Outbox:
        """That of this app in this workspace; a single bot token names both."""
        token = chosen.slack_bot_token.get_secret_value() if chosen.slack_bot_token else ""
        which = f"{chosen.slack_oauth_client_id} {workspace.team}" if workspace.team else token
        named = f"{chosen.slack_api_url} {which}".encode()
        owner = hashlib.sha256(named).hexdigest()[:16]
        return cls(
            Budgets(chosen.redis_url, database, owner), MOST_WAITING if workspace.team else None
        )

    def wait(self, limits: Sequence[CallLimit], urgency: Urgency) -> None:
        """Wait until a call may be made, which is counted now.

        Finals get a place in line at once, so the first to come is the first to go.

        Raises:
            Dropped: there is no room for what may not wait, or not for so long.
            SlackRefused: none for what is tried again later (`ratelimited`).
        """
        began = time.monotonic()
        with (
            metrics.OUTBOX_WAITING.labels(urgency).track_inprogress(),
            self._place(urgency, limits),
        ):
            self._wait(limits, urgency, began + PATIENCE_S[urgency])
        metrics.OUTBOX_WAIT.labels(urgency).observe(time.monotonic() - began)

    def has_room(self, limits: Sequence[CallLimit], urgency: Urgency) -> bool:
        """Whether such a call could be made now; nothing is counted."""
        waits: list[float] = []

        def look(now: float, windows: list[Window]) -> list[Window]:
            waits.append(_free_at(limits, windows, now, SHARE[urgency]) - now)
            return windows

        self._change(limits, look)
        return all(each <= 0 for each in waits)

    def refused(self, limits: Sequence[CallLimit], retry_after_s: float) -> None:
        """Slack has answered 429: whoever comes next waits that long."""

        def slow_down(now: float, windows: list[Window]) -> list[Window]:
            return [window.refused(now, retry_after_s) for window in windows]

        # The narrowest limit is the one that was too much: a channel's before the workspace's.
        self._change(limits[-1:], slow_down)

    @contextmanager
    def _place(self, urgency: Urgency, limits: Sequence[CallLimit]) -> Iterator[None]:
        """One of the places for those who wait; there is no room where none is free."""
        if self._places is None or urgency not in KEPT:  # the others do not wait for long
            yield
            return
        if not self._places.acquire(blocking=False):
            raise no_room(urgency, limits)
        try:
            yield
        finally:
            self._places.release()

    def _wait(self, limits: Sequence[CallLimit], urgency: Urgency, until: float) -> None:
        if not limits:
            return
        while True:
            patience_s = until - time.monotonic()
            wait_s, is_taken = self._take(limits, urgency, patience_s)
            if not is_taken and wait_s > patience_s:
                raise no_room(urgency, limits)
            time.sleep(wait_s if is_taken else min(wait_s, LOOK_EVERY_S))
            if is_taken and not (wait_s and self._is_held(limits)):
                return

    def _is_held(self, limits: Sequence[CallLimit]) -> bool:
        """Whether a 429 has come while we waited."""
        held: list[bool] = []

        def look(now: float, windows: list[Window]) -> list[Window]:
            held.append(any(window.not_before > now for window in windows))
            return windows

        self._change(limits, look)
        return held[-1]

    def _take(
        self, limits: Sequence[CallLimit], urgency: Urgency, patience_s: float
    ) -> tuple[float, bool]:
        """Seconds until a call may be made, and whether a place in line is ours now."""
        taken: list[tuple[float, bool]] = []

        def take(now: float, windows: list[Window]) -> list[Window]:
            at = _free_at(limits, windows, now, SHARE[urgency])
            may_line_up = urgency is Urgency.FINAL and at - now <= patience_s
            taken.append((at - now, at <= now or may_line_up))
            if not taken[-1][1]:
                return windows
            return [each.with_call(limit, at) for limit, each in zip(limits, windows, strict=True)]

        self._change(limits, take)
        return taken[-1]

    def _change(self, limits: Sequence[CallLimit], change: Change) -> None:
        if limits:
            self._budgets.change([limit.key for limit in limits], change)


def no_room(urgency: Urgency, limits: Sequence[CallLimit]) -> SlackError:
    """What is raised: somebody tries it again later, or nobody does."""
    method = limits[0].key
    metrics.OUTBOX_DROPPED.labels(method, urgency).inc()
    return refusal(RATE_LIMITED) if urgency in KEPT else Dropped(method)


def _free_at(limits: Sequence[CallLimit], windows: list[Window], now: float, share: float) -> float:
    return max(
        window.free_at(limit, now, share) for limit, window in zip(limits, windows, strict=True)
    )
