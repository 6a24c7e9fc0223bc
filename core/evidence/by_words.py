"""The evidence that has the words of a text, ranked in memory: none of it is loaded."""

from __future__ import annotations

from dataclasses import dataclass

from core.evidence.lexical.analyzer import content_words
from core.evidence.query.asked import bounded
from core.evidence.query.expansion import QueryExpansion
from core.evidence.ranking.signals import Signals
from core.evidence.search import EvidenceSearch
from core.manner import Mode
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader


@dataclass(frozen=True)
class RankedPiece:
    """A piece by its id, on its page; `score` is fused."""

    piece: str
    page: PageKey
    score: float


def ranked_by_words(
    evidence: EvidenceSearch, text: str, reader: Reader = EVERYBODY
) -> list[RankedPiece]:
    """What the reader may see, the best first, for a text made of words of the pages.

    So there are no synonyms in it, no corrections, and nothing by meaning.
    """
    if (state := evidence.index.caught_up()) is None:
        return []
    readable, text = evidence.index.readable(state, reader), bounded(text)
    ranking = evidence.ranking.by(Mode.WORDS)
    words = QueryExpansion(readable, None, ranking).of(text)
    signals = Signals(readable, words, ranking, frozenset(content_words(text)))
    found = signals.fused(signals.by_words(), None)
    return [RankedPiece(each.piece, each.on, each.fused) for each in found]
