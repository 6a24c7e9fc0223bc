"""Vectors by the hash of their text: what is known is not embedded, and questions are not kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sqlmodel import select

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.evidence.dense.embedding_cache import Remembering, embed
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow


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
