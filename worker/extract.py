"""Answers without a model: picks the sentences, list items or cells that answer best.

A unit's score is the share of the question's weight that its words cover (a word weighs as much as it is rare; what the
conversation added weighs less than what was asked; a word in title or heading counts less than one in the unit itself),
plus its similarity in meaning, plus what the search thinks of its evidence. Without a piece of evidence its quotes are gone,
so Explain works on these answers too. How a unit is written down is worker.quote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.embeddings import Embedder, Vectors
from core.evidence.analyze import content_words
from core.models import Completed, Hit, Kind
from worker.quote import asked_columns, named_cells, quotes
from worker.units import Unit, units

CONTEXT_WEIGHT = 0.4  # of a word that the conversation added, against one that was asked
HEADING_WEIGHT = 0.6  # of a word found in title or heading, against one in the unit itself
MEANING_WEIGHT = 0.5  # of the cosine similarity, against full coverage of the words
SEARCH_WEIGHT = 0.3  # of the search's own opinion of the evidence
SURE = 2.0  # fused score (a sum of z-scores) from which the search's opinion counts in full
COLUMN_WEIGHT = 0.2  # of a row that has a column of the name that was asked for
EMBEDDED = 24  # units whose similarity is computed: the best by words
ENOUGH = 0.45  # a best unit below this score does not answer the question
CLOSE = 0.92  # further quotes must reach this part of the best one's score
MOST_QUOTES = 3


@dataclass(frozen=True)
class Scored:
    """A unit, how well it answers, and how much it covers of what was asked, the conversation left aside."""

    score: float
    asked: float
    unit: Unit


class Extractor:
    """Picks quotes; `rarity` says how much a word weighs, 0 for one that stands everywhere."""

    def __init__(self, embedder: Embedder, rarity: Callable[[str], float]) -> None:
        self._embedder = embedder
        self._rarity = rarity
        self._vector = lru_cache(maxsize=4096)(lambda text: self._embedder.embed([text])[0])

    def extract(self, completed: Completed, hits: Sequence[Hit]) -> str | None:
        """Markdown with [n] citations of evidence by its place among the hits; None when nothing there answers."""
        best = self.rank(completed, hits)
        if not best or best[0].score < ENOUGH:
            return None
        return quotes((scored.unit for scored in self._alike(best, completed)), completed, self._rarity)

    def rank(self, completed: Completed, hits: Sequence[Hit]) -> list[Scored]:
        """The units that answer best, the best first."""
        asked = {term: self._rarity(term) for term in content_words(completed.question)}
        added = [term for part in completed.context for term in content_words(part)]
        weights = {term: CONTEXT_WEIGHT * self._rarity(term) for term in added} | asked
        by_words = sorted(units(hits), key=lambda unit: (-_coverage(unit, weights), unit.number))[:EMBEDDED]
        question = self._vector(completed.text)
        scored = [
            Scored(
                _coverage(unit, weights) + self._meaning(question, unit) + _opinion(unit.hit) + _has_columns(unit, asked),
                _coverage(unit, asked),
                unit,
            )
            for unit in by_words
        ]
        return sorted(scored, key=lambda item: -item.score)

    def _meaning(self, question: Vectors, unit: Unit) -> float:
        return MEANING_WEIGHT * max(0.0, float(self._vector(unit.text) @ question))

    def _alike(self, best: list[Scored], completed: Completed) -> list[Scored]:
        """The best one, and what is nearly as good and of the same kind: two cells beside a sentence would be noise."""
        first = best[0]
        if first.unit.hit.evidence.kind in (Kind.LIST, Kind.CODE):
            return [first]
        alike = [s for s in best if s.score >= CLOSE * first.score and s.asked >= first.asked and s.unit.is_row == first.unit.is_row]
        if named_cells(first.unit, completed, self._rarity):
            alike = [s for s in alike if named_cells(s.unit, completed, self._rarity)]
        return alike[:MOST_QUOTES]


def _coverage(unit: Unit, weights: Mapping[str, float]) -> float:
    """Which share of the weight of these words the unit has, 0 to 1."""
    total = sum(weights.values())
    own = sum(w for term, w in weights.items() if term in unit.own_terms)
    above = sum(w for term, w in weights.items() if term in unit.context_terms and term not in unit.own_terms)
    return (own + HEADING_WEIGHT * above) / total if total else 0.0


def _opinion(hit: Hit) -> float:
    """What the search thinks of the evidence, 0 to SEARCH_WEIGHT.

    From its own score alone, whatever else was found: else taking one piece away would shift all others, and Explain would
    call it a cause.
    """
    return SEARCH_WEIGHT * min(max(hit.score / SURE, 0.0), 1.0)


def _has_columns(unit: Unit, asked: Mapping[str, float]) -> float:
    columns = asked_columns(unit, asked)
    return COLUMN_WEIGHT if columns and len(columns) < len(unit.cells) / 2 else 0.0
