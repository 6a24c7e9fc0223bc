"""How a lead is written: page text without its own brackets, lists of names, and citations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core import grammar
from core.language.sentences import Sentences
from worker.text.citations import without_brackets

MOST_NAMES = 12  # in a sentence
LONGEST_CELL = 90  # characters of a cell that can stand in a sentence

_BLANKS = frozenset(grammar.merged().composing.blanks)
# `€165 *`, `250¹ Mbit/s`, and `10 years1` of a page that does not raise its marks; `90 m²` is none.
_NOTED = re.compile(r"[*∗†‡]\s*$|(?<![mM])[¹²³⁴-⁹]|[^\W\d_]{4,}\d$")
_CITATIONS = re.compile(r"(?:\[\d+\])+$")


def plain(text: str) -> str:
    """Page text on one line, in which nothing looks like a citation or Markdown."""
    flat = " ".join(text.split())
    return without_brackets(flat.replace("*", "∗").replace("`", "'"))


def cited(text: str, numbers: Iterable[int]) -> str:
    """The sentence with the citations of the hits that it rests on."""
    marks = [f"[{number}]" for number in dict.fromkeys(numbers)]
    return f"{text} {''.join(marks)}"


def listed(say: Sentences, names: Sequence[str]) -> str:
    """The first names, and how many there are besides."""
    shown = [plain(name) for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        shown.append(say("and-more", count=len(names) - MOST_NAMES))
    return ", ".join(shown)


def fits(*cells: str) -> bool:
    """Whether these cells can stand in a sentence: what a footnote adds to would be left out."""
    return all(
        cell.strip() and len(cell) <= LONGEST_CELL and not _NOTED.search(cell) for cell in cells
    )


def is_blank(cell: str) -> bool:
    """Whether a cell says that there is nothing, or that nobody knows: `–`, `?`, `tbd`."""
    words = cell.casefold().split()
    return not any(map(str.isalnum, cell)) or words[0].strip(".,:;()") in _BLANKS


def without_citations(sentence: str) -> str:
    return _CITATIONS.sub("", sentence)
