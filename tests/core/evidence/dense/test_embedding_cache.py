"""Vectors by the hash of their text: what is known is not embedded, and questions are not kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sqlmodel import select
from wiki import page, part, piece, row

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.evidence import EvidenceStore
from core.evidence.dense.embedding_cache import Remembering, embed, known
from core.evidence.spans import texts_of
from core.models import Kind
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow

GUIDE = page("1", "Crane guide")
PIECES = (
    piece("Stop at 8 Beaufort. Then wait.", "1"),
    piece("- Unplug it\n- Wait", "1", kind=Kind.LIST, position=1),
    part(row(1, Crane="P3", Floor="2"), row(2, Crane="P4", Floor="3")),
)


class Counting:
    """The bundled encoder, and what it was asked, call by call."""

    name = Bundled.name

    def __init__(self, real: Bundled) -> None:
        self._real = real
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return self._real.embed(texts)


@pytest.fixture
def counting(embedder: Bundled) -> Counting:
    return Counting(embedder)


def rows(database: Database) -> int:
    with database.reading() as session:
        return len(session.exec(select(EmbeddingRow)).all())


def test_what_sql_knows_is_not_embedded_and_the_rest_at_once(
    database: Database, counting: Counting, embedder: Bundled
) -> None:
    embed(database, embedder, ["Stop.", "Wait."])
    texts = ["Go.", "Wait.", "Come.", "Stop.", "Go."]
    vectors = Remembering(database, counting).embed(texts)
    assert counting.calls == [["Go.", "Come."]]
    assert np.allclose(vectors, embedder.embed(texts), atol=1e-5)


def test_a_question_is_not_kept(database: Database, counting: Counting) -> None:
    Remembering(database, counting).embed(["Who asked this?"])
    assert rows(database) == 0


def test_all_that_an_answer_may_quote_of_a_page_is_embedded_beforehand(
    store: EvidenceStore, embedder: Bundled
) -> None:
    store.prepare_quotes(GUIDE, PIECES)
    texts = texts_of(GUIDE, PIECES)
    assert {"Stop at 8 Beaufort.", "Then wait.", "- Unplug it\n- Wait"} < texts
    assert any("P4" in text and "P3" not in text for text in texts)
    assert known(store.database, embedder, sorted(texts)).keys() == texts


def test_it_is_embedded_once(store: EvidenceStore) -> None:
    for _ in range(2):
        store.prepare_quotes(GUIDE, PIECES)
    assert rows(store.database) == len(texts_of(GUIDE, PIECES))
