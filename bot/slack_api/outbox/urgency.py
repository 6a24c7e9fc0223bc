"""How urgent a call to Slack is: how much of a budget it may use up, how long it may wait.

Finals are answers and reasons; people wait for them. Whatever else there is leaves them room.
"""

from __future__ import annotations

from enum import StrEnum


class Urgency(StrEnum):
    """The most urgent comes first."""

    FINAL = "final"  # an answer, or why there is none
    FIRST = "first"  # the first sign that somebody has heard
    EXPLANATION = "explanation"
    PROGRESS = "progress"  # how far an answer is
    COURTESY = "courtesy"  # a further status, a session, suggested prompts


# Of a budget, what calls up to this urgency may use up.
SHARE = {
    Urgency.FINAL: 1.0,
    Urgency.FIRST: 0.9,
    Urgency.EXPLANATION: 0.8,
    Urgency.PROGRESS: 0.6,
    Urgency.COURTESY: 0.4,
}
# Seconds. What may not wait is dropped: a later call shows more anyway.
PATIENCE_S = {
    Urgency.FINAL: 30.0,
    Urgency.FIRST: 1.0,
    Urgency.EXPLANATION: 30.0,
    Urgency.PROGRESS: 0.0,
    Urgency.COURTESY: 0.0,
}
# A delivery of these comes back later; any other call is dropped for good.
KEPT = (Urgency.FINAL, Urgency.EXPLANATION)
