"""Question classification: each kind has its own instructions, number of pieces and way of quoting.

By rules (worker.question.patterns), in the languages of `languages/`, and not by a model: a call
would cost everybody a second, and its mistakes could not be read. A question in another language,
or in words that no rule knows, is a factoid: the kind whose answer is least special.
"""

from __future__ import annotations

from core.question import Completed, QuestionKind
from worker.question.patterns import BEGINNING, OPENING, RULES

# Pieces of evidence by kind, from what answers need and not tuned: ten is what the paper gives.
PIECES = {
    QuestionKind.CONFIRMATION: 10,
    QuestionKind.FACTOID: 10,
    QuestionKind.LIST: 14,  # a list may be spread over rows and pages
    QuestionKind.COMPARISON: 14,  # both things need evidence, and the better documented one leads
    QuestionKind.PROCEDURE: 10,  # its steps stand together
    QuestionKind.CAUSE: 10,
    QuestionKind.HYPOTHETICAL: 12,  # the rule and its exception often stand apart
}


def by_itself(completed: Completed) -> Completed:
    """The question without what its conversation or its message adds, of its own kind."""
    alone = completed.by_itself
    return alone.model_copy(update={"kind": classify(alone)})


def classify(completed: Completed) -> QuestionKind:
    """The kind of a question as asked, or of the question that a short follow-up continues."""
    for text in (completed.question, *_fuller(completed)):
        if kind := _kind_of(text):
            return kind
    return QuestionKind.FACTOID


def pieces(kind: QuestionKind) -> int:
    """How many pieces of evidence an answer of this kind is made from."""
    return PIECES[kind]


def _fuller(completed: Completed) -> tuple[str, ...]:
    """What query rewriting added, questions before titles: `How to …` is a title too."""
    if completed.context:
        return tuple(sorted(completed.context, key=lambda part: "?" not in part))
    return (completed.text,)


def _kind_of(text: str) -> QuestionKind | None:
    """
    >>> _kind_of("And how do I undo that?")
    <QuestionKind.PROCEDURE: 'procedure'>
    >>> _kind_of("And in Porto?")
    """
    sentences = BEGINNING.sub("\n", text.strip())
    asked = OPENING.sub("", sentences)
    for kind, pattern in RULES:
        if pattern.search(asked):
            return kind
    return None
