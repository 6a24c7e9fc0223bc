"""Kinds of answers: what a question asks for by kind must stand in what is quoted for it.

The prices of 2025 are no answer to who asks for those of 2024, nor is a sentence without any money
to who asks what something costs. Both read like answers, and the more of the question's words they
have, the surer.
"""

from __future__ import annotations

import re

from core import grammar
from core.question import Completed
from worker.support.quantities import CURRENCIES, quantities
from worker.typed.amounts import CURRENCY

_SAID = grammar.merged().answers
_PRICE = re.compile(rf"\b{_SAID.asks_price}(?!\w)", re.IGNORECASE)
_PAID = re.compile(rf"\b{_SAID.paid}(?!\w)", re.IGNORECASE)

_YEAR = r"(?<!\d)(?:19|20)\d\d(?![\d%]|[.,]\d)"
_ASKED_YEAR = re.compile(rf"(?<![\w.,/-]){_YEAR}(?![/-]?\w)")
_ANY_YEAR = re.compile(_YEAR)
_SHORT_YEAR = re.compile(r"(?<=[/’'.–-])\d\d(?!\d)|(?<!\d)\d\d(?=/\d\d(?!\d))")  # 24/25, 31.12.24
_BETWEEN = re.compile(rf"({_YEAR})\s*(?:{_SAID.until}|[–—-])\s*({_YEAR})", re.IGNORECASE)
_SINCE = re.compile(rf"\b{_SAID.since}\b[^.;:|\n]{{0,20}}?({_YEAR})", re.IGNORECASE)
_UNTIL = re.compile(rf"\b{_SAID.until}\b[^.;:|\n]{{0,20}}?({_YEAR})", re.IGNORECASE)


def is_of_another_kind(completed: Completed, text: str) -> bool:
    """Whether a text has another year alone, or no price, where that was asked for."""
    return _is_of_another_year(completed.question, text) or _lacks_a_price(completed.question, text)


def _is_of_another_year(question: str, text: str) -> bool:
    """No year at all is none: what pages say without one holds in every year."""
    asked = {int(year) for year in _ASKED_YEAR.findall(question)}
    said = {int(year) for year in _ANY_YEAR.findall(text)}
    if not asked or not said:
        return False
    short = {2000 + int(year) for year in _SHORT_YEAR.findall(text)}
    return not any(year in said | short or _is_covered(year, text) for year in asked)


def _is_covered(year: int, text: str) -> bool:
    """By `2022 to 2024`, `since 2022` or `until 2026`."""
    if any(int(first) <= year <= int(last) for first, last in _BETWEEN.findall(text)):
        return True
    open_ended = _BETWEEN.sub("", text)
    is_later = any(int(first) <= year for first in _SINCE.findall(open_ended))
    return is_later or any(year <= int(last) for last in _UNTIL.findall(open_ended))


def _lacks_a_price(question: str, text: str) -> bool:
    if not _PRICE.search(question) or CURRENCY.search(text) or _PAID.search(text):
        return False
    return CURRENCIES.isdisjoint(each.unit for each in quantities(text))
