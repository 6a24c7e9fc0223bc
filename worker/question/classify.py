"""What a question asks for: each kind gets its own instructions, its own number of evidence and its own way of quoting.

By rules (worker.question.patterns), in English and German, and not by a model: a call would cost everybody a second, and its mistakes could
not be read. A question in another language, or in words that no rule knows, is a factoid: the kind whose answer is least special.
"""

from __future__ import annotations

import re

from core.question import Completed, QuestionKind
from worker.question.patterns import RULES, VERB, WERB

# Pieces of evidence by kind, counted for answers and not tuned: one thing stands in one place, and ten is what the paper gives.
PIECES = {
    QuestionKind.CONFIRMATION: 10,
    QuestionKind.FACTOID: 10,
    QuestionKind.LIST: 14,  # a list may be spread over rows and pages: what is not there cannot be named
    QuestionKind.COMPARISON: 14,  # both things need their evidence, and the better documented one takes the first places
    QuestionKind.PROCEDURE: 10,  # its steps stand together
    QuestionKind.CAUSE: 10,
    QuestionKind.HYPOTHETICAL: 12,  # the rule and its exception often stand apart
}

_DECIDES = tuple(
    (kind, re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for kind, pattern in RULES
)
# Also behind a comma, where the question itself begins: `For the new office, who has the key?`
_BEGINNING = re.compile(
    rf"(?<=[.!?:])\s+|(?<=,)\s+(?=({VERB}|{WERB}|who|when|where|what|which|how|why|w(er|ie|ann|o|elche\w?)) )",
    re.IGNORECASE,
)
# What stands before the question itself.
_OPENING = re.compile(
    r"^((and|or|but|so|also|then|ok|okay|hi|hello|hey|please|und|oder|aber|also|hallo|bitte|dann|noch)\b[,\s]*"
    r"|(can|could|would|will) you (please )?(tell|show|give|explain|list|name)( to)?( me| us)?\b[,\s]*"
    r"(?=who|what|when|where|which|how|why|an?\b|the\b|all|every)"
    r"|(kannst du|könn(t|en|test) (du|ihr|sie)|weißt du|weiß jemand|do you know|does anybody know)"
    r"( (mir|uns|bitte))*( sagen| erklären)?,?\s+(?=w))+",
    re.IGNORECASE | re.MULTILINE,
)


def route(completed: Completed) -> QuestionKind:
    """The kind of a question as asked; of a follow-up that says too little (`And in Porto?`), the kind of what it goes on from."""
    for text in (completed.question, *_fuller(completed)):
        if kind := _decided(text):
            return kind
    return QuestionKind.FACTOID


def pieces(kind: QuestionKind) -> int:
    """How many pieces of evidence an answer of this kind is made from."""
    return PIECES[kind]


def _fuller(completed: Completed) -> tuple[str, ...]:
    """What was added by rules, questions before titles (`How to …` is a title too); else the text as a model completed it."""
    if completed.context:
        return tuple(sorted(completed.context, key=lambda part: "?" not in part))
    return (completed.text,)


def _decided(text: str) -> QuestionKind | None:
    """
    >>> _decided("And how do I undo that?")
    <QuestionKind.PROCEDURE: 'procedure'>
    >>> _decided("And in Porto?")
    """
    asked = _OPENING.sub("", _BEGINNING.sub("\n", text.strip()))
    return next((kind for kind, pattern in _DECIDES if pattern.search(asked)), None)
