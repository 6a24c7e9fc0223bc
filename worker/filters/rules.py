"""Filters by rules, without a model: precision before recall, the search itself does the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from core.question import Condition, Field
from worker.filters.filter_match import FilterMatch
from worker.filters.people import people
from worker.filters.places import labels, spaces, titles
from worker.filters.times import times
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import BLANK, is_negated

LONGEST = 600  # characters: what is longer tells a story
MOST = 12  # conditions that are looked for: nobody means more


def by_rules(
    text: str,
    known: Vocabulary,
    today: date,
) -> tuple[Condition, ...]:
    """Conditions on the pages, each with its words; none for a field with two different values.

    >>> known = Vocabulary({"ENG": "Engineering"})
    >>> for each in by_rules("Which pages were changed in 2024 in ENG?", known, date(2026, 3, 18)):
    ...     print(each.field.value, each.value, "from", each.said)
    after 2024-01-01 from were changed in 2024
    before 2025-01-01 from were changed in 2024
    space ENG from in ENG
    """
    found = _all(text, known, today)
    values: dict[Field, set[str]] = {}
    for match in found:
        values.setdefault(match.field, set()).add(match.value)
    conditions: dict[Field, Condition] = {}
    for match in found:
        if len(values[match.field]) == 1:
            words = text[match.start : match.end]
            condition = Condition(field=match.field, value=match.value, said=words)
            conditions[match.field] = condition
    return tuple(conditions.values())


def _all(
    text: str,
    known: Vocabulary,
    today: date,
) -> list[FilterMatch]:
    """Blanks what is found, so that the words around it can match: "pages in ENG by Chris"."""
    found: list[FilterMatch] = []
    while len(text) <= LONGEST and len(found) < MOST:
        phrase = _first_phrase(text, known, today)
        if not phrase:
            break
        found += phrase
        start, end = phrase[0].start, phrase[0].end
        text = text[:start] + BLANK * (end - start) + text[end:]
    return found


def _first_phrase(
    text: str,
    known: Vocabulary,
    today: date,
) -> list[FilterMatch]:
    """All conditions of one phrase; none when there is none left."""
    grammars = (
        titles(text, known),
        times(text, known, today),
        labels(text, known),
        people(text, known),
        spaces(text, known),
    )
    for matches in grammars:
        meant = list(_not_negated(text, matches))
        if meant:
            start = meant[0].start
            return [match for match in meant if match.start == start]
    return []


def _not_negated(text: str, matches: Iterable[FilterMatch]) -> Iterator[FilterMatch]:
    for match in matches:
        if not is_negated(text[: match.start]):
            yield match
