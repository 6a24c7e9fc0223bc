"""Filters in what a message tells beside its question: "Please look only in HR."

A story names spaces, people and dates as a question does, and means no filter by them: "I have read
all pages in HR". So a sentence counts that says to look there, or says nothing else.
"""

from __future__ import annotations

import re
from datetime import date

from core import grammar
from core.dialogue.reading import content_words
from core.question import Condition, without
from worker.filters.rules import by_rules
from worker.filters.vocabulary import Vocabulary

_END = re.compile(r"(?<=[.!?…:])\s+")
FEW = 6  # words beside the filter: more of them tell something
_DIRECTS = re.compile(rf"\b{grammar.merged().filters.directs}\b", re.I)


def by_told(told: str, known: Vocabulary, today: date) -> tuple[Condition, ...]:
    """The conditions of the sentences that are filters.

    >>> known = Vocabulary({"HR": "Human resources"})
    >>> by_told("I have read all pages in HR.", known, date(2026, 3, 18))
    ()
    >>> by_told("I am new. Please look only in HR.", known, date(2026, 3, 18))[0].value
    'HR'
    """
    sentences = _END.split(told)
    filters = [each for each in sentences if _is_filter(each, by_rules(each, known, today))]
    return by_rules(" ".join(filters), known, today)


def _is_filter(sentence: str, conditions: tuple[Condition, ...]) -> bool:
    if not conditions:
        return False
    left = without(sentence, conditions)
    if left == sentence or not content_words(left):
        return True
    return _DIRECTS.search(left) is not None and len(left.split()) <= FEW
