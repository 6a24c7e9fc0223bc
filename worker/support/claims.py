"""Claims of an answer: its sentences, without what claims nothing, each with what it cites.

Code is left out: what stands in a block of code is compared as a whole by whoever copies it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core import grammar
from core.evidence.lexical.sentence_ends import SENTENCE_END

_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_CITATIONS = re.compile(r"\s*(?:\[\d+\])+")
_NUMBER = re.compile(r"\[(\d{1,4})\]")
_MARK = re.compile(r"^\s*(?:[-*•>]\s+|\d{1,2}[.)]\s+|#{1,6}\s+)+")
_ANNOUNCES = re.compile(r"([^\n]*:)[*_]*(?=\n|\Z)")  # a list: where it begins, no sentence ends
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_FRAMING = re.compile(rf"^\W*{grammar.merged().support.framing}\s*[,:!.–-]\s+(?=\S)", re.IGNORECASE)
_RESUMES = re.compile(rf"^\W*{grammar.merged().support.resuming}\b", re.IGNORECASE)
_CLAIMS_NOTHING = re.compile(rf"^\W*{grammar.merged().support.claims_nothing}", re.IGNORECASE)
LEAST_WORDS = 2
LONGEST_BEFORE = 120  # characters: the end of what a claim goes on from


@dataclass(frozen=True)
class Claim:
    """A sentence that says something; `text` as it stands in the answer, without its citations."""

    text: str
    cited: frozenset[int]  # numbers of the pieces; empty: none
    before: str = ""  # what it goes on from: the line that announces its list, or a sentence

    @property
    def plain(self) -> str:
        """As it is compared: without marks, and without what leads to it, as "In short:"."""
        return _FRAMING.sub("", _EMPHASIS.sub("", _MARK.sub("", self.text)))

    @property
    def read(self) -> str:
        """As it is read: behind what it goes on from."""
        return f"{self.before[-LONGEST_BEFORE:]} {self.plain}".strip()


def claims(answer: str) -> list[Claim]:
    r"""A citation counts for the sentences of its paragraph before it, back to the last one.

    >>> [(each.text, sorted(each.cited)) for each in claims("Here: \n\nIt is red. It is 5 km [2].")]
    [('It is red.', [2]), ('It is 5 km.', [2])]
    """
    found: list[Claim] = []
    lead = ""
    for paragraph in re.split(r"\n\s*\n", _BLOCK.sub("\n", answer)):
        if not _MARK.match(paragraph):
            lead = ""
        one_before = ""
        for text, cited in _sentences(paragraph):
            is_item = _MARK.match(text) is not None
            claim = Claim(text, cited, lead if is_item else one_before if resumes(text) else "")
            announced = None if is_item else _ANNOUNCES.match(text)
            lead = _EMPHASIS.sub("", announced[1]) if announced else lead
            one_before = claim.plain
            if _claims(text):
                found.append(claim)
    return found


def resumes(text: str) -> bool:
    """Whether it goes on from the sentence before it.

    >>> resumes("It is never paid"), resumes("A flight is never paid")
    (True, False)
    """
    return _RESUMES.search(text) is not None


def _sentences(paragraph: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Each with the numbers that it cites."""
    waiting: list[str] = []
    for sentence in SENTENCE_END.split(_citations_inside(paragraph)):
        cited = frozenset(map(int, _NUMBER.findall(sentence)))
        waiting.append(_CITATIONS.sub("", sentence).strip())
        if cited:
            yield from ((text, cited) for text in waiting)
            waiting = []
    yield from ((text, frozenset[int]()) for text in waiting)


def _citations_inside(paragraph: str) -> str:
    """With citations before the full stop, where models write them behind it."""
    return re.sub(r"([.!?])((?:\s*\[\d+\])+)", r"\2\1", paragraph)


def _claims(text: str) -> bool:
    if text.rstrip("*_").endswith((":", "?")) or len(re.findall(r"\w+", text)) < LEAST_WORDS:
        return False
    return not _CLAIMS_NOTHING.match(text)
