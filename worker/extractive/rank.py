"""Ranks what can be quoted: how well a sentence, an item or a row answers the question.

A unit's score is the share of the question's weight that its words cover (a word weighs as much as it is rare; what the
conversation added weighs less than what was asked),
plus its similarity in meaning, what the search thinks of its evidence, and what fits the kind of the question. Nothing in it
depends on the other hits: else taking one piece away would shift all others, and Explain would call it a cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.embeddings import Embedder, Vectors
from core.evidence.lexical.analyzer import content_words
from core.models import Hit, Kind
from core.question import Completed, QuestionKind
from worker.extractive.spans import Span, units
from worker.extractive.table_rows import Rarity, asked_columns

CONTEXT_WEIGHT = 0.4  # of a word that the conversation added, against one that was asked
TELLING = 3  # words of a question that says enough by itself
CONTEXT_SHARE = 0.5  # of the weight of its words is the most that its conversation may weigh
HEADING_WEIGHT = 1.1  # of a word found in title or heading, against one in the unit itself: what it is about is said there
MEANING_WEIGHT = 0.4  # of the cosine similarity, against full coverage of the words
SEARCH_WEIGHT = 1.0  # of the search's own opinion of the evidence
SURE = 7.0  # fused score (a sum of z-scores) from which the search's opinion counts in full
COLUMN_WEIGHT = 0.2  # of a row that has a column of the name that was asked for
PLACE_WEIGHT = 0.2
NEWS_WEIGHT = 0.2  # of a unit that says something which the question does not
NEWS = 5  # words that count as such
KIND_WEIGHT = 0.25  # of what the kind of the question asks for
LONG_WEIGHT = 0.2  # taken from a unit of twice the length from which it is long
LONG = 300  # characters
WHOLE_LISTS = {
    QuestionKind.LIST,
    QuestionKind.PROCEDURE,
}  # kinds of question whose answer is not one item
EMBEDDED = 32  # units whose similarity is computed: the best by words


Terms = Callable[[str], Sequence[str]]


@dataclass(frozen=True)
class ScoredSpan:
    """A unit, how well it answers, and how much it covers of what was asked: of a row also what the conversation says."""

    score: float
    asked: float
    unit: Span


class Ranker:
    """Scores units; `rarity` says how much a word weighs, 0 for one that stands everywhere."""

    def __init__(self, embedder: Embedder, rarity: Rarity, terms: Terms = content_words) -> None:
        """`terms` gives the index terms of a question, and what stands for those that no page has."""
        self.rarity = rarity
        self._terms = terms
        self._embedder = embedder
        self._vector = lru_cache(maxsize=4096)(lambda text: self._embedder.embed([text])[0])

    def rank(self, completed: Completed, hits: Sequence[Hit]) -> list[ScoredSpan]:
        """The units that answer best, the best first."""
        asked = {term: self.rarity(term) for term in self._terms(completed.question)}
        added = [term for part in completed.context for term in self._terms(part)]
        context = {term: CONTEXT_WEIGHT * self.rarity(term) for term in added if term not in asked}
        weights = _limited(context, sum(asked.values()) if len(asked) >= TELLING else 0.0) | asked
        by_words = sorted(
            units(hits, whole_lists=completed.kind in WHOLE_LISTS),
            key=lambda unit: (-_coverage(unit, weights), unit.number),
        )[:EMBEDDED]
        question = self._vector(completed.text)
        scored = [
            ScoredSpan(
                score=_words_score(unit, weights, asked)
                + self._meaning(question, unit)
                + _fitting(unit, completed.kind),
                asked=_coverage(unit, weights if unit.is_row else asked),
                unit=unit,
            )
            for unit in by_words
        ]
        return sorted(scored, key=lambda item: -item.score)

    def _meaning(self, question: Vectors, unit: Span) -> float:
        return MEANING_WEIGHT * max(0.0, float(self._vector(unit.text) @ question))


def _limited(context: Mapping[str, float], asked: float) -> dict[str, float]:
    """However much the conversation has said, a question that says enough by itself weighs more; `asked` 0 is no limit."""
    total = sum(context.values())
    shrink = min(1.0, CONTEXT_SHARE * asked / total) if asked and total else 1.0
    return {term: shrink * weight for term, weight in context.items()}


def _words_score(unit: Span, weights: Mapping[str, float], asked: Mapping[str, float]) -> float:
    """What the unit's words and the search say of it."""
    covered = _coverage(unit, weights) + _has_columns(unit, asked) + _news(unit, weights)
    return covered + _opinion(unit.hit) - LONG_WEIGHT * _length(unit)


