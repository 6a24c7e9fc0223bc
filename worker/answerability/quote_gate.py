"""The second look of the gate, at what is quoted: that costs no model and tells more.

Whether the evidence answers a question and whether a quote of it is right are two regressions that
err in different places; the mean of their log-odds refuses more of what no page answers, where as
many useful answers are lost, than either does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models import Answer, Hit, Note
from core.question import Completed
from worker.answerability.badge import Badge
from worker.answerability.fitted import Regression, fitted
from worker.answerability.gate import Judgement, least


class QuoteGate:
    """Judges whether what is quoted answers a question."""

    def __init__(self, badge: Badge, lost: float) -> None:
        self._badge = badge
        self._least = least(fitted("quoted"), lost)

    def passes(
        self, answer: Answer, completed: Completed, hits: Sequence[Hit], judged: Judgement
    ) -> bool:
        """`hits` as the gate has judged them; what is certain, or said to be unknown, passes."""
        is_certain = judged.is_composed or judged.is_placed
        if is_certain or Note.NOT_FOUND in answer.notes or not answer.sources:
            return True
        said = self._badge.signs(answer, completed, hits, judged)
        return likely(judged.signs, said, fitted("badge")) >= self._least


def likely(found: Mapping[str, float], said: Mapping[str, float], badge: Regression) -> float:
    """How likely a quote answers, 0 to 1, by the signs of the evidence and of the quote."""
    both = {"gate": fitted("gate").log_odds(found), "badge": badge.log_odds(said)}
    return fitted("quoted").probability(both)
