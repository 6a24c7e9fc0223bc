"""Abstention: whether a model says that the evidence does not answer.

It is asked for one English sentence whatever the language, since a program looks for it and shows
the one of the catalogue instead. Models decorate it, say it twice, go on after it, or translate it,
and some say in their own words that nothing is found. Behind an answer with a citation the same
sentence speaks of the rest of the question, and the answer counts; people read it in the language
of the answer there too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core import grammar
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.language.sentences import sentences
from core.models import Hit
from worker.text.citations import cite

NOT_FOUND = "The pages I can read do not answer this."

_DECORATION = re.compile(r"[*_`~>#\"“”„‟«»‹›‘’‚']+")
_SENTENCE = re.compile(
    rf"{grammar.merged().replies.not_answered}(?=\s*(?:[.!;:\n\[(]|$))",
    re.IGNORECASE,
)
_FINDS_NOTHING = re.compile(rf"{grammar.merged().replies.finds_nothing}", re.IGNORECASE)
_CANNOT_ANSWER = re.compile(rf"{grammar.merged().replies.cannot_answer}", re.IGNORECASE)
_QUESTION_OPEN = re.compile(rf"{grammar.merged().replies.question_open}", re.IGNORECASE)
_EVIDENCE_LACKS = re.compile(rf"{grammar.merged().replies.evidence_lacks}", re.IGNORECASE)
_ANSWERS_ELSE = re.compile(rf";|\b{grammar.merged().replies.answers_else}\b", re.IGNORECASE)
LEAST_WORDS = 3  # of a sentence that says it: "No." and "I am sorry." stand before others


def is_unanswered(reply: str, hits: Sequence[Hit]) -> bool:
    """Whether the sentence stands there without an answer before it, or in words of its own.

    >>> is_unanswered('**"The pages I can read do not answer this."** Sorry!', [])
    True
    """
    undecorated = _DECORATION.sub("", reply)
    lines = [" ".join(line.split()) for line in undecorated.splitlines()]
    bare = "\n".join(lines)
    found = _SENTENCE.search(bare)
    if found is None:
        return _finds_nothing(bare, hits)
    _, sources_before = cite(bare[: found.start()], hits)
    return not sources_before


def _finds_nothing(bare: str, hits: Sequence[Hit]) -> bool:
    """Whether a reply finds nothing in words of its own.

    What cites a page tells something of it, in whatever words: no parking is an answer, too. Only
    what is said of the evidence as such, at the beginning, is none, whichever of it is cited.
    """
    _, sources = cite(bare, hits)
    said = [each for each in SENTENCE_END.split(bare) if len(each.split()) >= LEAST_WORDS]
    first, behind = "".join(said[:1]), " ".join(said[1:])
    if found := _EVIDENCE_LACKS.search(first):
        return _ANSWERS_ELSE.search(f"{first[found.end() :]} {behind}") is None
    if said and _QUESTION_OPEN.search(said[-1]):
        return True
    if sources:
        return False
    beginning = " ".join(said[:2])
    found = _FINDS_NOTHING.search(beginning) or _CANNOT_ANSWER.search(bare)
    return found is not None and _ANSWERS_ELSE.search(found.string[found.end() :]) is None


def not_found(language: str) -> str:
    """The abstention as people read it, in the language of their answer."""
    return sentences(language)("not-found")


def translated(reply: str, language: str) -> str:
    """The reply with the English sentence as people read it.

    >>> translated("Acht Tage [1]. The pages I can read do not answer this.", "de")
    'Acht Tage [1]. Keine Seite, die ich lesen kann, beantwortet das.'
    """
    return reply.replace(NOT_FOUND, not_found(language))


class TranslatedStream:
    """Hands a growing reply on, a sentence that it begins with once something follows it.

    Alone it is not handed on: another search may find what answers.
    """

    def __init__(self, language: str, on_text: Callable[[str], None]) -> None:
        self._language = language
        self._on_text = on_text
        self._held = ""
        self._has_begun = False

    def __call__(self, piece: str) -> None:
        if self._has_begun:
            self._on_text(piece)
            return
        self._held += piece
        begun = self._held.strip()
        if not NOT_FOUND.startswith(begun):
            self._has_begun = True
            self._on_text(translated(self._held, self._language))
