"""Two questions in one message: "How much leave do I get, and who approves it?"."""

from __future__ import annotations

import re

from core import grammar
from core.evidence.lexical.analyzer import content_words

_ASKING = grammar.merged().question
# A question word may have a small word before it: "and by when?".
_SECOND = re.compile(
    rf"[\s?!.,;]+(?:{_ASKING.and_asks})\s+(?P<second>(?:\w{{2,4}}\s+)?{_ASKING.words}\b.+)$",
    re.IGNORECASE | re.DOTALL,
)


def second_part(question: str) -> str:
    """The second of two questions; empty where there is one.

    >>> second_part("How much leave do I get, and who approves it?")
    'who approves it?'
    >>> second_part("Who wrote it and when?")
    ''
    """
    found = _SECOND.search(question.strip())
    if found is None:
        return ""
    first = set(content_words(question[: found.start()]))
    new = set(content_words(found["second"])) - first
    return found["second"] if first and new else ""
