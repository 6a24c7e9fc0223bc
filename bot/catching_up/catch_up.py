"""Catches up what was said while nobody listened: reads Slack's history and hears it anew.

What is heard goes the way of an event, and what was heard already changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bot import metrics
from bot.slack_api.errors import NEEDS_AN_ADMIN, NOT_AVAILABLE, SlackRefused
from bot.slack_api.payloads import Payload
from bot.slack_api.threads.heard import Heard, read
from bot.slack_api.threads.history import SlackHistory
from core import logs
from core.errors import StoreUnavailable
from core.jobs import gaps
from core.jobs.gaps import Gap
from core.jobs.leases import Lease, lease
from core.jobs.queue import QUEUES, TaskName, length
from core.storage import clock
from core.storage.database import Database
from core.turns import turn_rows

THREADS_S = 86_400.0  # a thread whose first message is older than this is read if it is ours, or
ALIVE_S = 7 * 86_400.0  # rather if somebody asked in it within this time
MOST_THREADS = 20  # of those, in a channel
MOST_WAITING = 4  # questions in the queue of the workers; with more, those of right now come first
WAIT_S = 5.0  # the longest time that one question waits for them: the workers may be away

# Nothing is wrong with the place, so it is read once Slack answers again.
# docs.slack.dev/reference/methods/conversations.history#errors
LATER = {"", "internal_error", "fatal_error", "service_unavailable", "request_timeout"}
LATER |= NEEDS_AN_ADMIN - NOT_AVAILABLE

log = logs.get(__name__)


class CatchUp:
    """Closes the gaps of a workspace, one after another; one process at a time does."""

    def __init__(
        self,
        database: Database,
        history: SlackHistory,
        hear: Callable[[Heard], object],
        *,
        rest: Callable[[float], bool],
    ) -> None:
        """`rest` sleeps for so many seconds; true: the program ends."""
        self._database = database
        self._history = history
        self._hear = hear
        self._rest = rest

    def close_gaps(self, team: str, bot: str) -> None:
        """Close all that are open; nothing when another process is at it.

        What fails stays open.

        Raises:
            SlackError: Slack does not answer or takes no call of ours, or the program ends.
        """
        if gaps.first(self._database, team) is None:
            return
        with lease(self._database, f"catch_up:{team}") as held:
            while held and (gap := gaps.first(self._database, team)):
                self._close(gap, bot, held)

    def _close(self, gap: Gap, bot: str, held: Lease) -> None:
        parts: list[Gap] = []
        try:
            if gap.channel:
                self._hear_again(gap, bot, held)
            else:
                parts = list(self._parts(gap))
        except SlackRefused as error:
            if error.code in LATER:
                raise
            log.warning("catch_up.unread", channel=gap.channel, error=error.code)
        gaps.close(self._database, gap, parts)

    def _parts(self, gap: Gap) -> Iterator[Gap]:
        """A gap for each channel; direct messages are known to us even if Slack lists none."""
        direct = turn_rows.private_channels(self._database, gap.team)
        for place in self._history.places():
            direct.discard(place.channel)
            yield Gap(gap.team, place.channel, "", direct=place.direct, since=gap.since)
        for channel in sorted(direct):
            yield Gap(gap.team, channel, "", direct=True, since=gap.since)

    def _hear_again(self, gap: Gap, bot: str, held: Lease) -> None:
        began, heard = time.monotonic(), 0
        messages = {message["ts"]: message for message in self._missed(gap)}
        for _, message in sorted(messages.items()):
            said = read(_as_event(message, gap), gap.team, bot)
            if said is None or turn_rows.known(self._database, said.where):
                continue
            held.check()
            self._hear(said)
            heard += turn_rows.known(self._database, said.where)
            self._let_others_ask()
        metrics.CAUGHT_UP.inc(heard)
        seconds = round(time.monotonic() - began, 2)
        log.info("caught_up", channel=gap.channel, read=len(messages), asked=heard, seconds=seconds)

    def _missed(self, gap: Gap) -> Iterator[Payload]:
        """What people may have said in the gap."""
        if gap.thread_ts:
            yield from self._history.thread(gap.channel, gap.thread_ts, since=gap.since)
            return
        roots = set()
        threads_since = gap.since - THREADS_S
        top = self._history.channel(gap.channel, since=gap.since, threads_since=threads_since)
        for message in list(top):
            roots.add(message["ts"])
            if float(message["ts"]) > gap.since:
                yield message
            if float(message.get("latest_reply") or 0) > gap.since:
                yield from self._replies(gap, message["ts"])
        for root in self._older_threads(gap, threads_since):
            if root not in roots:
                yield from self._replies(gap, root)

    def _replies(self, gap: Gap, root: str) -> Iterator[Payload]:
        """Slack's pages contradict one another about whether a bot may read threads of channels."""
        try:
            yield from self._history.thread(gap.channel, root, since=gap.since)
        except SlackRefused as error:
            log.warning("catch_up.thread_unread", channel=gap.channel, error=error.code)

    def _older_threads(self, gap: Gap, before: float) -> list[str]:
        since = clock.now() - ALIVE_S
        asked = turn_rows.threads_asked_in(self._database, gap.team, gap.channel, since)
        return [root for root in asked if float(root) <= before][:MOST_THREADS]

    def _let_others_ask(self) -> None:
        """What people ask right now waits for no more than a few questions of before."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until and _waiting() > MOST_WAITING:
            if self._rest(0.5):
                return


def _as_event(message: Payload, gap: Gap) -> Payload:
    kind = {"channel_type": "im"} if gap.direct else {}
    return {**message, "channel": gap.channel, **kind}


def _waiting() -> int:
    try:
        return length(QUEUES[TaskName.ANSWER])
    except StoreUnavailable:
        return 0  # the sweeper enqueues what is asked meanwhile
