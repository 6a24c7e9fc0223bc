"""What every vector store has to do: Chroma and pgvector, real ones, and arrays in memory."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from in_memory import InMemoryStores

from core.embeddings import Vectors
from core.errors import SettingsError, StoreUnavailable
from core.evidence.dense.chroma import BATCH
from core.evidence.dense.pgvector import PgVectors
from core.evidence.dense.vector_stores import VectorStore, VectorStores, vector_stores
from core.storage.tables import new_id

NOBODY = "http://127.0.0.1:1"
EAST, NORTH, SOUTH, NORTH_EAST = [1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.6, 0.8]


@pytest.fixture(params=["chroma", "pgvector", "in memory"])
def stores(request: pytest.FixtureRequest) -> VectorStores:
    if request.param == "in memory":
        return InMemoryStores()
    if request.param == "pgvector":
        return partial(PgVectors, request.getfixturevalue("with_vectors"))
    url: str = request.getfixturevalue("chroma_url")
    return vector_stores(url)


@pytest.fixture
def name() -> str:
    return new_id()


@pytest.fixture
def vectors(stores: VectorStores, name: str) -> VectorStore:
    """A collection of this test's own."""
    vectors = stores(name)
    vectors.create()
    return vectors


def rows(*vectors: list[float]) -> Vectors:
    """As unit vectors."""
    made = np.array(vectors, dtype=np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def found(vectors: VectorStore, near: list[float], limit: int = 10) -> list[str]:
    return list(vectors.search(rows(near), limit))


def test_an_empty_collection_finds_nothing(vectors: VectorStore) -> None:
    assert (found(vectors, EAST), vectors.count()) == ([], 0)


def test_the_nearest_come_first_with_their_cosine_similarity(vectors: VectorStore) -> None:
    vectors.replace("1", ["south", "east", "between"], rows(SOUTH, EAST, NORTH_EAST), there=())
    nearest = vectors.search(rows(NORTH), 10)
    assert list(nearest) == ["between", "east", "south"]
    # pgvector has them in half precision, which shows most where there are so few dimensions.
    assert list(nearest.values()) == pytest.approx([0.8, 0.0, -1.0], abs=2e-4)
    assert found(vectors, NORTH, limit=1) == ["between"]


def test_a_vector_under_a_known_id_is_the_new_one(vectors: VectorStore) -> None:
    vectors.replace("1", ["a"], rows(EAST), there=())
    vectors.replace("1", ["a"], rows(NORTH), there={"a"})
    assert vectors.search(rows(NORTH), 10) == {"a": pytest.approx(1.0, abs=1e-5)}


def test_what_is_there_for_a_page_is_told_and_deleted_and_other_pages_are_left(
    vectors: VectorStore,
) -> None:
    vectors.replace("1", ["old", "new"], rows(EAST, NORTH), there=())
    vectors.replace("2", ["other"], rows(EAST), there=())
    assert vectors.of_page("1") == {"old", "new"}
    vectors.delete(["old"])
    assert (vectors.of_page("1"), sorted(found(vectors, EAST))) == ({"new"}, ["new", "other"])


def test_a_page_of_more_pieces_than_fit_into_one_request_is_stored_whole(
    vectors: VectorStore,
) -> None:
    ids = [str(n) for n in range(BATCH + 1)]
    between = [[1.0, n / BATCH] for n in range(BATCH - 1)]
    vectors.replace("1", ids, rows([0.0, -1.0], *between, [0.0, 1.0]), there=())
    assert found(vectors, [0.0, 1.0], limit=1) == [ids[-1]]
    assert found(vectors, [0.0, -1.0], limit=1) == [ids[0]]


def test_a_collection_that_was_never_made_is_an_error_and_not_an_empty_answer(
    stores: VectorStores, name: str
) -> None:
    vectors = stores(name)
    with pytest.raises(StoreUnavailable, match="rebuild"):
        found(vectors, EAST)
    vectors.create()
    vectors.replace("1", ["a"], rows(EAST), there=())
    vectors.create()  # changes nothing
    assert (found(vectors, EAST), vectors.count()) == (["a"], 1)


def test_a_dropped_collection_is_gone_and_may_be_dropped_again(vectors: VectorStore) -> None:
    vectors.drop()
    vectors.drop()
    with pytest.raises(StoreUnavailable):
        vectors.count()


def test_a_collection_that_somebody_else_dropped_is_noticed_and_can_be_filled_again(
    stores: VectorStores, name: str, vectors: VectorStore
) -> None:
    vectors.replace("1", ["a"], rows(EAST), there=())
    stores(name).drop()
    with pytest.raises(StoreUnavailable):
        found(vectors, EAST)
    vectors.create()
    vectors.replace("1", ["b"], rows(EAST), there=())
    assert found(vectors, EAST) == ["b"]


def test_two_collections_do_not_know_each_other(stores: VectorStores, vectors: VectorStore) -> None:
    vectors.replace("1", ["a"], rows(EAST), there=())
    other = stores(new_id())
    other.create()
    assert (found(other, EAST), found(vectors, EAST)) == ([], ["a"])


def test_a_store_that_does_not_answer_is_unavailable_whatever_is_asked_of_it() -> None:
    vectors = vector_stores(NOBODY)("any")
    with pytest.raises(StoreUnavailable, match="CHROMA_URL"):
        vectors.create()
    with pytest.raises(StoreUnavailable):
        found(vectors, EAST)
    with pytest.raises(StoreUnavailable):
        vectors.replace("1", ["a"], rows(EAST), there=())
    with pytest.raises(StoreUnavailable):
        vectors.delete(["a"])


def test_an_address_that_no_adapter_knows_is_a_wrong_setting() -> None:
    with pytest.raises(SettingsError, match="CHROMA_URL=redis:"):
        vector_stores("redis://127.0.0.1:6379")
