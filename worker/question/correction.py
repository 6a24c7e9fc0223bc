"""A message that says anew what the question before it had meant, or asks it with another word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core import grammar
from core.dialogue.folding import folded
from core.dialogue.signs import goes_on
from worker.question.asked_part import points_back
from worker.question.sibling import with_sibling

_WORDS = grammar.merged().question
_I_MEANT = re.compile(rf"^\W*{_WORDS.i_meant}\b[\s,:]*", re.IGNORECASE)
_NOT_BUT = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _WORDS.not_but)


class Meant(NamedTuple):
    """A question, and of how many of the earlier ones, from the first, it is the next."""

    question: str
    turns: int
    fragment: str = ""  # as asked, where the question has words of the one before it


def as_meant(question: str, earlier: Sequence[str]) -> Meant:
    """The question without what it takes back, in whole where the one before it says the rest.

    >>> as_meant("no, I meant Tuesday", ["Who is on call on Monday?"])
    Meant(question='Who is on call on Tuesday?', turns=0, fragment='no, I meant Tuesday')
    """
    if not earlier:
        return Meant(question, 0)
    said = _I_MEANT.sub("", question) or question
    whole = exchanged(said, earlier[-1]) or with_sibling(said, earlier[-1])
    if whole:
        return Meant(whole, len(earlier) - 1, question)
    takes_back = said != question and len(earlier) > 1 and _is_left(earlier[-1], said)
    return Meant(said, len(earlier) - takes_back)


def exchanged(said: str, before: str) -> str:
    """The question before with what was meant instead of what was not; empty for another message.

    >>> exchanged("not the tug, the crane", "Who repairs the tug?")
    'Who repairs the crane?'
    """
    plain = said.strip(" .!?")
    for said_so in filter(None, (pattern.search(plain) for pattern in _NOT_BUT)):
        wrong = rf"(?<!\w){re.escape(said_so['wrong'])}(?!\w)"
        places = list(re.finditer(wrong, before, re.IGNORECASE))
        if len(places) == 1:
            return before[: places[0].start()] + said_so["right"] + before[places[0].end() :]
    return ""


def _is_left(rejected: str, said: str) -> bool:
    """Whether the question that is taken back only went on with those before it, as this does."""
    goes = points_back(rejected) or goes_on(folded(rejected))
    return goes and not points_back(said)
