"""A follow-up that has one word for another of the question before: "and on Monday?".

Such words are closed lists: days, months, years, numbers, and pairs such as reading and writing.
What is in no list is left to the search: "and in Porto?" may add to a question as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core import grammar

_GRAMMAR = grammar.merged()
_AROUND = _GRAMMAR.question.around_a_word
_MONTHS = "|".join(str(names) for names in _GRAMMAR.months.names.values())
_YEAR = r"(?:19|20)\d\d"
_NUMBER = rf"(?!{_YEAR}\b)\d+(?:[.,]\d+)*"
_SORTS = (str(_GRAMMAR.dates.weekdays), _MONTHS, _YEAR, _NUMBER, *_GRAMMAR.question.siblings)
_OTHER_WORDS = re.compile(str(_GRAMMAR.months.with_capital), re.IGNORECASE)  # "may I …"


def with_sibling(fragment: str, before: str) -> str:
    """The question before with that word instead of its own; empty where this is not clear.

    >>> with_sibling("and on Monday?", "When is the gate open on Friday?")
    'When is the gate open on Monday?'
    >>> with_sibling("and write?", "Who may read or write it?")
    ''
    """
    for sort in _SORTS:
        asked = re.fullmatch(
            rf"(?:{_AROUND}\s+)*(?P<word>{sort})(?:\s+(?P<unit>[^\W\d]+))?\W*",
            fragment.strip(),
            re.IGNORECASE,
        )
        if asked:
            return _put(asked["word"], asked["unit"] or "", list(_found(sort, before)), before)
    return ""


def _found(sort: str, text: str) -> Iterator[re.Match[str]]:
    for found in re.finditer(rf"(?<![\w.,/-])(?:{sort})(?![\w/-])", text, re.IGNORECASE):
        if not _OTHER_WORDS.fullmatch(found[0]):
            yield found


def _put(word: str, unit: str, places: list[re.Match[str]], before: str) -> str:
    """Where one word only can be meant, of the same unit."""
    if len(places) != 1 or places[0][0].casefold() == word.casefold():
        return ""
    if unit and not re.match(rf"\s+{unit}\b", before[places[0].end() :], re.IGNORECASE):
        return ""
    return before[: places[0].start()] + word + before[places[0].end() :]
