"""Codes of vectors: without a vector store the nearest pieces are found all the same."""

from __future__ import annotations

import time

import numpy as np
import pytest
from wiki import key, page, piece, put, searching

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.evidence import Dense, EvidenceStore, Query
from core.evidence.dense.coded import BY_CODE, candidates
from core.evidence.dense.in_sql import in_sql
from core.evidence.dense.rebuild import needs_rebuild, rebuild
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.builder import Incoming, PageEntries, PieceEntry
from core.evidence.lexical.index import LexicalIndex
from core.evidence.lexical.readable import ReadableSnapshot
from core.evidence.lexical.segments.codes import codes_of, distances, products
from core.evidence.lexical.snapshot import Snapshot
from core.policy.acl import OPEN_ID
from core.storage.tables import new_id

PIECES = 2 * BY_CODE
FEW = "few"


def vectors(count: int, dimensions: int = 512) -> Vectors:
    """Unit vectors around a hundred subjects, as those of texts are."""
    chance = np.random.default_rng(3)
    subjects = chance.standard_normal((100, dimensions))
    found = chance.standard_normal((count, dimensions)) + subjects[np.arange(count) % 100]
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize("dimensions", [8, 384, 512, 1000, 1024])
def test_a_distance_is_the_number_of_signs_that_differ(dimensions: int) -> None:
    some = vectors(40, dimensions)
    codes = codes_of(some)
    differing = ((some > 0) != (some[:1] > 0)).sum(axis=1)
    assert distances(codes, codes[:1]).tolist() == differing.tolist()
    signs = np.where(some > 0, 1.0, -1.0)
    assert products(codes, some[:1]) == pytest.approx(signs @ some[0], abs=1e-3)


@pytest.fixture(scope="module")
def many() -> Vectors:
    return vectors(PIECES)


@pytest.fixture(scope="module")
def snapshot(many: Vectors) -> Snapshot:
    """Of two segments; every hundredth page is for few."""
    segments = []
    for first in range(0, PIECES, BY_CODE):
        new = Incoming()
        for number in range(first, first + BY_CODE):
            acl = FEW if number % 100 == 0 else OPEN_ID
            raw = many[number].astype("<f4").tobytes()
            entry = PieceEntry(str(number), acl, "", "crane", vector=raw)
            new.add(PageEntries(key(str(number)), acl, "Crane", [entry]))
        segments.append(new.segment())
    return Snapshot.of(segments)


def test_nearly_all_of_the_nearest_are_among_the_candidates(
    snapshot: Snapshot, many: Vectors
) -> None:
    readable = ReadableSnapshot(snapshot, snapshot.readable({OPEN_ID, FEW}))
    missed = 0
    for asked in many[5::400]:
        nearest = np.argsort(-(many @ asked))[:10]
        missed += len(set(map(str, nearest)) - set(candidates(readable, asked[np.newaxis])))
    assert missed <= 1


def test_a_reader_of_one_piece_in_a_hundred_has_all_of_them_compared(
    snapshot: Snapshot, many: Vectors
) -> None:
    readable = ReadableSnapshot(snapshot, snapshot.readable({FEW}))
    found = candidates(readable, many[:1])
    assert sorted(map(int, found)) == list(range(0, PIECES, 100))


def test_what_changes_is_found_by_meaning_at_once_and_what_is_gone_is_not(
    coded: EvidenceStore,
) -> None:
    put(coded, page("1", "Leave"), piece("Porto has 25 days of leave.", "1"))
    search = searching(coded)
    assert similar(search.search(Query("holidays"), 5)) == ["1"]
    put(coded, page("2", "Vacation"), piece("Everybody rests in August.", "2"))
    assert sorted(similar(search.search(Query("holidays"), 5))) == ["1", "2"]
    coded.hide(page("1", "Leave"))
    assert similar(search.search(Query("holidays"), 5)) == ["2"]


def similar(result: object) -> list[str]:
    """The pages of what was found by meaning."""
    assert not result.words_only  # type: ignore[attr-defined]
    return [hit.page.id for hit in result.hits if hit.dense]  # type: ignore[attr-defined]


def test_scores_are_those_that_a_vector_store_finds(
    coded: EvidenceStore, chroma_url: str, embedder: Bundled
) -> None:
    texts = ["Porto has 25 days.", "A hotel costs 110 EUR.", "Stand-up is at nine."]
    for number, text in enumerate(texts):
        put(coded, page(str(number), f"Page {number}"), piece(text, str(number)))
    ours = searching(coded).search(Query("nights in a hotel"), 5).hits
    dense = Dense(vector_stores(chroma_url), lambda _name: embedder, wanted="bundled")
    rebuild(coded.database, dense)
    other = EvidenceStore(coded.database, coded.lexical, dense)
    theirs = searching(other).search(Query("nights in a hotel"), 5).hits
    assert [hit.evidence.id for hit in ours] == [hit.evidence.id for hit in theirs]
    assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], abs=1e-3)


def test_a_store_is_given_up_and_taken_up_again(
    coded: EvidenceStore, store: EvidenceStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    put(store, page("1", "Leave"), piece("Porto has 25 days of leave.", "1"))
    # Before anything is made anew, the vectors in SQL are enough.
    assert similar(searching(coded).search(Query("holidays"), 5)) == ["1"]
    assert "another store" in needs_rebuild(coded.database, coded.dense)
    rebuild(coded.database, coded.dense)
    assert needs_rebuild(coded.database, coded.dense) == ""
    put(coded, page("2", "Vacation"), piece("Everybody rests in August.", "2"))
    assert "another store" in needs_rebuild(store.database, store.dense)
    rebuild(store.database, store.dense)
    fresh = LexicalIndex(tmp_path_factory.mktemp("fresh"))
    back = EvidenceStore(store.database, fresh, store.dense)
    assert sorted(similar(searching(back).search(Query("holidays"), 5))) == ["1", "2"]


class Reversed:
    """Another embedder: of every text another vector."""

    name = f"reversed-{new_id()}"

    def __init__(self, embedder: Bundled) -> None:
        self._embedder = embedder

    def embed(self, texts: list[str]) -> Vectors:
        return np.ascontiguousarray(self._embedder.embed(texts)[:, ::-1])


def test_another_embedder_has_codes_made_beside_those_in_use(
    coded: EvidenceStore, embedder: Bundled
) -> None:
    put(coded, page("1", "Leave"), piece("Porto has 25 days of leave.", "1"))
    search = searching(coded)
    search.search(Query("holidays"), 5)
    loaded = {"bundled": embedder, "reversed": Reversed(embedder)}
    dense = Dense(in_sql, loaded.__getitem__, wanted="reversed", is_in_sql=True)  # type: ignore[arg-type]
    rebuild(coded.database, dense)
    lexical = LexicalIndex(coded.lexical._files._folder, dense.coder)
    again = searching(EvidenceStore(coded.database, lexical, dense))
    first = again.search(Query("Porto"), 5)
    assert [hit.page.id for hit in first.hits] == ["1"]  # by words at least
    until = time.monotonic() + 30
    while again.search(Query("holidays"), 5).words_only:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert similar(again.search(Query("holidays"), 5)) == ["1"]
