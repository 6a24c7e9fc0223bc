"""Quantities of a text, however they are written: numbers with their units, and times of day.

>>> (one,), (other,) = quantities("for 7 days"), quantities("eine Woche lang")
>>> one.is_said_by(other)
True

A number that may be read in two ways, as 1.500, has both values. Versions and other identifiers
are none; see worker.support.identifiers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core import grammar
from core.grammar.words import Words

_WORDS = grammar.merged().support
CLOCK = "clock"  # minutes since midnight
# Units that are told in one another: the common one, and how many of it each is.
_COMMON = {
    "min": ("s", 60),
    "h": ("s", 3600),
    "d": ("s", 86_400),
    "w": ("s", 604_800),
    "y": ("month", 12),
    "cent": ("EUR", 0.01),
}


CURRENCIES = frozenset({"EUR", "USD", "GBP", "CHF", "cent"})


@dataclass(frozen=True)
class Quantity:
    """A number of a text; `start` and `end` are its place there, with its unit."""

    values: frozenset[float]  # what it may be read as
    unit: str  # empty where none stands
    start: int
    end: int
    text: str

    @property
    def common(self) -> tuple[str, frozenset[float]]:
        """In the unit that it can be compared in."""
        unit = _COMMON.get(self.unit, (self.unit, 1))[0]
        return unit, frozenset(value * self.factor for value in self.values)

    @property
    def factor(self) -> float:
        """How many of the common unit one of its unit is."""
        return _COMMON.get(self.unit, ("", 1))[1]

    def is_said_by(self, other: Quantity) -> bool:
        """Whether the other says the same: a unit may be missing, but must not be another one."""
        (unit, values), (other_unit, others) = self.common, other.common
        if unit and other_unit:
            return unit == other_unit and _meet(values, others)
        # A time is counted in minutes, so no bare number is one: neither 9 rooms nor 540.
        return CLOCK not in (unit, other_unit) and _meet(self.values, other.values)


def _meet(ones: frozenset[float], others: frozenset[float]) -> bool:
    return any(math.isclose(one, other) for one in ones for other in others)


def _named(table: Sequence[tuple[str | int, Words]], prefix: str) -> str:
    """The alternatives of a table, each in a group of its own."""
    parts = [rf"(?P<{prefix}{place}>{words})" for place, (_, words) in enumerate(table)]
    return "|".join(parts) or "(?!)"


_UNITS = tuple(_WORDS.units.items())
_UNIT = re.compile(rf"(?:{_named(_UNITS, 'unit')})(?!\w)", re.IGNORECASE)
_SPELLED = tuple(_WORDS.numbers.items())
_MULTIPLES = tuple(_WORDS.multiples.items())
_MULTIPLE = re.compile(rf"\s?(?:{_named(_MULTIPLES, 'multiple')})(?!\w)", re.IGNORECASE)
_HALVES = tuple(_WORDS.parts_of_an_hour.items())
_HALF = re.compile(rf"\b(?:{_named(_HALVES, 'half')})\b", re.IGNORECASE)
_DIGITS = r"\d{1,3}(?:[ \u00a0\u202f’']\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*"
_NUMBER = re.compile(
    rf"(?<![\w#@/])(?<!\d[.,:])(?<![^\W\d][-_])(?:(?P<digits>{_DIGITS})"
    rf"|(?:{_named(_SPELLED, 'word')})(?!\w))",
    re.IGNORECASE,
)
_HOUR_WORDS = f"(?:{_WORDS.forenoon}|{_WORDS.afternoon}|{_WORDS.clock})"
_PHONE = re.compile(r"\+\d[\d ()/\u00a0-]{6,}\d|(?<!\d)0\d{2,5}[ /-]\d[\d -]{4,}")
_CLOCK = re.compile(
    rf"(?<![\d.,])(?:(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?![.:]*\d)"
    rf"|(?P<only>[01]?\d|2[0-4])(?:[.:](?P<dotted>[0-5]\d))?(?=\s*{_HOUR_WORDS}(?!\w)))"
    rf"(?:\s*(?:(?P<late>{_WORDS.afternoon})|(?P<early>{_WORDS.forenoon})|{_WORDS.clock})(?!\w))?",
    re.IGNORECASE,
)
_JOINED = re.compile(rf"\s*(?:[-–—]|\b{_WORDS.ranges}\b)\s*", re.IGNORECASE)
_ORDINAL = re.compile(rf"(?:{grammar.merged().dates.ordinals})(?!\w)", re.IGNORECASE)
# "10 working days", but not "EUR 110 a night".
_BETWEEN = re.compile(
    rf"[\s\u00a0\u202f-]*(?!(?:{_WORDS.per}|{_WORDS.ranges})\b)(?:[^\W\d]+[\s-]+)?", re.IGNORECASE
)
_NEAR = re.compile(r"[\s\u00a0\u202f-]*")
_BEFORE = 12  # characters in which a unit may stand before its number: "EUR 110", "day 4"


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text without its dates, in order; those of a range have one unit.

    "One" counts only with a unit, since it is an article too.
    """
    text = _PHONE.sub(_blank, text)
    found = [*_times(text)]
    for pattern in (_CLOCK, _HALF):
        text = pattern.sub(_blank, text)
    found += _numbers(text)
    found.sort(key=lambda each: each.start)
    return list(_in_ranges(found, text))


