"""Writes units of evidence down as quotes with their citations: a sentence, an item in its list, a code block, or cells of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.evidence.lexical.analyzer import words
from core.models import Kind
from core.question import Completed, QuestionKind
from worker.extractive.spans import ITEM, Span
from worker.extractive.table_rows import Rarity, shown_cells, written
from worker.extractive.yes_no import verdict
from worker.text.citations import without_brackets

NEWS = 4  # words that the question does not have: with fewer of them, a quote goes on with the next sentence
NEWS_OF_MORE = 6  # the same where more than one fact is asked for
MOST_ITEMS = 12  # of a list that is quoted whole, and rows of a table

_BULLET = re.compile(r"^(?:[-•*]|\d+[.)])\s+")
_POINTS_BACK = re.compile(
    r"(this|that|these|those|it|its|they|he|she|such|therefore|thus|then|"
    r"dies\w*|das|er|sie|es|deshalb|daher|dann|dafür|dabei|davon)\b",
    re.IGNORECASE,
)
_ONE_FACT = {QuestionKind.FACTOID, QuestionKind.CONFIRMATION}


def quotes(units: Iterable[Span], completed: Completed, rarity: Rarity) -> str:
    """Markdown, a quote a line, each with the citations [n] of all the evidence that says it."""
    cited: dict[str, list[int]] = {}
    said: set[str] = set()
    for unit in units:
        said |= {verdict(unit, completed)} - {""}
        text = quote(unit, completed, rarity)
        same = next(
            (
                other
                for other in cited
                if unit.text.casefold() in other.casefold() or text.casefold() == other.casefold()
            ),
            text,
        )
        cited.setdefault(same, []).append(unit.number)
    lines = _cut([_with_citations(text, numbers) for text, numbers in cited.items()])
    plainly = (
        f"{said.pop()} " if len(said) == 1 else ""
    )  # two that contradict each other leave it to the reader
    return plainly + "\n".join(lines)


def quote(unit: Span, completed: Completed, rarity: Rarity) -> str:
    """One unit, without its citation."""
    if unit.is_row:
        return written(*shown_cells(unit, completed, rarity))
    if unit.hit.evidence.kind is Kind.CODE:
        return unit.text
    if unit.is_list and (unit.above or unit.below or "\n" in unit.text):
        return _lines([*unit.above, *unit.text.splitlines(), *unit.below])
    return without_brackets(_sentence(unit, completed))


def _sentence(unit: Span, completed: Completed) -> str:
    """In quotation marks, with the neighbours without which it says little, or nobody knows of what."""
    said = _BULLET.sub("", unit.text)
    if unit.above and _POINTS_BACK.match(said):
        said = f"{unit.above[-1]} {said}"
    if not unit.below or not _goes_on(unit, completed):
        return f"“{said}”"
    if ITEM.match(unit.below[0]):
        return "\n".join([f"“{said}”", _lines(unit.below)])
    return f"“{said} {unit.below[0]}”"


def _goes_on(unit: Span, completed: Completed) -> bool:
    """Whether the next sentence or the list behind this one belongs to the answer."""
    if unit.announces:
        return True
    news = len(unit.own_terms - set(words(completed.text)))
    if completed.kind in _ONE_FACT:
        return news < NEWS
    return news < NEWS_OF_MORE or bool(_POINTS_BACK.match(unit.below[0]))


def _lines(lines: Sequence[str]) -> str:
    return without_brackets("\n".join(_cut(lines)))


def _cut(lines: Sequence[str]) -> list[str]:
    more = [f"… and {len(lines) - MOST_ITEMS} more"] if len(lines) > MOST_ITEMS else []
    return [*lines[:MOST_ITEMS], *more]


def _with_citations(text: str, numbers: Sequence[int]) -> str:
    """Behind the quote; on a line of its own behind a list or a code block."""
    citations = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
    return f"{text}\n{citations}" if "\n" in text else f"{text} {citations}"
