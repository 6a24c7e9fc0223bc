"""Vectors of what answers may quote, made with the evidence."""

from __future__ import annotations

from sqlmodel import select
from wiki import page, part, piece, row

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceStore
from core.evidence.dense.embedding_cache import known
from core.evidence.spans import texts_of
from core.models import Kind
from core.storage.index_tables import EmbeddingRow
from indexer.evidence.quotes import embed_quotes

GUIDE = page("1", "Crane guide")
PIECES = (
    piece("Stop at 8 Beaufort. Then wait.", "1"),
    piece("- Unplug it\n- Wait", "1", kind=Kind.LIST, position=1),
    part(row(1, Crane="P3", Floor="2"), row(2, Crane="P4", Floor="3")),
)


def test_all_that_an_answer_may_quote_of_a_page_is_embedded_beforehand(
    store: EvidenceStore, embedder: Bundled
) -> None:
    embed_quotes(store, GUIDE, PIECES)
    texts = texts_of(GUIDE, PIECES)
    assert {"Stop at 8 Beaufort.", "Then wait.", "- Unplug it\n- Wait"} < texts
    assert any("P4" in text and "P3" not in text for text in texts)
    assert known(store.database, embedder, sorted(texts)).keys() == texts


def test_it_is_embedded_once(store: EvidenceStore) -> None:
    for _ in range(2):
        embed_quotes(store, GUIDE, PIECES)
    with store.database.reading() as session:
        kept = session.exec(select(EmbeddingRow)).all()
    assert len(kept) == len(texts_of(GUIDE, PIECES))
