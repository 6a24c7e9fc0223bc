"""What a question asks for, and how it reads once it is complete."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from core.value import Value


class QuestionKind(StrEnum):
    """What a question asks for; each kind is answered in its own way."""

    CONFIRMATION = "confirmation"  # yes or no
    FACTOID = "factoid"  # a name, a number, a date, a sentence
    LIST = "list"
    COMPARISON = "comparison"
    PROCEDURE = "procedure"
    CAUSE = "cause"
    HYPOTHETICAL = "hypothetical"


class Field(StrEnum):
    """What a condition is about."""

    SPACE = "space"  # a space's key
    LABEL = "label"
    TITLE = "title"  # words of the page's title
    PERSON = "person"  # a display name: owner or last author
    AFTER = "after"  # changed on this day or later, ISO 8601
    BEFORE = "before"  # changed before this day


class Condition(Value):
    """A filter that a question asks for in plain language: only pages of which this is true."""

    field: Field
    value: str
    said: str = ""  # the words of the question it was found in


class Completed(Value):
    """A question made intent-explicit: it can be understood without its conversation."""

    question: str  # as asked
    text: str  # with what the conversation adds; equal to `question` for a first turn
    context: tuple[
        str, ...
    ] = ()  # what was added: titles and earlier questions, the most important first
    by: str = ""  # the model that completed it, empty when rules did
    kind: QuestionKind = QuestionKind.FACTOID
    conditions: tuple[Condition, ...] = ()
    forgotten: bool = (
        False  # what the conversation had added is erased: it cannot be asked again as it was
    )

    @property
    def searched(self) -> str:
        """The text without the words that became conditions: they say which pages are wanted, not what stands on them."""
        return without(self.text, self.conditions)


def without(text: str, conditions: Iterable[Condition]) -> str:
    """The text without the words of these conditions; the whole text when no word would be left.

    >>> without("Who is on call in OPS?", [Condition(field=Field.SPACE, value="OPS", said="in OPS")])
    'Who is on call?'
    """
    left = text
    for said in dict.fromkeys(condition.said for condition in conditions):
        left = re.sub(re.escape(said), " ", left, count=1, flags=re.IGNORECASE) if said else left
    left = re.sub(
        r"\s+(?=[?!.,;:)])|(?<=[,(])(?:\s*,)+|\(\s*\)|^[\s,;:.]+", "", " ".join(left.split())
    )
    left = re.sub(r"[\s,]+(?=[?!.]|$)", "", left)
    return left if re.search(r"\w", left) else text
