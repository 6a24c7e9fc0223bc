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
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_FRAMING = re.compile(rf"^\W*{grammar.merged().support.framing}\s*[,:!.–-]\s+(?=\S)", re.IGNORECASE)
_CLAIMS_NOTHING = re.compile(rf"^\W*{grammar.merged().support.claims_nothing}", re.IGNORECASE)
LEAST_WORDS = 2


@dataclass(frozen=True)
class Claim:
    """A sentence that says something; `text` as it stands in the answer, without its citations."""

    text: str
    cited: frozenset[int]  # numbers of the pieces; empty: none

    @property
    def plain(self) -> str:
        """As it is compared: without marks, and without what leads to it, as "In short:"."""
        return _FRAMING.sub("", _EMPHASIS.sub("", _MARK.sub("", self.text)))


def claims(answer: str) -> list[Claim]:
    r"""A citation counts for the sentences of its paragraph before it, back to the last one.

    >>> [(each.text, sorted(each.cited)) for each in claims("Here: \n\nIt is red. It is 5 km [2].")]
    [('It is red.', [2]), ('It is 5 km.', [2])]
    """
    found: list[Claim] = []
    for paragraph in re.split(r"\n\s*\n", _BLOCK.sub("\n", answer)):
        found += _of_paragraph(paragraph)
    return found


def _of_paragraph(paragraph: str) -> Iterator[Claim]:
    waiting: list[str] = []
    for sentence in SENTENCE_END.split(_citations_inside(paragraph)):
        cited = frozenset(map(int, _NUMBER.findall(sentence)))
        waiting.append(_CITATIONS.sub("", sentence).strip())
        if cited:
            yield from (Claim(text, cited) for text in waiting if _claims(text))
            waiting = []
    yield from (Claim(text, frozenset()) for text in waiting if _claims(text))


def _citations_inside(paragraph: str) -> str:
    """With citations before the full stop, where models write them behind it."""
    return re.sub(r"([.!?])((?:\s*\[\d+\])+)", r"\2\1", paragraph)


def _claims(text: str) -> bool:
    if text.endswith((":", "?")) or len(re.findall(r"\w+", text)) < LEAST_WORDS:
        return False
    return not _CLAIMS_NOTHING.match(text)
