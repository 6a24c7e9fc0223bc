"""Embeds what answers may quote of a page, which they compare with questions by itself."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence import EvidenceStore
from core.evidence.dense.embedding_cache import embed
from core.evidence.spans import texts_of
from core.models import Evidence, Page


def embed_quotes(store: EvidenceStore, page: Page, pieces: Sequence[Evidence]) -> None:
    """Keep the vectors of all spans of these pieces in SQL, by the hashes of their texts.

    Raises:
        StoreUnavailable: the embedder does not answer.
    """
    embed(store.database, store.live().embedder, sorted(texts_of(page, pieces)))