def units(text: str) -> set[str]:
    """The units that a text names without a number, as the name of a column does."""
    words = re.findall(r"[^\W\d_]+|[%€$£]", text)
    found = (_UNIT.fullmatch(word) for word in words if len(word) > 1 or not word.isalpha())
    return {_key(match, _UNITS) for match in found if match}


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _times(text: str) -> Iterator[Quantity]:
    for found in _HALF.finditer(text):
        yield Quantity(frozenset({float(_key(found, _HALVES))}), "min", *found.span(), found[0])
    for found in _CLOCK.finditer(text):
        hour = int(found["hour"] or found["only"])
        if found["late"] or found["early"]:
            hour = hour % 12 + 12 * bool(found["late"])  # 12 am is midnight
        # 10.30 is a number unless a word says that it is a time.
        minutes = float(60 * hour + int(found["minute"] or found["dotted"] or 0))
        yield Quantity(frozenset({minutes}), CLOCK, *found.span(), found[0].strip())


def _numbers(text: str) -> Iterator[Quantity]:
    for found in _NUMBER.finditer(text):
        values = _values(found)
        end = found.end()
        if many := _MULTIPLE.match(text, end):
            values, end = {value * float(_key(many, _MULTIPLES)) for value in values}, many.end()
        unit, after = _unit_after(text, end)
        is_attached = end < len(text) and text[end].isalpha() and after == end
        if not values or (is_attached and not _ORDINAL.match(text, end)):
            continue
        unit = unit or _unit_before(text, found.start())
        if found["digits"] or unit or values != {1.0}:
            whole = text[found.start() : after].strip()
            yield Quantity(frozenset(values), unit, found.start(), after, whole)


def _values(found: re.Match[str]) -> set[float]:
    """None for a version such as 4.2.1."""
    digits = found["digits"]
    if digits is None:
        return {float(_key(found, _SPELLED))}
    digits = re.sub(r"[ \u00a0\u202f’']", "", digits)
    parts = re.split(r"[.,]", digits)
    in_thousands = len(parts) > 1 and len(parts[0]) <= 3 and all(len(p) == 3 for p in parts[1:])
    readings = {float("".join(parts))} if in_thousands else set[float]()
    if len(parts) <= 2:
        readings.add(float(".".join(parts)))
    elif digits[-len(parts[-1]) - 1] != digits[len(parts[0])]:  # 1,234.50
        readings.add(float(f"{''.join(parts[:-1])}.{parts[-1]}"))
    return readings


def _unit_after(text: str, end: int) -> tuple[str, int]:
    for gap in (_NEAR, _BETWEEN):
        between = gap.match(text, end)
        found = _UNIT.match(text, between.end()) if between else None
        if found:
            return _key(found, _UNITS), found.end()
    return "", end


def _unit_before(text: str, start: int) -> str:
    found = re.search(r"([^\W\d]+|[€$£])\s?$", text[max(0, start - _BEFORE) : start])
    unit = _UNIT.fullmatch(found[1]) if found else None
    return _key(unit, _UNITS) if unit else ""


def _in_ranges(found: Sequence[Quantity], text: str) -> Iterator[Quantity]:
    """The first number of "10 to 15 Uhr" is a time too."""
    for place, each in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        if following and not each.unit and _JOINED.fullmatch(text[each.end : following.start]):
            values = each.values
            if following.unit == CLOCK:
                values = frozenset(_begins_at(each.values, max(following.values)))
            each = replace(each, unit=following.unit, values=values)
        yield each


def _begins_at(hours: Iterable[float], end: float) -> Iterator[float]:
    """In minutes: of "1 to 4 pm" one may be thirteen."""
    for hour in hours:
        yield 60 * hour
        if 60 * (hour + 12) <= end:
            yield 60 * (hour + 12)


def _key(found: re.Match[str], table: Sequence[tuple[str | int, Words]]) -> str:
    """Of the entry of a table that a pattern has found."""
    group = found.lastgroup or ""
    return str(table[int(re.sub(r"\D", "", group))][0])
