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
_OF_EVIDENCE = re.compile(rf"^\W*{grammar.merged().replies.of_evidence}", re.IGNORECASE)
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
    before, behind = bare[: found.start()], bare[found.end() :]
    if before.strip() and _cites(behind, hits) and not _is_of_evidence(behind, hits):
        return False  # of one thing: "For Lisbon, …" before what is found of another
    return not _cites(before, hits)


def _finds_nothing(bare: str, hits: Sequence[Hit]) -> bool:
    """Whether a reply finds nothing in words of its own.

    What cites a page tells something of it, in whatever words: no parking is an answer, too. Only
    what is said of the evidence as such is none, where all that is cited is said of it as well.
    """
    said = [each for each in _sentences(bare) if len(each.split()) >= LEAST_WORDS]
    if not said:
        return False
    if _cites(bare, hits):
        is_open = _QUESTION_OPEN.search(said[-1]) or _lacks(said[0], " ".join(said[1:]), hits)
        return bool(is_open) and _is_of_evidence(bare, hits)
    if _QUESTION_OPEN.search(said[-1]) or _lacks(said[0], " ".join(said[1:]), hits):
        return True
    found = _FINDS_NOTHING.search(" ".join(said[:2])) or _CANNOT_ANSWER.search(bare)
    return found is not None and _ANSWERS_ELSE.search(found.string[found.end() :]) is None


def _lacks(first: str, behind: str, hits: Sequence[Hit]) -> bool:
    found = _EVIDENCE_LACKS.search(first)
    if found is None or _ANSWERS_ELSE.search(f"{first[found.end() :]} {behind}"):
        return False
    return not _cites(_before_citations(first[: found.start()]), hits)


def _before_citations(text: str) -> str:
    """Without those that name the evidence itself: "Evidence [1] does not …"."""
    return re.sub(r"\bevidence (?:\[\d+\])+\s*$", "", text, flags=re.IGNORECASE)


def _is_of_evidence(bare: str, hits: Sequence[Hit]) -> bool:
    """Whether each sentence that cites tells what the evidence has: "It only has the hours [1]"."""
    return all(_OF_EVIDENCE.search(each) for each in _sentences(bare) if _cites(each, hits))


def _sentences(bare: str) -> list[str]:
    """Citations behind a full stop belong to what stands before it."""
    tied = re.sub(r"([.!?])((?:\[\d+\])+)", r" \2\1", bare)
    return SENTENCE_END.split(tied)


def _cites(text: str, hits: Sequence[Hit]) -> bool:
    return bool(cite(text, hits)[1])


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
