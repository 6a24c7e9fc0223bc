"""The limits that Slack publishes, as data: how often an app may call a method in a workspace.

docs.slack.dev/apis/web-api/rate-limits: tier 2 is 20 a minute, tier 3 is 50, tier 4 is 100. Which
tier a method has stands under "Facts" of docs.slack.dev/reference/methods/<method>, and in
metadata/web-api/rate_limit_tiers.json of github.com/slackapi/java-slack-sdk.
"""

from __future__ import annotations

from dataclasses import dataclass

_TIER_2, _TIER_3, _TIER_4 = 20, 50, 100
MINUTE_S = 60.0
# "1 message per second to a specific channel", and "several hundred messages per minute" in all:
# docs.slack.dev/reference/methods/chat.postMessage#rate_limiting
_HUNDREDS = 300
# Of the methods that count in each channel, too: calls in seconds. The status has a "similar tier
# with chat.postMessage", 60 a minute: MethodsRateLimitTier.java of the same repository.
_IN_A_CHANNEL = {
    "chat.postMessage": (1, 1.0),
    "assistant.threads.setStatus": (60, MINUTE_S),
}
# Methods without a tier of their own have this one.
_OTHERS = _TIER_3
_PER_MINUTE = {
    "chat.postMessage": _HUNDREDS,
    "chat.update": _TIER_3,
    "chat.delete": _TIER_3,
    "chat.postEphemeral": _TIER_4,
    "chat.startStream": _TIER_2,
    "chat.appendStream": _TIER_4,
    "chat.stopStream": _TIER_2,
    "views.update": _TIER_4,
    "views.publish": _TIER_4,
    "assistant.threads.setStatus": _HUNDREDS,
    "assistant.threads.setSuggestedPrompts": _TIER_3,
    "agents.sessions.setStatus": _TIER_3,  # github.com/slackapi/java-slack-sdk/pull/1633
    "files.upload.v2": _TIER_4,  # of files.getUploadURLExternal and files.completeUploadExternal
    "files.delete": _TIER_3,
    "reactions.add": _TIER_3,
}
# A trigger lives for 3 seconds: it is tried at once or never.
_AT_ONCE = ("views.open",)


@dataclass(frozen=True)
class CallLimit:
    """So many calls in so many seconds; calls that share a `key` are counted together."""

    key: str
    calls: int
    seconds: float


def limits(method: str, channel: str = "") -> tuple[CallLimit, ...]:
    """The limits that a call counts against; none for what cannot wait.

    >>> [each.key for each in limits("chat.postMessage", "C1")]
    ['chat.postMessage', 'chat.postMessage:C1']
    """
    if method in _AT_ONCE:
        return ()
    found = [CallLimit(method, _PER_MINUTE.get(method, _OTHERS), MINUTE_S)]
    if method in _IN_A_CHANNEL:
        found.append(CallLimit(f"{method}:{channel}", *_IN_A_CHANNEL[method]))
    return tuple(found)
