"""How often each method may be called: Slack's published tiers, as data.

The tier of each method is that of its page, docs.slack.dev/reference/methods/<its name>, which
Slack also keeps as a file: github.com/slackapi/java-slack-sdk,
metadata/web-api/rate_limit_tiers.json; agents.sessions.setStatus: pull request 1633 there.
Limits count "per API method per workspace/team per app", in windows of a minute
(docs.slack.dev/apis/web-api/rate-limits): each workspace has a meter of its own.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

WINDOW_S = 60.0


@dataclass(frozen=True)
class Limit:
    """At most `calls` in any `seconds`, counted for each value of the argument `per`."""

    calls: int
    seconds: float = WINDOW_S
    per: str = ""


TIER_1, TIER_2, TIER_3, TIER_4 = ((Limit(n),) for n in (1, 20, 50, 100))
HUNDREDS = (Limit(600),)  # "hundreds of requests per minute": 600 in MethodsRateLimitTier.java
# docs.slack.dev/reference/methods/chat.postMessage#rate_limiting: "1 message per second to a
# specific channel", "several hundred messages per minute" in the workspace, "short bursts >1
# allowed", of which no size is told: 5 within a second here, 60 in a minute.
POSTING = (Limit(5, 1.0, "channel"), Limit(60, WINDOW_S, "channel"), Limit(300))
# "similar tier with chat.postMessage", 60 "per DM": MethodsRateLimitTier.java
STATUS = (Limit(5, 1.0, "channel_id"), Limit(60, WINDOW_S, "channel_id"), Limit(300))

Limits = Mapping[str, tuple[Limit, ...]]

PUBLISHED: Limits = {
    "chat.postMessage": POSTING,
    "chat.postEphemeral": TIER_4,
    "chat.update": TIER_3,
    "chat.delete": TIER_3,
    "chat.getPermalink": HUNDREDS,
    "chat.startStream": TIER_2,
    "chat.appendStream": TIER_4,
    "chat.stopStream": TIER_2,
    "auth.test": HUNDREDS,
    "auth.revoke": TIER_3,
    "oauth.v2.access": HUNDREDS,  # "600 per minute"
    "openid.connect.token": TIER_4,
    "apps.uninstall": TIER_1,
    "conversations.history": TIER_3,
    "conversations.replies": TIER_3,
    "conversations.list": TIER_2,
    "users.conversations": TIER_2,
    "conversations.open": TIER_3,
    "conversations.info": TIER_3,
    "conversations.members": TIER_4,
    "users.info": TIER_4,
    "users.lookupByEmail": TIER_3,
    "reactions.add": TIER_3,
    "reactions.remove": TIER_2,
    "files.getUploadURLExternal": TIER_4,
    "files.completeUploadExternal": TIER_4,
    "files.delete": TIER_3,
    "views.open": TIER_4,
    "views.update": TIER_4,
    "views.publish": TIER_4,
    "assistant.threads.setStatus": STATUS,
    "assistant.threads.setSuggestedPrompts": TIER_3,
    "agents.sessions.setStatus": TIER_3,
    # Tier 1 too, but several connections are allowed, and each needs one call:
    # docs.slack.dev/apis/events-api/using-socket-mode, "up to 10"
    "apps.connections.open": (Limit(10),),
}
UNLIMITED: Limits = {}


class Meter:
    """What was called lately; a call that is refused does not count."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._called: dict[tuple[str, Limit, str], deque[float]] = {}

    def take(self, method: str, arguments: Mapping[str, object], now: float) -> int:
        """Count a call; else the seconds of Retry-After, whole ones, at least 1.

        0 means that the call may be made. `now` is in seconds of any clock that never goes back.
        """
        limits = self._limits.get(method, ())
        windows = [self._window(method, limit, arguments) for limit in limits]
        wait = max(_waits(zip(limits, windows, strict=True), now), default=0.0)
        if wait > 0:
            return math.ceil(wait)
        for window in windows:
            window.append(now)
        return 0

    def _window(self, method: str, limit: Limit, arguments: Mapping[str, object]) -> deque[float]:
        key = (method, limit, str(arguments.get(limit.per, "")))
        return self._called.setdefault(key, deque())


def _waits(limited: Iterable[tuple[Limit, deque[float]]], now: float) -> Iterable[float]:
    for limit, window in limited:
        while window and window[0] <= now - limit.seconds:
            window.popleft()
        if len(window) >= limit.calls:
            yield window[0] + limit.seconds - now
