"""Question classes and conditions, and the rewritten question that stands without its thread."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from core.pages import PageKey
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
    # What was added: titles and earlier questions, the most important first; of a first question,
    # what its message tells beside it, and then the text is the question alone.
    context: tuple[str, ...] = ()
    pages: tuple[PageKey, ...] = ()  # that the text, or what was added, gives away
    # Those of them that the question itself gives away: it was a suggestion of ours.
    origin: tuple[PageKey, ...] = ()
    by: str = ""  # the model that completed it, empty when rules did
    kind: QuestionKind = QuestionKind.FACTOID
    conditions: tuple[Condition, ...] = ()
    # In which it is answered, as an IETF code such as `de`; empty, as of old questions: English.
    language: str = ""
    # The day on which it was asked, as ISO 8601; empty, as of old questions: not known.
    asked_on: str = ""
    # Its sentences that ask, of a short message that was asked as a whole and tells more.
    alone: str = ""
    # What the conversation had added is erased: it cannot be asked again as it was.
    forgotten: bool = False
    # In which words it was searched once more, since the first search had found no answer.
    searches: tuple[str, ...] = ()
    # As asked, where `question` is the one before it with another word: "and on Monday?"
    fragment: str = ""

    @property
    def as_asked(self) -> str:
        return self.fragment or self.question

    @property
    def is_changed(self) -> bool:
        """Whether it may hold words of its conversation."""
        return self.text != self.as_asked

    @property
    def searched(self) -> str:
        """The text without the words of conditions: those say which pages, not what is on them."""
        if not self.context:
            return without(self.text, self.conditions)
        # Conditions are those of the question, and its conversation may have the same words.
        before, asked, after = self.text.rpartition(self.question)
        return before + without(asked, self.conditions) + after

    @property
    def is_told_more(self) -> bool:
        """Whether what was added stands in the same message."""
        return bool(self.context) and self.text == self.question

    @property
    def message(self) -> str:
        """The question with what its message tells beside it."""
        return " ".join((*self.context, self.question)) if self.is_told_more else self.question

    @property
    def as_told(self) -> str:
        """The text, with what its message tells: asked again it is understood as before."""
        return self.message if self.is_told_more else self.text

    @property
    def by_itself(self) -> Completed:
        """The question as asked, without what its conversation adds."""
        alone = {"text": self.question, "context": (), "pages": self.origin, "alone": ""}
        return self.model_copy(update=alone)


def embedded(question: str, context: Sequence[str]) -> str:
    """What is compared in meaning: the question first, since the first words count most.

    >>> embedded("And in Porto?", ["Leave"])
    'And in Porto? (Leave)'
    """
    return f"{question} ({'; '.join(context)})" if context else question


# Blanks before punctuation, doubled commas, empty parentheses, and signs at the start.
_STRAY_SIGNS = re.compile(r"\s+(?=[?!.,;:)])|(?<=[,(])(?:\s*,)+|\(\s*\)|^[\s,;:.]+")
_END = re.compile(r"[\s,]+(?=[?!.]|$)")


def without(text: str, conditions: Iterable[Condition]) -> str:
    """The text without the words of these conditions; the whole text when no word would be left.

    >>> in_ops = Condition(field=Field.SPACE, value="OPS", said="in OPS")
    >>> without("Who is on call in OPS?", [in_ops])
    'Who is on call?'
    """
    left = text
    for said in dict.fromkeys(condition.said for condition in conditions):
        if said:
            left = re.sub(re.escape(said), " ", left, count=1, flags=re.IGNORECASE)
    left = _STRAY_SIGNS.sub("", " ".join(left.split()))
    left = _END.sub("", left)
    return left if re.search(r"\w", left) else text
