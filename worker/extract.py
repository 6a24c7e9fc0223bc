"""Answers without a model: quotes the sentences, list items or cells that answer best, and cites them.

A unit's score is the share of the question's weight that its words cover (a word weighs as much as it is rare; what the
conversation added weighs less than what was asked; a word in title or heading counts less than one in the unit itself),
plus its similarity in meaning, plus a little for the rank of its evidence. Without a piece of evidence its quotes are gone,
so Explain works on these answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.embeddings import Embedder, Vectors
from core.evidence.analyze import content_words, words
from core.models import Completed, Hit, Kind
from worker.cite import without_brackets
from worker.units import Unit, units

CONTEXT_WEIGHT = 0.4  # of a word that the conversation added, against one that was asked
HEADING_WEIGHT = 0.6  # of a word found in title or heading, against one in the unit itself
MEANING_WEIGHT = 0.5  # of the cosine similarity, against full coverage of the words
RANK_WEIGHT = 0.1  # of the evidence's rank
EMBEDDED = 24  # units whose similarity is computed: the best by words
ENOUGH = 0.45  # a best unit below this score does not answer the question
CLOSE = 0.92  # further quotes must reach this part of the best one's score
MOST_QUOTES = 3
MOST_ITEMS = 12  # of a list that is quoted whole

_ASKS_FOR_A_LIST = frozenset(["which", "list", "steps", "how", "what", "welche", "welcher", "wie", "liste", "schritte"])


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
        quotes = [self._quote(completed, scored.unit) for scored in _close(best)]
        return "\n".join(dict.fromkeys(quotes))

    def _best(self, completed: Completed, hits: Sequence[Hit]) -> list[_Scored]:
        """The units that answer best, the best first."""
        weights = self._weights(completed)
        by_words = sorted(((_coverage(unit, weights), unit) for unit in units(hits)), key=lambda pair: (-pair[0], pair[1].number))
        question = self._vector(completed.text)
        scored = [_Scored(words + self._meaning(question, unit) + _rank(unit, len(hits)), unit) for words, unit in by_words[:EMBEDDED]]
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
            text = _cells(unit, completed)
        elif unit.hit.evidence.kind is Kind.CODE:
            return f"{unit.text}\n[{unit.number}]"
        elif unit.hit.evidence.kind is Kind.LIST and _ASKS_FOR_A_LIST & set(completed.question.lower().split()):
            return f"{_whole_list(unit)}\n[{unit.number}]"
        else:
            text = f"“{unit.text.lstrip('-•* ')}”"
        return f"{without_brackets(text)} [{unit.number}]"


def _coverage(unit: Unit, weights: dict[str, float]) -> float:
    total = sum(weights.values())
    own = sum(w for term, w in weights.items() if term in unit.own_terms)
    above = sum(w for term, w in weights.items() if term in unit.context_terms and term not in unit.own_terms)
    return (own + HEADING_WEIGHT * above) / total if total else 0.0


def _rank(unit: Unit, count: int) -> float:
    return RANK_WEIGHT * (1 - (unit.number - 1) / count)


def _close(best: list[_Scored]) -> list[_Scored]:
    """The best one, and what is nearly as good and of the same kind: two cells beside a sentence would be noise."""
    first = best[0]
    if first.unit.hit.evidence.kind in (Kind.LIST, Kind.CODE):
        return [first]
    alike = [s for s in best if s.score >= CLOSE * first.score and bool(s.unit.cells) == bool(first.unit.cells)]
    return alike[:MOST_QUOTES]


def _whole_list(unit: Unit) -> str:
    lines = (unit.hit.evidence.raw or unit.hit.evidence.text).splitlines()
    more = [f"… and {len(lines) - MOST_ITEMS} more"] if len(lines) > MOST_ITEMS else []
    return without_brackets("\n".join([*lines[:MOST_ITEMS], *more]))


def _cells(unit: Unit, completed: Completed) -> str:
    """The cells that were asked for, led by the cells that say which row it is."""
    asked = _asked_columns(unit, content_words(completed.question))
    wanted = {term for part in (completed.question, *completed.context) for term in content_words(part)}
    named = [value for name, value in unit.cells if name not in asked and wanted & set(words(value))]
    shown = [(name, value) for name, value in unit.cells if name in asked or not asked]
    lead = f"**{', '.join(named[:2])}**: " if named and asked else ""
    return lead + "; ".join(f"{name} is {value}" for name, value in shown if value)


def _asked_columns(unit: Unit, asked: Sequence[str]) -> set[str]:
    """Columns named in the question; a word shared by several columns counts for each of them in part."""
    columns = {name: set(words(name)) for name, _ in unit.cells}
    sharing = {term: sum(term in named for named in columns.values()) for term in asked}
    scores = {name: sum(1 / sharing[term] for term in set(asked) & named) for name, named in columns.items()}
    return {name for name, score in scores.items() if score > 0.5}
