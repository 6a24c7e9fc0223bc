"""Small words of a question: those that say nothing more, and those that turn its sense.

A search leaves out all of them. What is to be certain cannot: `whose deputy`, `how far`, `by whom`
and `was` ask for something else than the words beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core import grammar
from core.evidence.lexical.analyzer import STOP, terms_of, written

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.composing
_NEUTRAL = frozenset(_WORDS.neutral)
_PREPOSITIONS = frozenset(_GRAMMAR.headings.prepositions)
PASSED_OVER = re.compile(rf"\b{_WORDS.passed_over}(?!\w)", re.IGNORECASE)
# They want a cell of a kind, which worker.typed.wanted looks at.
_WANTING = tuple(
    re.compile(rf"\b{words}(?!\w)", re.IGNORECASE)
    for words in (_WORDS.words.when, _WORDS.words.where, _WORDS.words.price, _WORDS.words.how_long)
)


def turning(text: str) -> frozenset[str]:
    """The terms of those that turn its sense; a preposition at its end asks the other way round.

    >>> sorted(turning("how far is the canteen from here"))
    ['from', 'how']
    >>> turning("what is the code of the canteen")
    frozenset()
    >>> sorted(turning("who is Petra Moos deputy of"))
    ['of …']
    """
    return frozenset(_turning(text))


def _turning(text: str) -> Iterator[str]:
    left = text.strip()
    for pattern in (PASSED_OVER, *_WANTING):
        left = pattern.sub(" ", left)
    words = [word.lower() for word in written(left)]
    if words and words[-1] in _PREPOSITIONS:
        yield f"{words[-1]} …"  # no table has that
    yield from (terms_of(word)[0] for word in words if word in STOP and word not in _NEUTRAL)