def _coverage(unit: Span, weights: Mapping[str, float]) -> float:
    """Which share of the weight of these words the unit has, 0 to 1."""
    total = sum(weights.values())
    own = sum(w for term, w in weights.items() if term in unit.own_terms)
    above = sum(
        w
        for term, w in weights.items()
        if term in unit.context_terms and term not in unit.own_terms
    )
    return (own + HEADING_WEIGHT * above) / total if total else 0.0


def _fitting(unit: Span, kind: QuestionKind) -> float:
    """What the kind of the question asks for; a statement of place in the organization is made for questions that ask for one."""
    return KIND_WEIGHT * _fits(unit, kind) + (
        PLACE_WEIGHT if unit.hit.evidence.kind is Kind.PLACE else 0.0
    )


def _opinion(hit: Hit) -> float:
    """What the search thinks of the evidence, 0 to SEARCH_WEIGHT, from its own score alone."""
    return SEARCH_WEIGHT * min(max(hit.score / SURE, 0.0), 1.0)


def _has_columns(unit: Span, asked: Mapping[str, float]) -> float:
    columns = asked_columns(unit, asked)
    return COLUMN_WEIGHT if columns and len(columns) < len(unit.cells) / 2 else 0.0


def _news(unit: Span, weights: Mapping[str, float]) -> float:
    """A heading in other words, or the question itself, covers every word that was asked and answers nothing."""
    if unit.text.rstrip().endswith("?"):
        return 0.0
    return NEWS_WEIGHT * min(len(unit.own_terms - weights.keys()) / NEWS, 1.0)


def _length(unit: Span) -> float:
    """A log or a page-long sentence covers words by its mere length; of a row, only some cells are shown, and a list is asked for whole."""
    return (
        0.0
        if unit.is_row or (unit.is_list and "\n" in unit.text)
        else min(max(len(unit.text) - LONG, 0) / LONG, 1.0)
    )


_CAUSE = re.compile(
    r"\b(because|since|due to|owing to|caused?|causing|reasons?|so that|in order to|as a result|stems?|to avoid|"
    r"weil|da|wegen|damit|um .+ zu|ursachen?|gr[uü]nde?|aufgrund|dadurch|deshalb|denn|verursacht\w*|liegt (daran|an))\b",
    re.IGNORECASE,
)
_CAUSE_HEADING = re.compile(
    r"\b(causes?|why|reasons?|rationale|motivation|background|ursachen?|warum|gr[uü]nde?|begründung|hintergrund)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(if|when|in case|once|unless|whenever|wenn|falls|sobald|im fall\w*|sofern)\b", re.IGNORECASE
)


def _cause(unit: Span) -> float:
    """A cell says what is, seldom why."""
    if unit.is_row:
        return 0.5 if any(_CAUSE_HEADING.search(name) for name, _ in unit.cells) else -3.0
    below = any(_CAUSE_HEADING.search(heading) for heading in unit.hit.evidence.heading_path)
    return float(below) + float(bool(_CAUSE.search(unit.text)))


def _hypothetical(unit: Span) -> float:
    return 1.0 if _CONDITION.search(unit.text) else 0.0


def _procedure(unit: Span) -> float:
    return 1.0 if unit.hit.evidence.kind in (Kind.LIST, Kind.CODE, Kind.TASK) else 0.0


def _list(unit: Span) -> float:
    return (
        0.5
        if unit.hit.evidence.kind in (Kind.LIST, Kind.TASK, Kind.CHILD_PAGES) or unit.is_row
        else 0.0
    )


# What fits a kind of question, -3 to 2; other kinds prefer nothing.
_FITS: Mapping[QuestionKind, Callable[[Span], float]] = {
    QuestionKind.CAUSE: _cause,
    QuestionKind.HYPOTHETICAL: _hypothetical,
    QuestionKind.PROCEDURE: _procedure,
    QuestionKind.LIST: _list,
}


def _fits(unit: Span, kind: QuestionKind) -> float:
    return _FITS[kind](unit) if kind in _FITS else 0.0
