"""Chooses what is quoted: the unit that answers best, and what the kind of the question wants beside it."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence.lexical.analyzer import content_words
from core.models import Kind, Length
from core.question import Completed, QuestionKind
from worker.extractive.rank import ScoredSpan
from worker.extractive.spans import Span
from worker.extractive.table_rows import Rarity, naming, same_rows

# Further quotes must reach this part of the best one's score, by how much somebody wants to read.
CLOSE = {Length.SHORT: 0.92, Length.NORMAL: 0.92, Length.LONG: 0.8}
FAR = 0.6  # the same for what is compared with the best one
MOST_QUOTES = {Length.SHORT: 1, Length.NORMAL: 3, Length.LONG: 5}
COMPARED = 3  # quotes: fewer would leave out one of two things


def chosen(
    best: Sequence[ScoredSpan], completed: Completed, rarity: Rarity, length: Length = Length.NORMAL
) -> list[Span]:
    """The units to quote, the best first; `best` is not empty. Lists and what is compared are never shortened."""
    first = best[0]
    if completed.kind is QuestionKind.COMPARISON:
        return _compared(best, completed)
    if first.unit.is_row and completed.kind is QuestionKind.LIST:
        return same_rows(first.unit, [s.unit for s in best], completed)
    if first.unit.hit.evidence.kind in (Kind.LIST, Kind.CODE):
        return [first.unit]
    return _alike(best, completed, rarity, length)


def _alike(
    best: Sequence[ScoredSpan], completed: Completed, rarity: Rarity, length: Length
) -> list[Span]:
    """The best one, and what is nearly as good and of the same kind: two cells beside a sentence would be noise."""
    first = best[0]
    alike = [
        s
        for s in best
        if s.score >= CLOSE[length] * first.score
        and s.asked >= first.asked
        and s.unit.is_row == first.unit.is_row
    ]
    named = naming(first.unit, completed, rarity)
    alike = [s for s in alike if naming(s.unit, completed, rarity) >= named]
    return _distinct([s.unit for s in alike], MOST_QUOTES[length])


def _compared(best: Sequence[ScoredSpan], completed: Completed) -> list[Span]:
    """The best one, then always the one that says most of what is not said yet."""
    open_terms = set(content_words(completed.question))
    units: list[Span] = []
    for _ in range(COMPARED):
        left = [
            s
            for s in best
            if s.score >= FAR * best[0].score and (not units or _terms(s.unit) & open_terms)
        ]
        if not left:
            break
        unit = max(
            left, key=lambda s: (len(_terms(s.unit) & open_terms) if units else 0, s.score)
        ).unit
        units.append(unit)
        open_terms -= _terms(unit)
    return units


def _terms(unit: Span) -> frozenset[str]:
    return unit.own_terms | unit.context_terms


def _distinct(units: Sequence[Span], most: int) -> list[Span]:
    """The first few that differ; what another piece says in the same words is kept, since it is cited too."""
    texts = list(dict.fromkeys(unit.cells or unit.text for unit in units))[:most]
    return [unit for text in texts for unit in units if (unit.cells or unit.text) == text]
