"""Chooses what is quoted: the unit that answers best, and what the kind of the question wants beside it."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence.analyze import content_words
from core.models import Completed, Kind, QuestionKind
from worker.rank import Scored
from worker.rows import Rarity, naming, same_rows
from worker.units import Unit

CLOSE = 0.92  # further quotes must reach this part of the best one's score
FAR = 0.6  # the same for what is compared with the best one
MOST_QUOTES = 3


def chosen(best: Sequence[Scored], completed: Completed, rarity: Rarity) -> list[Unit]:
    """The units to quote, the best first; `best` is not empty."""
    first = best[0]
    if completed.kind is QuestionKind.COMPARISON:
        return _compared(best, completed)
    if first.unit.is_row and completed.kind is QuestionKind.LIST:
        return same_rows(first.unit, [s.unit for s in best], completed)
    if first.unit.hit.evidence.kind in (Kind.LIST, Kind.CODE):
        return [first.unit]
    return _alike(best, completed, rarity)


def _alike(best: Sequence[Scored], completed: Completed, rarity: Rarity) -> list[Unit]:
    """The best one, and what is nearly as good and of the same kind: two cells beside a sentence would be noise."""
    first = best[0]
    alike = [s for s in best if s.score >= CLOSE * first.score and s.asked >= first.asked and s.unit.is_row == first.unit.is_row]
    named = naming(first.unit, completed, rarity)
    alike = [s for s in alike if naming(s.unit, completed, rarity) >= named]
    return _distinct([s.unit for s in alike], MOST_QUOTES)


def _compared(best: Sequence[Scored], completed: Completed) -> list[Unit]:
    """The best one, then always the one that says most of what is not said yet."""
    open_terms = set(content_words(completed.question))
    units: list[Unit] = []
    for _ in range(MOST_QUOTES):
        left = [s for s in best if s.score >= FAR * best[0].score and (not units or _terms(s.unit) & open_terms)]
        if not left:
            break
        unit = max(left, key=lambda s: (len(_terms(s.unit) & open_terms) if units else 0, s.score)).unit
        units.append(unit)
        open_terms -= _terms(unit)
    return units


def _terms(unit: Unit) -> frozenset[str]:
    return unit.own_terms | unit.context_terms


def _distinct(units: Sequence[Unit], most: int) -> list[Unit]:
    """The first few that differ; what another piece says in the same words is kept, since it is cited too."""
    texts = list(dict.fromkeys(unit.cells or unit.text for unit in units))[:most]
    return [unit for text in texts for unit in units if (unit.cells or unit.text) == text]
