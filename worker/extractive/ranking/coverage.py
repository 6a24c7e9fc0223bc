"""Coverage: which share of a question's words a span says, itself or by where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.evidence.query.thesaurus import Phrase
from core.evidence.spans import Span

# Of a word found in title or heading, against one in the span itself: the subject is named there.
HEADING_WEIGHT = 1.4
# The same for a word elsewhere in its piece, which is shown around it.
NEAR_WEIGHT = 0.5
OTHERWISE_WEIGHT = 0.8  # of a word, in any of these places, that they call otherwise

Weights = Mapping[str, float]  # by term


@dataclass(frozen=True)
class AskedTerms:
    """The terms of a question with their weights, and what else says them."""

    weights: Weights
    otherwise: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)

    def coverage(self, span: Span) -> float:
        """Which share of their weight the span has: 0 to 1, and more where headings have them."""
        total = sum(self.weights.values())
        if not total:
            return 0.0
        covered = (weight * self._said(term, span) for term, weight in self.weights.items())
        return sum(covered) / total

    def _said(self, term: str, span: Span) -> float:
        """How far the span says this term."""
        places = list(_places(span))
        itself = (weight for weight, terms in places if term in terms)
        phrases = self.otherwise.get(term, ())
        called = (
            OTHERWISE_WEIGHT * weight
            for weight, terms in places
            if any(phrase <= terms for phrase in phrases)
        )
        return max(next(itself, 0.0), next(called, 0.0))


def _places(span: Span) -> Iterator[tuple[float, frozenset[str]]]:
    """Where the terms of a span stand, the nearest first."""
    yield 1.0, span.own_terms
    yield HEADING_WEIGHT, span.context_terms
    yield NEAR_WEIGHT, span.near_terms
