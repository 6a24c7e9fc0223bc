"""Tells whether a completed question is one, and still the question that was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import grammar
from core.evidence.lexical.analyzer import plain_words
from worker.support.words import is_covered
from worker.text.citations import cite

LONGEST = 300  # characters beyond those of the question
LEAST_KEPT = 0.3  # of the question's long words; others may be mistyped
LONG = 5  # letters: pronouns are shorter, and have to go
_QUESTION = grammar.merged().question
_BEGINS = re.compile(
    rf"^\W*(?:{_QUESTION.words}|{_QUESTION.verbs}|{_QUESTION.kinds.list})\b", re.IGNORECASE
)


def is_the_question(text: str, question: str, answers: Sequence[str]) -> bool:
    """Whether `text` may be searched in place of `question`, asked after these answers.

    >>> is_the_question("How much leave is there in Spain?", "And in Spain?", [])
    True
    >>> is_the_question("There are 25 days of leave in Spain.", "And in Spain?", [])
    False
    """
    if not text or len(text) > len(question) + LONGEST:
        return False
    if not (text.endswith("?") or _BEGINS.match(text)):
        return False
    asked = [word for word in plain_words(question) if len(word) >= LONG]
    said = plain_words(text)
    kept = sum(is_covered(word, said) for word in asked)
    return kept >= LEAST_KEPT * len(asked) and not any(_repeats(text, answer) for answer in answers)


def _repeats(text: str, answer: str) -> bool:
    plain, _ = cite(answer, [])
    return bool(plain.strip()) and text.rstrip("?. ").lower() in plain.lower()
