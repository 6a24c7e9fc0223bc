"""The last calls against one limit, and when the next one is due; a value without a clock.

Slack does not say how it counts a minute. With a limit of N, a call and the Nth before it are
therefore a whole minute apart: that holds whether the window slides, is fixed or is a bucket.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

from bot.slack_api.outbox.tiers import CallLimit

JITTER_S = 0.2  # calls do not arrive as evenly as they leave
# After a 429, Slack is believed to allow this much less, for so long; it forgets by itself.
SLOWER, SLOWEST, SLOWER_FOR_S = 1.5, 8.0, 300.0


@dataclass(frozen=True)
class Window:
    """`slots`: when the last calls are made, in seconds; some may still wait for their time."""

    slots: tuple[float, ...] = ()
    not_before: float = 0.0  # what the last Retry-After said
    factor: float = 1.0  # by how much the limit is slower than published
    slower_until: float = 0.0

    def free_at(self, limit: CallLimit, now: float, share: float) -> float:
        """When a call may be made by one who may use up this share of the limit."""
        calls = max(1, int(limit.calls * share))
        at = max(now, self.not_before)
        if len(self.slots) >= calls:
            at = max(at, self.slots[-calls] + self._seconds(limit, now))
        return at

    def with_call(self, limit: CallLimit, at: float) -> Window:
        slots = sorted((*self.slots, at))
        return replace(self, slots=tuple(slots[-limit.calls :]))

    def refused(self, now: float, retry_after_s: float) -> Window:
        """Slack has answered 429: nobody calls before that, and all call less often for a while."""
        factor = self.factor if now < self.slower_until else 1.0
        return replace(
            self,
            not_before=max(self.not_before, now + retry_after_s),
            factor=min(SLOWEST, factor * SLOWER),
            slower_until=now + SLOWER_FOR_S,
        )

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    def _seconds(self, limit: CallLimit, now: float) -> float:
        slower = self.factor if now < self.slower_until else 1.0
        return limit.seconds * slower + JITTER_S


def read(stored: str | None) -> Window:
    """What `as_json` has written; an empty window of nothing."""
    if not stored:
        return Window()
    values = json.loads(stored)
    return Window(**(values | {"slots": tuple(values["slots"])}))
