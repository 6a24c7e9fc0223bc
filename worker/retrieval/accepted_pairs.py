"""Accepted pairs lead a question to the piece that has answered the same question before.

They only put first what the search has found for this reader anyway: no pair shows anybody a page,
and none brings in a piece by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.embeddings import Embedder, Vectors
from core.models import Hit
from core.pairs import pairs
from core.pairs.pairs import Pair
from core.states import PairState
from core.storage.database import Database

# From this cosine on a question is taken for the same as a pair's. Below, pairs of other questions
# mislead the search more often than pairs of the same one help it: docs/benchmarks.md, "Pairs".
SAME = 0.85


class AcceptedPairs:
    """Those of this installation, read anew when others are accepted."""

    def __init__(self, database: Database, embedder: Embedder, *, same: float = SAME) -> None:
        """`same`: the cosine from which two questions are the same."""
        self._database = database
        self._embedder = embedder
        self._same = same
        self._version = (0, 0.0)
        self._pairs: Sequence[Pair] = ()
        self._vectors: Vectors = np.zeros((0, 1), np.float32)

    def first(self, question: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        """The hits, with the piece first that answers the same question; else as they are."""
        pair = self._nearest(question) if len(hits) > 1 else None
        if pair is None:
            return hits
        place = _place(pair, hits)
        if not place:
            return hits
        raised = hits[place].model_copy(update={"score": hits[0].score})
        return (raised, *hits[:place], *hits[place + 1 :])

    def alike(self, question: str, most: int) -> list[Pair]:
        """The nearest that ask for the same, the nearest first."""
        self._bring_up_to_date()
        if not self._pairs:
            return []
        alike = self._vectors @ self._embedder.embed([question])[0]
        nearest = (int(place) for place in np.argsort(-alike)[:most])
        return [self._pairs[place] for place in nearest if alike[place] >= self._same]

    def _nearest(self, question: str) -> Pair | None:
        return next(iter(self.alike(question, 1)), None)

    def _bring_up_to_date(self) -> None:
        version = pairs.version(self._database)
        if version == self._version:
            return
        accepted = pairs.of_state(self._database, PairState.ACCEPTED)
        if accepted:
            self._vectors = self._embedder.embed([pair.question for pair in accepted])
        self._pairs, self._version = accepted, version


def _place(pair: Pair, hits: Sequence[Hit]) -> int | None:
    """Of its piece among the hits; else of the first piece of its page."""
    on_page = None
    for place, hit in enumerate(hits):
        if hit.evidence.id == pair.evidence_id:
            return place
        if on_page is None and hit.page.key == pair.page:
            on_page = place
    return on_page
