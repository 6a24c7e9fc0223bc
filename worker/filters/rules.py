"""Finds conditions without a model. Being sure counts for more than finding all: what is not certain is left to the search itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from core.question import Condition
from worker.filters.found import FilterMatch
from worker.filters.people import people
from worker.filters.places import labels, spaces, titles
from worker.filters.times import times
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import BLANK, is_negated

LONGEST = 600  # characters: in what is longer, somebody tells a story
MOST = 12  # conditions that are looked for: nobody means more


def by_rules(text: str, known: Vocabulary, today: date) -> tuple[Condition, ...]:
    """What the text asks of the pages, each with its words; nothing of a field for which it asks two things.

    >>> known = Vocabulary({"ENG": "Engineering"})
    >>> for each in by_rules("Which pages were changed in 2024 in ENG?", known, date(2026, 3, 18)):
    ...     print(each.field.value, each.value, "from", each.said)
    after 2024-01-01 from were changed in 2024
    before 2025-01-01 from were changed in 2024
    space ENG from in ENG
    """
    found = _all(text, known, today)
    values = {
        field: {each.value for each in found if each.field is field}
        for field in {each.field for each in found}
    }
    sure = [each for each in found if len(values[each.field]) == 1]
    return tuple(
        {
            each.field: Condition(
                field=each.field, value=each.value, said=text[each.start : each.end]
            )
            for each in sure
        }.values()
    )


def _all(text: str, known: Vocabulary, today: date) -> list[FilterMatch]:
    """What was found is blanked, since what stands around it may then be understood: "pages in ENG by Chris"."""
    found: list[FilterMatch] = []
    while (
        len(text) <= LONGEST
        and len(found) < MOST
        and (new := next(_next(text, known, today), None))
    ):
        found += new
        start, end = new[0].start, new[0].end
        text = text[:start] + BLANK * (end - start) + text[end:]
    return found


def _next(text: str, known: Vocabulary, today: date) -> Iterator[list[FilterMatch]]:
    """All conditions of one phrase at a time."""
    for each in (
        titles(text, known),
        times(text, known, today),
        labels(text, known),
        people(text, known),
        spaces(text, known),
    ):
        meant = [found for found in each if not is_negated(text[: found.start])]
        if meant:
            yield [found for found in meant if found.start == meant[0].start]
