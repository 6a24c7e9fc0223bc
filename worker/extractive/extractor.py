"""Answers without a model: picks the sentences, list items or cells that answer best, by the kind of the question.

Which unit answers best is worker.extractive.rank, what is quoted beside it worker.extractive.select, and how it is written down worker.extractive.render. Without
a piece of evidence its quotes are gone, so Explain works on these answers too.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.embeddings import Embedder
from core.evidence.lexical.analyzer import content_words
from core.models import Hit, Length
from core.question import Completed
from worker.extractive.rank import Ranker, ScoredSpan, Terms
from worker.extractive.render import quotes
from worker.extractive.select import chosen
from worker.extractive.table_rows import Rarity

ENOUGH = 0.95  # a best unit below this score does not answer the question
NOTHING, UNSURE = (
    0.1,
    1.4,
)  # nor does one that has nothing of what was asked, unless its score is high all the same
LOOKED_AT = 3  # of the best units


class Extractor:
    """Picks quotes; `rarity` says how much a word weighs, 0 for one that stands everywhere."""

    def __init__(self, embedder: Embedder, rarity: Rarity, terms: Terms = content_words) -> None:
        self._ranker = Ranker(embedder, rarity, terms)

    def extract(
        self, completed: Completed, hits: Sequence[Hit], length: Length = Length.NORMAL
    ) -> str | None:
        """Markdown with [n] citations of evidence by its place among the hits; None when nothing there answers."""
        best = self._ranker.rank(completed, hits)
        if not best or best[0].score < ENOUGH or _is_about_something_else(best):
            return None
        return quotes(
            chosen(best, completed, self._ranker.rarity, length), completed, self._ranker.rarity
        )


def _is_about_something_else(best: Sequence[ScoredSpan]) -> bool:
    """No page speaks of what was asked: the best units only look like it."""
    return best[0].score < UNSURE and all(scored.asked < NOTHING for scored in best[:LOOKED_AT])
