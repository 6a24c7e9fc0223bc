"""The evidence store over SQLite, FTS5, a real Chroma and the real encoder."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece, row

from core.database import Database
from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.errors import StoreUnavailable
from core.evidence import EvidenceStore, Found
from core.evidence.lexical import LexicalIndex
from core.evidence.store import CANDIDATES, PER_PAGE
from core.evidence.vectors import VectorStore
from core.models import Evidence, Kind, Page

NOBODY = VectorStore("http://127.0.0.1:1", "any")


class Counting:
    """An embedder that remembers what it was given."""

    def __init__(self, embedder: Bundled) -> None:
        self.name = embedder.name
        self.embedded: list[str] = []
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return self._embedder.embed(texts)


def put(store: EvidenceStore, on: Page, *pieces: Evidence) -> int:
    return store.replace(on, pieces, body_hash="hash", made_by="test")


def texts(found: Found) -> list[str]:
    return [hit.evidence.text for hit in found.hits]


def search(store: EvidenceStore, question: str, k: int = 10) -> list[str]:
    found = store.search(question, k)
    assert not found.words_only
    return texts(found)


def without_chroma(store: EvidenceStore) -> EvidenceStore:
    return EvidenceStore(store.database, store.lexical, NOBODY, store.embedder)


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    """Two pages."""
    put(store, page("1", "Leave"), piece(LEAVE, "1"), piece(BACKUP, "1"))
    put(store, page("2", "Travel"), piece(HOTEL, "2"))
    return store


def test_an_empty_store_finds_nothing(store: EvidenceStore) -> None:
    assert search(store, "How much leave is there?") == []


def test_a_replaced_page_is_found_with_its_page_and_its_scores(filled: EvidenceStore) -> None:
    best, *others = filled.search("What does a hotel in Porto cost?", 10).hits
    assert (best.evidence.text, best.page) == (HOTEL, page("2", "Travel"))
    assert best.lexical > 0
    assert best.dense > 0
    assert [other.score for other in others] == sorted((other.score for other in others), reverse=True)
    assert best.score > others[0].score


def test_a_question_in_another_language_finds_the_meaning(filled: EvidenceStore) -> None:
    assert search(filled, "Wann läuft die Datensicherung?")[0] == BACKUP


def test_a_piece_found_by_words_alone_gets_its_similarity_all_the_same(store: EvidenceStore) -> None:
    near = [piece(f"Leave in Porto, day {n}.", "1") for n in range(CANDIDATES + 5)]
    put(store, page("1", "Leave"), *near)
    put(store, page("2", "Machines"), piece("The crane is called TERN-2238.", "2"))
    found = {hit.page.id: hit.dense for hit in store.search("Leave in Porto TERN-2238", 10).hits}
    vectors = store.embedder.embed(["Leave in Porto TERN-2238", "Machines\nThe crane is called TERN-2238."])
    assert found["2"] == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-3)


def test_at_most_k_pieces_are_found(filled: EvidenceStore) -> None:
    assert len(search(filled, "Porto", k=2)) == 2


def test_of_a_page_only_its_new_version_is_found(filled: EvidenceStore) -> None:
    put(filled, page("2", "Travel", version=2), piece("A room in Lisbon costs up to 120 EUR.", "2"))
    found = filled.search("hotel room", 10)
    assert HOTEL not in texts(found)
    assert [hit.page.version for hit in found.hits if hit.page.id == "2"] == [2]
    assert piece(HOTEL, "2").id not in filled.vectors.search(filled.embedder.embed([HOTEL]), 10)


def test_what_did_not_change_is_not_embedded_again(store: EvidenceStore, embedder: Bundled) -> None:
    store.embedder = counting = Counting(embedder)
    assert put(store, page(), piece(LEAVE), piece(HOTEL)) == 2
    assert put(store, page(version=2), piece(LEAVE), piece(HOTEL), piece(BACKUP)) == 1
    assert counting.embedded == [f"Handbook\n{text}" for text in (LEAVE, HOTEL, BACKUP)]


def test_a_new_title_or_heading_is_embedded_anew(store: EvidenceStore, embedder: Bundled) -> None:
    store.embedder = counting = Counting(embedder)
    put(store, page(), piece(LEAVE))
    assert put(store, page(title="Rules"), piece(LEAVE)) == 1
    assert put(store, page(title="Rules"), piece(LEAVE, heading_path=("Portugal", "Leave"))) == 1
    assert counting.embedded[1:] == [f"Rules\n{LEAVE}", f"Rules › Portugal › Leave\n{LEAVE}"]


def test_a_page_that_has_lost_its_evidence_is_not_found(filled: EvidenceStore) -> None:
    assert put(filled, page("2", "Travel")) == 0
    assert HOTEL not in search(filled, "hotel in Porto")
    assert sorted(filled.visible_pages()) == ["1", "2"]


def test_a_hidden_page_is_not_found(filled: EvidenceStore) -> None:
    filled.hide(page("2", "Travel"))
    assert search(filled, "hotel in Porto") == [LEAVE, BACKUP]
    assert filled.visible_pages() == ["1"]


def test_a_hidden_page_is_not_found_even_though_chroma_still_has_it(filled: EvidenceStore) -> None:
    without_chroma(filled).hide(page("2", "Travel"))
    assert piece(HOTEL, "2").id in filled.vectors.search(filled.embedder.embed([HOTEL]), 10)
    assert HOTEL not in search(filled, HOTEL)


def test_a_hidden_page_can_come_back(filled: EvidenceStore) -> None:
    filled.hide(page("2", "Travel"))
    assert put(filled, page("2", "Travel"), piece(HOTEL, "2")) == 0  # known from before
    assert search(filled, "hotel in Porto")[0] == HOTEL


def test_without_chroma_evidence_is_found_by_words_alone(filled: EvidenceStore) -> None:
    found = without_chroma(filled).search("hotel in Porto", 10)
    assert found.words_only
    assert texts(found) == [HOTEL, LEAVE]


def test_without_chroma_a_page_keeps_its_old_evidence(filled: EvidenceStore) -> None:
    with pytest.raises(StoreUnavailable):
        put(without_chroma(filled), page("2", "Travel", version=2), piece("Something else.", "2"))
    assert search(filled, "hotel in Porto")[0] == HOTEL


def test_a_search_sees_one_version_of_a_page_and_never_a_mixture(store: EvidenceStore) -> None:
    put(store, page("0", "Other"), piece(BACKUP, "0"))
    versions = [[piece(f"The {colour} hotel number {n}.") for n in range(3)] for colour in ("red", "blue")]
    seen: list[set[str]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append({hit.evidence.text.split()[1] for hit in store.search("hotel", 1 + len(seen) % 4).hits if hit.page.id == "1"})

    reader = threading.Thread(target=read)
    reader.start()
    for n in range(12):
        put(store, page("1", "Hotels", version=n), *versions[n % 2])
    done.set()
    reader.join()
    assert all(len(colours) <= 1 for colours in seen)
    assert {colour for colours in seen for colour in colours} <= {"red", "blue"}
    assert search(store, "hotel")[0].startswith("The blue hotel")


def test_a_long_page_does_not_crowd_out_the_others(store: EvidenceStore) -> None:
    put(store, page("1", "Hotels"), *[piece(f"Hotel {n} in Porto is a hotel.", "1") for n in range(8)])
    put(store, page("2", "Travel"), piece("Trains leave from Porto.", "2"))
    found = store.search("hotel in Porto", 10)
    assert [hit.page.id for hit in found.hits] == ["1"] * PER_PAGE + ["2"]


def test_the_best_rows_beside_a_table_are_those_that_match_the_question(store: EvidenceStore) -> None:
    table = piece("Member Task\nAlice Backup\nBen Travel", kind=Kind.TABLE, table=1)
    rows = [row(1, Member="Alice", Task="Backup"), row(2, Member="Ben", Task="Travel"), row(3, Member="Ben", Task="Backup")]
    put(store, page("1"), table, *rows)
    put(store, page("2"), row(1, page_id="2", Member="Ben", Task="Lunch"))
    store.search("anything", 1)  # brings the lexical index to the new revision
    best = store.best_rows("Which task does Ben have?", hit(table, page("1")), 2)
    assert [found.evidence for found in best] == [rows[1], rows[2]]
    assert best[0].lexical > 0


def test_chroma_emptied_is_filled_again_from_sql_without_the_embedder(filled: EvidenceStore, chroma_url: str) -> None:
    filled.vectors = VectorStore(chroma_url, f"{filled.database.url}-emptied")  # a collection that knows nothing
    filled.embedder = counting = Counting(Bundled())
    for page_id in filled.visible_pages():
        filled.rebuild(page_id)
    assert counting.embedded == []
    assert search(filled, "Wann läuft die Datensicherung?")[0] == BACKUP
    assert len(filled.vectors.search(counting.embed(["x"]), 10)) == 3


def test_an_index_file_of_another_database_is_made_anew(filled: EvidenceStore, tmp_path: Path, chroma_url: str, embedder: Bundled) -> None:
    search(filled, "Porto")
    database = Database(f"sqlite:///{tmp_path / 'another.db'}")
    database.migrate()
    other = EvidenceStore(database, LexicalIndex(tmp_path), VectorStore(chroma_url, f"{tmp_path}-other"), embedder)
    put(other, page("9", "Lisbon"), piece("Lisbon has 24 days.", "9"))
    (hit,) = other.search("Lisbon", 10).hits
    assert (hit.page.title, hit.lexical > 0) == ("Lisbon", True)
    (hit,) = other.search("Porto", 10).hits  # by meaning: nothing of the other database
    assert (hit.page.title, hit.lexical) == ("Lisbon", 0)
    database.close()
