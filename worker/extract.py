"""Answers without a model: quotes the sentences, list items or cells that answer best, and cites them.

A unit's score is the share of the question's weight that its words cover (a word weighs as much as it is rare; what the
conversation added weighs less than what was asked; a word in title or heading counts less than one in the unit itself),
plus its similarity in meaning, plus what the search thinks of its evidence. Without a piece of evidence its quotes are gone,
so Explain works on these answers too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.embeddings import Embedder, Vectors
from core.evidence.analyze import content_words, whole_words, words
from core.models import Completed, Hit, Kind
from worker.cite import without_brackets
from worker.units import Unit, units

CONTEXT_WEIGHT = 0.4  # of a word that the conversation added, against one that was asked
HEADING_WEIGHT = 0.6  # of a word found in title or heading, against one in the unit itself
MEANING_WEIGHT = 0.5  # of the cosine similarity, against full coverage of the words
SEARCH_WEIGHT = 0.3  # of the search's own opinion of the evidence
COLUMN_WEIGHT = 0.2  # of a row that has a column of the name that was asked for
NAMED = 0.6  # of a cell's weight must be covered by the question for the cell to say which row it is
EMBEDDED = 24  # units whose similarity is computed: the best by words
ENOUGH = 0.45  # a best unit below this score does not answer the question
CLOSE = 0.92  # further quotes must reach this part of the best one's score
MOST_QUOTES = 3
MOST_ITEMS = 12  # of a list that is quoted whole

_BULLET = re.compile(r"^(?:[-•*]|\d+[.)])\s+")
_ASKS_FOR_A_LIST = re.compile(
    r"\b(which|list|steps|how (do|does|to|can|should)|what are|what were|welche|liste|schritte|was sind|wie (kann|muss|mache|geht|lege))\b",
    re.I,
)


@dataclass(frozen=True)
class _Scored:
    score: float
    unit: Unit


class Extractor:
    """Picks quotes; `rarity` says how much a word weighs, 0 for one that stands everywhere."""

    def __init__(self, embedder: Embedder, rarity: Callable[[str], float]) -> None:
        self._embedder = embedder
        self._rarity = rarity
        self._vector = lru_cache(maxsize=4096)(lambda text: self._embedder.embed([text])[0])

    def extract(self, completed: Completed, hits: Sequence[Hit]) -> str | None:
        """Markdown with [n] citations of evidence by its place among the hits; None when nothing there answers."""
        best = self._best(completed, hits)
        if not best or best[0].score < ENOUGH:
            return None
        quotes = [self._quote(completed, scored.unit) for scored in self._close(best, completed)]
        return "\n".join(dict.fromkeys(quotes))

    def _best(self, completed: Completed, hits: Sequence[Hit]) -> list[_Scored]:
        """The units that answer best, the best first."""
        weights = self._weights(completed)
        by_words = sorted(((_coverage(unit, weights), unit) for unit in units(hits)), key=lambda pair: (-pair[0], pair[1].number))
        question = self._vector(completed.text)
        opinion = _opinion(hits)
        asked = content_words(completed.question)
        scored = [
            _Scored(words + self._meaning(question, unit) + opinion[unit.number - 1] + _has_columns(unit, asked), unit)
            for words, unit in by_words[:EMBEDDED]
        ]
        return sorted(scored, key=lambda item: -item.score)

    def _weights(self, completed: Completed) -> dict[str, float]:
        asked = content_words(completed.question)
        added = [term for part in completed.context for term in content_words(part)]
        weights = {term: CONTEXT_WEIGHT * self._rarity(term) for term in added}
        return weights | {term: self._rarity(term) for term in asked}

    def _meaning(self, question: Vectors, unit: Unit) -> float:
        return MEANING_WEIGHT * max(0.0, float(self._vector(unit.text) @ question))

    def _quote(self, completed: Completed, unit: Unit) -> str:
        if unit.cells:
            text = self._cells(unit, completed)
        elif unit.hit.evidence.kind is Kind.CODE:
            return f"{unit.text}\n[{unit.number}]"
        elif unit.hit.evidence.kind is Kind.LIST and _ASKS_FOR_A_LIST.search(completed.question):
            return f"{_whole_list(unit)}\n[{unit.number}]"
        else:
            text = f"“{_BULLET.sub('', unit.text)}”"
        return f"{without_brackets(text)} [{unit.number}]"

    def _close(self, best: list[_Scored], completed: Completed) -> list[_Scored]:
        """The best one, and what is nearly as good and of the same kind: two cells beside a sentence would be noise."""
        first = best[0]
        if first.unit.hit.evidence.kind in (Kind.LIST, Kind.CODE):
            return [first]
        alike = [s for s in best if s.score >= CLOSE * first.score and bool(s.unit.cells) == bool(first.unit.cells)]
        if self._named(first.unit, completed):
            alike = [s for s in alike if self._named(s.unit, completed)]
        return alike[:MOST_QUOTES]

    def _cells(self, unit: Unit, completed: Completed) -> str:
        """The cells that were asked for, led by the cells that say which row it is."""
        named = self._named(unit, completed)
        asked = _asked_columns(unit, content_words(completed.question)) - {name for name, _ in named}
        shown = [(name, value) for name, value in unit.cells if name in asked or not asked and (name, value) not in named]
        lead = f"**{', '.join(value for _, value in named[:2])}**: " if named else ""
        return lead + "; ".join(f"{name} is {value}" for name, value in shown if value)

    def _named(self, unit: Unit, completed: Completed) -> list[tuple[str, str]]:
        """The cells that the question or its conversation names."""
        wanted = {term for part in (completed.question, *completed.context) for term in whole_words(part)}
        return [(name, value) for name, value in unit.cells if self._is_named(value, wanted)]

    def _is_named(self, value: str, wanted: set[str]) -> bool:
        """Whether the question names this value: `Dell OptiPlex 7040` is named by `the 7040 from Dell`, `2.0` by no other number."""
        rarities = {term: self._rarity(term) for term in whole_words(value)}
        return sum(r for term, r in rarities.items() if term in wanted) > NAMED * sum(rarities.values())


def _coverage(unit: Unit, weights: dict[str, float]) -> float:
    total = sum(weights.values())
    own = sum(w for term, w in weights.items() if term in unit.own_terms)
    above = sum(w for term, w in weights.items() if term in unit.context_terms and term not in unit.own_terms)
    return (own + HEADING_WEIGHT * above) / total if total else 0.0


def _opinion(hits: Sequence[Hit]) -> list[float]:
    """What the search thinks of each hit, from 0 for the last to SEARCH_WEIGHT for the first."""
    scores = [hit.score for hit in hits]
    spread = max(scores) - min(scores) if scores else 0.0
    return [SEARCH_WEIGHT * (score - min(scores)) / spread if spread else SEARCH_WEIGHT for score in scores]


def _whole_list(unit: Unit) -> str:
    lines = (unit.hit.evidence.raw or unit.hit.evidence.text).splitlines()
    more = [f"… and {len(lines) - MOST_ITEMS} more"] if len(lines) > MOST_ITEMS else []
    return without_brackets("\n".join([*lines[:MOST_ITEMS], *more]))


def _asked_columns(unit: Unit, asked: Sequence[str]) -> set[str]:
    """Columns named in the question: by a word that no other column has, else by one that several share."""
    columns = {name: set(words(name)) & set(asked) for name, _ in unit.cells}
    alone = {name for name, named in columns.items() if any(sum(term in other for other in columns.values()) == 1 for term in named)}
    return alone or {name for name, named in columns.items() if named}


def _has_columns(unit: Unit, asked: Sequence[str]) -> float:
    columns = _asked_columns(unit, asked)
    return COLUMN_WEIGHT if columns and len(columns) < len(unit.cells) / 2 else 0.0
