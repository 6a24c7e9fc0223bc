"""Writes units of evidence down as quotes with their citations: a sentence, a whole list, a code block, or cells of a row."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

from core.evidence.analyze import content_words, whole_words, words
from core.models import Completed, Kind
from worker.cite import without_brackets
from worker.units import Unit

NAMED = 0.6  # of a cell's weight must be covered by the question for the cell to say which row it is
MOST_ITEMS = 12  # of a list that is quoted whole
MOST_NAMES = 2  # cells that lead a row

Rarity = Callable[[str], float]

_BULLET = re.compile(r"^(?:[-•*]|\d+[.)])\s+")
_ASKS_FOR_A_LIST = re.compile(
    r"\b(which|list|steps|how (do|does|to|can|should)|what (are|were)|welche|liste|schritte|was sind|wie (kann|muss|mache|geht|lege))\b",
    re.IGNORECASE,
)


def quotes(units: Iterable[Unit], completed: Completed, rarity: Rarity) -> str:
    """Markdown, a quote a line, each with the citations [n] of all the evidence that says it."""
    cited: dict[str, tuple[str, list[int]]] = {}
    for unit in units:
        text = _quote(unit, completed, rarity)
        cited.setdefault(text.casefold(), (text, []))[1].append(unit.number)
    return "\n".join(_with_citations(text, numbers) for text, numbers in cited.values())


def _quote(unit: Unit, completed: Completed, rarity: Rarity) -> str:
    kind = unit.hit.evidence.kind
    if unit.is_row:
        return without_brackets(_cells(unit, completed, rarity))
    if kind is Kind.CODE:
        return unit.text
    if kind is Kind.LIST and _ASKS_FOR_A_LIST.search(completed.question):
        return _whole_list(unit)
    return f"“{without_brackets(_BULLET.sub('', unit.text))}”"


def _with_citations(text: str, numbers: list[int]) -> str:
    """Behind the quote; on a line of its own behind a list or a code block."""
    citations = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
    return f"{text}\n{citations}" if "\n" in text else f"{text} {citations}"


def asked_columns(unit: Unit, asked: Collection[str]) -> set[str]:
    """Columns named in the question: by a word that no other column has, else by one that several share."""
    columns = {name: set(words(name)) & set(asked) for name, _ in unit.cells}
    alone = {name for name, named in columns.items() if any(sum(term in other for other in columns.values()) == 1 for term in named)}
    return alone or {name for name, named in columns.items() if named}


def named_cells(unit: Unit, completed: Completed, rarity: Rarity) -> list[tuple[str, str]]:
    """The cells that the question or its conversation names: they say which row it is, unless their value stands there twice."""
    wanted = {term for part in (completed.question, *completed.context) for term in whole_words(part)}
    values = [value for _, value in unit.cells]
    return [(name, value) for name, value in unit.cells if values.count(value) == 1 and _is_named(value, wanted, rarity)]


def _is_named(value: str, wanted: set[str], rarity: Rarity) -> bool:
    """`Lumo SkyLift 3180` is named by `the 3180 from Lumo`; `2.0` is named by no other number."""
    rarities = {term: rarity(term) for term in whole_words(value)}
    return sum(r for term, r in rarities.items() if term in wanted) > NAMED * sum(rarities.values())


def _cells(unit: Unit, completed: Completed, rarity: Rarity) -> str:
    """The cells that were asked for, or else all of them, led by the cells that say which row it is."""
    named = named_cells(unit, completed, rarity)
    asked = asked_columns(unit, content_words(completed.question)) - {name for name, _ in named}
    shown = [(name, value) for name, value in unit.cells if (name in asked or not asked) and (name, value) not in named]
    lead = f"**{', '.join(value for _, value in named[:MOST_NAMES])}**: " if named else ""
    return lead + "; ".join(f"{name} is {value}" for name, value in shown if value)


def _whole_list(unit: Unit) -> str:
    lines = (unit.hit.evidence.raw or unit.hit.evidence.text).splitlines()
    more = [f"… and {len(lines) - MOST_ITEMS} more"] if len(lines) > MOST_ITEMS else []
    return without_brackets("\n".join([*lines[:MOST_ITEMS], *more]))
