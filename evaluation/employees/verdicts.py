"""Whether an answer is useful, and what a set of answers comes to: shares with their intervals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from core.dialogue.decision import Outcome
from core.models import Confidence
from evaluation.answers.pose.reply import Reply
from evaluation.employees.questions import Wanted
from evaluation.harness.interval import Share
from evaluation.harness.overlap import plain

READ = 600  # characters of an answer within which people find what they asked for


@dataclass(frozen=True)
class Verdict:
    """A question with what came of it."""

    wanted: Wanted
    reply: Reply

    @property
    def is_answered(self) -> bool:
        """Something was said to the question itself."""
        return self.reply.act is Outcome.ANSWER and not self.reply.not_found

    @property
    def is_useful(self) -> bool:
        """Every fact stands at the beginning of the answer, and a right page is a source."""
        if not (self.is_answered and self.wanted.answerable):
            return False
        titles = {source.title for source in self.reply.sources}
        if titles.isdisjoint(self.wanted.pages):
            return False
        read = self.reply.text[:READ]
        return all(re.search(each, read, re.IGNORECASE) for each in self.wanted.patterns)

    @property
    def is_green(self) -> bool:
        return self.reply.badge == Confidence.HIGH

    @property
    def words(self) -> int:
        return len(plain(self.reply.text).split())

    @property
    def name(self) -> str:
        """What it is, in a list of what went wrong; empty for what went right."""
        if self.is_useful or not (self.wanted.answerable or self.is_answered):
            return ""
        if not self.is_answered:
            return "refused"
        if not self.wanted.answerable:
            return "answered, green" if self.is_green else "answered"
        return "wrong, green" if self.is_green else "wrong"


@dataclass(frozen=True)
class Figures:
    """Of some questions."""

    useful: Share  # of what can be answered
    wrong_green: Share  # of what is green
    green_useful: Share  # of what is useful
    answered: Share  # of what no page answers
    refused: Share  # of what can be answered
    words: float  # of an answer, the median
    words_p90: float

    @classmethod
    def of(cls, verdicts: Sequence[Verdict]) -> Figures:
        can = [each for each in verdicts if each.wanted.answerable]
        cannot = [each for each in verdicts if not each.wanted.answerable]
        green = [each for each in verdicts if each.is_answered and each.is_green]
        words = [each.words for each in verdicts if each.is_answered]
        return cls(
            useful=Share.of_all(each.is_useful for each in can),
            wrong_green=Share.of_all(not each.is_useful for each in green),
            green_useful=Share.of_all(each.is_green for each in can if each.is_useful),
            answered=Share.of_all(each.is_answered for each in cannot),
            refused=Share.of_all(not each.is_answered for each in can),
            words=median(words) if words else float("nan"),
            words_p90=quantiles(words, n=10)[-1] if len(words) > 1 else float("nan"),
        )
