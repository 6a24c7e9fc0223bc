"""The question in a long message, apart from what it tells: people greet, explain, ask and thank.

A search for all of its words finds what it tells of, and a page that answers the question covers
few of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from core import grammar
from core.dialogue.folding import folded, without_marks
from core.dialogue.reading import content_words, read
from core.dialogue.signs import POINTS_BACK, YOU

LONG = 25  # words; a shorter message is taken as it stands
# A question that says no more, "can you help me?", stands for what somebody asks beside it.
FEW_WORDS, FEW_TELLING = 5, 1
TAG = 2  # words, "Right?", that stand for it, too
_CLOSES = r"[*_~)\"”“»'`]*"
_END = re.compile(rf"[.!?…？]{_CLOSES}(?:[^\S\n]+|\n)|\n+")
BROKEN_LINE = 50  # characters: the program that a shorter one was copied from broke it nowhere
_ITEM = re.compile(r"(?:[-*•◦‣–]|\d{1,2}[.)])\s")
_MARKED = re.compile(rf"[?？][!.…?？]*{_CLOSES}\s*$")
# Code, and what others have written.
_QUOTED = re.compile(r"```.*?(?:```|\Z)|^(?:>|&gt;)[^\n]*", re.DOTALL | re.MULTILINE)
# "15. May", "z. B. ", "Dr. Weber", "hotels, flights etc. in Porto"
_SHORTENED = re.compile(
    rf"(?:\b\d{{1,2}}|\b\w|\b{grammar.merged().question.abbreviations})\.$", re.IGNORECASE
)
_STANDS_FOR = re.compile(rf"\b{grammar.merged().question.stands_for}\W*$", re.IGNORECASE)
_STANDS_FOR_PLACES = re.compile(
    rf"\b{grammar.merged().question.stands_for_places}\b", re.IGNORECASE
)
_ONLY_A_CASE = re.compile(
    rf"^\W*{grammar.merged().question.only_a_case}\b(?!.*\b{grammar.merged().question.words}\b)[^,;:]*$",
    re.IGNORECASE | re.DOTALL,
)
# "Fine?", "who is right?": what is judged stands in the sentence beside it.
_JUDGING = frozenset(map(folded, grammar.merged().question.judging))
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")  # IT is a department, and no pronoun


class AskedPart(NamedTuple):
    """The sentences that ask, and the others, each in their order, without what is only polite."""

    asked: str
    told: str = ""
    alone: str = ""  # the sentences that ask, of a short message: it is asked as it stands


def asked_part(message: str) -> AskedPart:
    """The whole message where it is short, or nothing in it says what is asked; without its lines.

    >>> asked_part("May I take my dog to the office in Porto?").told
    ''
    """
    whole = AskedPart(" ".join(message.split()))
    said = list(_sentences(message))
    kept = _asking(said) if len(said) > 1 else set()
    if not kept or len(kept) == len(said):
        return whole
    told = {place for place, each in enumerate(said) if place not in kept and _tells(each)}
    if len(message.split()) <= LONG:
        return whole._replace(alone=_joined(said, kept) if told else "")
    return AskedPart(_joined(said, kept), _joined(said, told))


def points_back(question: str) -> bool:
    """Whether it may lean on what was told before it: "can I claim that?", "do I get a new one?".

    In doubt it does: German articles are pronouns, too.
    """
    plain = _CAPITALS.sub(" ", question)
    is_pronoun = POINTS_BACK.search(folded(plain)) or _STANDS_FOR_PLACES.search(plain)
    return is_pronoun is not None or surely_leans(question)


def surely_leans(question: str) -> bool:
    """Whether it surely leans on what was told before it: "opening hours there?".

    >>> surely_leans("And if I am ill?"), surely_leans("And if I am ill, who do I call?")
    (True, False)
    """
    ends_in_a_pronoun = _STANDS_FOR.search(question) is not None
    return ends_in_a_pronoun or _ONLY_A_CASE.search(question) is not None


class _Phrase(NamedTuple):
    text: str
    plain: str  # without emoji, links, and what is quoted

    @property
    def is_marked(self) -> bool:
        return _MARKED.search(self.plain) is not None


def _sentences(message: str) -> Iterator[_Phrase]:
    """In a chat they end before a small letter, too."""
    plain = _QUOTED.sub(_blank, without_marks(message))
    ends = (found.end() for found in _END.finditer(plain) if not _goes_on(plain, found))
    for start, end in pairwise((0, *ends, len(message))):
        if text := message[start:end].strip():
            yield _Phrase(text, plain[start:end].rstrip())


def _blank(quoted: re.Match[str]) -> str:
    """Lines of their own, and every word elsewhere stays in its place."""
    return "\n" + " " * (len(quoted[0]) - 2) + "\n" if len(quoted[0]) > 1 else "\n"


def _goes_on(plain: str, end: re.Match[str]) -> bool:
    """Whether the sentence does: behind an abbreviation, with a list, in a line that was broken."""
    if not end[0].startswith("\n"):
        return _SHORTENED.search(plain, max(end.start() - 20, 0), end.start() + 1) is not None
    line = plain[: end.start()].rpartition("\n")[2]
    after = plain[end.end() :].partition("\n")[0]
    if _ITEM.match(after):
        return "?" not in after and (line.endswith(":") or _ITEM.match(line) is not None)
    is_broken = len(line) >= BROKEN_LINE and (line[-1].isalnum() or line[-1] == ",")
    return is_broken and after[:1].islower() and not read(after.replace("?", "")).asks


def _asking(said: Sequence[_Phrase]) -> set[int]:
    """Those with a question mark; where they say little, the last, too, whose words ask.

    A question that says nothing by itself takes the sentence beside it.
    """
    kept = {place for place, each in enumerate(said) if each.is_marked}
    if _says_little(said, kept):
        others = [place for place, each in enumerate(said) if read(each.plain).asks]
        kept |= set([place for place in others if place not in kept][-1:])
    if kept and len(kept) < len(said) and _JUDGING.issuperset(content_words(_plain(said, kept))):
        kept.add(_nearest(kept, len(said)))
    return kept


def _says_little(said: Sequence[_Phrase], kept: set[int]) -> bool:
    plain = _plain(said, kept)
    telling = content_words(plain)
    if not telling or len(plain.split()) <= TAG:
        return True
    is_to_us = YOU.search(folded(plain)) is not None
    return is_to_us and len(plain.split()) <= FEW_WORDS and len(telling) <= FEW_TELLING


def _nearest(kept: set[int], number: int) -> int:
    """The sentence before the first that is kept: people explain first. Else the one after."""
    before = min(kept) - 1
    return before if before >= 0 else min(set(range(number)) - kept)


def _tells(sentence: _Phrase) -> bool:
    return bool(read(sentence.text).rest)


def _joined(said: Sequence[_Phrase], kept: set[int]) -> str:
    return " ".join(" ".join(said[place].text.split()) for place in sorted(kept))


def _plain(said: Sequence[_Phrase], kept: set[int]) -> str:
    return " ".join(said[place].plain for place in sorted(kept))
