"""The evidence store over SQLite, FTS5, a real Chroma and the real encoder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from sqlmodel import col, delete, select, update
from wiki import BACKUP, HOTEL, LEAVE, hit, key, near, page, part, piece, put, row, searching

from core.embeddings import Embedder, Vectors
from core.embeddings.bundled import Bundled
from core.errors import StoreUnavailable
from core.evidence import Dense, EvidenceSearch, EvidenceStore, Query, SearchResult
from core.evidence.dense.nearest import nearest
from core.evidence.dense.rebuild import needs_rebuild, rebuild
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.entries import PAGES_AT_ONCE
from core.evidence.lexical.index import LexicalIndex
from core.evidence.lexical.readable import ReadableSnapshot
from core.evidence.query.asked import MOST_WORDS
from core.evidence.ranking.weights import PRODUCT
from core.policy import acl
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow, EvidenceRow, IndexRow, PageRow

NOBODY = "http://127.0.0.1:1"


class Counting:
    """An embedder that remembers what it was given."""

    def __init__(self, embedder: Bundled) -> None:
        self.name = embedder.name
        self.embedded: list[str] = []
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return self._embedder.embed(texts)


def texts(found: SearchResult) -> list[str]:
    return [hit.evidence.text for hit in found.hits]


def search(store: EvidenceStore, question: str, k: int = 10) -> list[str]:
    found = searching(store).search(Query(question), k)
    assert not found.words_only
    return texts(found)


def without_chroma(store: EvidenceStore) -> EvidenceStore:
    embedder = store.live().embedder
    return EvidenceStore(
        store.database,
        store.lexical,
        Dense(vector_stores(NOBODY), lambda _name: embedder, wanted="bundled"),
    )


def in_chroma(store: EvidenceStore, text: str) -> dict[str, float]:
    """What Chroma alone finds."""
    live = store.live()
    return live.vectors.search(live.embedder.embed([text]), 10)


@pytest.fixture
def counting(embedder: Bundled) -> Counting:
    return Counting(embedder)


@pytest.fixture
def dense(chroma_url: str, counting: Counting) -> Dense:
    """As everywhere else, with an embedder that counts."""
    return Dense(vector_stores(chroma_url), lambda _name: counting, wanted="bundled")


@pytest.fixture
def filled(store: EvidenceStore, counting: Counting) -> EvidenceStore:
    """Two pages; what was embedded for them is not counted."""
    put(store, page("1", "Leave"), piece(LEAVE, "1"), piece(BACKUP, "1"))
    put(store, page("2", "Travel"), piece(HOTEL, "2"))
    counting.embedded.clear()
    return store


def test_an_empty_store_finds_nothing(store: EvidenceStore) -> None:
    assert search(store, "How much leave is there?") == []


def test_a_replaced_page_is_found_with_its_page_and_its_scores(filled: EvidenceStore) -> None:
    best, *others = searching(filled).search(Query("What does a hotel in Porto cost?"), 10).hits
    assert (best.evidence.text, best.page) == (HOTEL, page("2", "Travel"))
    assert best.lexical > 0
    assert best.dense > 0
    assert [other.score for other in others] == sorted(
        (other.score for other in others), reverse=True
    )
    assert best.score > others[0].score


def test_a_question_in_another_language_finds_the_meaning(filled: EvidenceStore) -> None:
    assert search(filled, "Wann läuft die Datensicherung?")[0] == BACKUP


def test_a_piece_found_by_words_alone_gets_its_similarity_all_the_same(
    store: EvidenceStore,
) -> None:
    near = [
        piece(f"Leave in Porto, day {n}, with {n} {n + 1} {n + 2}.", "1")
        for n in range(PRODUCT.candidates + 5)
    ]
    put(store, page("1", "Leave"), *near)
    put(store, page("2", "Machines"), piece("The crane is called TERN-2238.", "2"))
    found = {
        hit.page.id: hit.dense
        for hit in searching(store).search(Query("Leave in Porto TERN-2238"), 10).hits
    }
    vectors = store.live().embedder.embed(
        ["Leave in Porto TERN-2238", "Machines\nThe crane is called TERN-2238."]
    )
    assert found["2"] == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-3)


def test_at_most_k_pieces_are_found(filled: EvidenceStore) -> None:
    assert len(search(filled, "Porto", k=2)) == 2


def test_of_what_is_pasted_the_beginning_and_the_end_are_searched_by() -> None:
    pasted = [f"line{number}" for number in range(10_000)]
    long = Query(f"Why does it stop? {' '.join(pasted)} What helps?", context=(" ".join(pasted),))
    said = long.bounded.question.split()
    assert len(said) == len(long.bounded.context[0].split()) == MOST_WORDS
    assert (said[:4], said[-2:]) == (["Why", "does", "it", "stop"], ["What", "helps"])
    usual = Query("How many days of  leave?", context=("Porto",))
    assert usual.bounded == usual


def test_of_a_page_only_its_new_version_is_found(filled: EvidenceStore) -> None:
    put(filled, page("2", "Travel", version=2), piece("A room in Lisbon costs up to 120 EUR.", "2"))
    found = searching(filled).search(Query("hotel room"), 10)
    assert HOTEL not in texts(found)
    assert [hit.page.version for hit in found.hits if hit.page.id == "2"] == [2]
    assert piece(HOTEL, "2").id not in in_chroma(filled, HOTEL)


def test_what_did_not_change_is_not_embedded_again(
    store: EvidenceStore, counting: Counting
) -> None:
    assert put(store, page(), piece(LEAVE), piece(HOTEL)) == 2
    assert put(store, page(version=2), piece(LEAVE), piece(HOTEL), piece(BACKUP)) == 1
    assert counting.embedded == [f"Handbook\n{text}" for text in (LEAVE, HOTEL, BACKUP)]


def test_a_new_title_or_heading_is_embedded_anew(store: EvidenceStore, counting: Counting) -> None:
    put(store, page(), piece(LEAVE))
    assert put(store, page(title="Rules"), piece(LEAVE)) == 1
    assert put(store, page(title="Rules"), piece(LEAVE, heading_path=("Portugal", "Leave"))) == 1
    assert counting.embedded[1:] == [f"Rules\n{LEAVE}", f"Rules › Portugal › Leave\n{LEAVE}"]


def test_a_page_that_has_lost_its_evidence_is_not_found(filled: EvidenceStore) -> None:
    assert put(filled, page("2", "Travel")) == 0
    assert HOTEL not in search(filled, "hotel in Porto")
    assert sorted(filled.visible_pages()) == [key("1"), key("2")]


def test_a_wiki_is_read_in_parts_and_wholly(store: EvidenceStore) -> None:
    numbers = [str(number) for number in range(PAGES_AT_ONCE + 2)]
    for number in numbers:
        put(
            store,
            page(number),
            piece(f"The crane is called TERN-{number}.", number),
            piece(LEAVE, number),
        )
    store.hide(page("7"))
    searching(store).search(Query("leave"), 1)
    snapshot = store.lexical.snapshot
    assert sorted(snapshot.page_keys()) == sorted(map(key, set(numbers) - {"7"}))
    assert [snapshot.pieces.frequency(f"tern-{number}") for number in ("0", "7", numbers[-1])] == [
        1,
        0,
        1,
    ]


def test_a_hidden_page_is_not_found(filled: EvidenceStore) -> None:
    filled.hide(page("2", "Travel"))
    assert search(filled, "hotel in Porto") == [LEAVE, BACKUP]
    assert list(filled.visible_pages()) == [key("1")]


def test_a_wiki_all_of_whose_pages_are_gone_finds_nothing(filled: EvidenceStore) -> None:
    filled.hide(page("1"))
    filled.hide(page("2", "Travel"))
    assert search(filled, "hotel in Porto") == []


def test_a_hidden_page_is_not_found_even_though_chroma_still_has_it(filled: EvidenceStore) -> None:
    without_chroma(filled).hide(page("2", "Travel"))
    assert piece(HOTEL, "2").id in in_chroma(filled, HOTEL)
    assert HOTEL not in search(filled, HOTEL)


def test_a_hidden_page_can_come_back(filled: EvidenceStore) -> None:
    filled.hide(page("2", "Travel"))
    assert put(filled, page("2", "Travel"), piece(HOTEL, "2")) == 0  # known from before
    assert search(filled, "hotel in Porto")[0] == HOTEL


def test_without_chroma_evidence_is_found_by_words_alone(filled: EvidenceStore) -> None:
    found = searching(without_chroma(filled)).search(Query("hotel in Porto"), 10)
    assert found.words_only
    assert texts(found)[:2] == [HOTEL, LEAVE]
    assert all(hit.dense == 0 for hit in found.hits)


def test_without_chroma_a_page_keeps_its_old_evidence(filled: EvidenceStore) -> None:
    with pytest.raises(StoreUnavailable):
        put(without_chroma(filled), page("2", "Travel", version=2), piece("Something else.", "2"))
    assert search(filled, "hotel in Porto")[0] == HOTEL


def test_a_search_sees_one_version_of_a_page_and_never_a_mixture(store: EvidenceStore) -> None:
    put(store, page("0", "Other"), piece(BACKUP, "0"))
    versions = [
        [piece(f"The {colour} hotel number {n}.") for n in range(3)] for colour in ("red", "blue")
    ]
    seen: list[set[str]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            hits = searching(store).search(Query("hotel"), 1 + len(seen) % 4).hits
            seen.append({hit.evidence.text.split()[1] for hit in hits if hit.page.id == "1"})

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
    put(
        store,
        page("1", "Hotels"),
        *[piece(f"Hotel {n} in Porto is a hotel.", "1") for n in range(8)],
    )
    put(store, page("2", "Travel"), piece("Trains leave from Porto.", "2"))
    found = searching(store).search(Query("hotel in Porto"), 10)
    assert [hit.page.id for hit in found.hits] == ["1"] * PRODUCT.per_page + ["2"]


def test_the_best_rows_beside_a_table_are_those_that_match_the_question(
    store: EvidenceStore,
) -> None:
    rows = [
        row(1, Member="Alice", Task="Backup"),
        row(2, Member="Ben", Task="Travel"),
        row(3, Member="Ben", Task="Backup"),
    ]
    table = part(*rows[:2])
    put(store, page("1"), table, *rows)
    put(store, page("2"), row(1, page_id="2", Member="Ben", Task="Lunch"))
    searching(store).search(Query("anything"), 1)  # brings the lexical index to the new revision
    best = searching(store).best_rows("Which task does Ben have?", hit(table, page("1")), 2)
    assert [found.evidence for found in best] == [rows[1], rows[2]]
    assert best[0].lexical > 0


@pytest.mark.parametrize("lose", ["collection", "vectors"])
def test_what_chroma_has_lost_is_noticed_and_made_anew_from_sql_without_the_embedder(
    filled: EvidenceStore, counting: Counting, lose: str
) -> None:
    assert needs_rebuild(filled.database, filled.dense) == ""
    if lose == "collection":
        filled.live().vectors.drop()
        assert searching(filled).search(Query("hotel in Porto"), 10).words_only
        counting.embedded.clear()
    else:
        filled.live().vectors.delete(sorted(filled.live().vectors.of_page(str(key("2")))))
    assert "2 of 3 vectors" in needs_rebuild(filled.database, filled.dense) or lose == "collection"
    before = filled.live().collection
    rebuild(filled.database, filled.dense)
    assert (needs_rebuild(filled.database, filled.dense), counting.embedded) == ("", [])
    assert search(filled, "Wann läuft die Datensicherung?")[0] == BACKUP
    assert filled.live().collection != before
    assert len(in_chroma(filled, "x")) == 3


def test_pieces_that_a_migration_has_renamed_get_their_vectors_back(
    store: EvidenceStore, counting: Counting
) -> None:
    put(store, page("1"), *(piece(f"The crane TERN-{n} lifts {n} tons.") for n in range(30)))
    with store.database.session() as session:
        for row in session.exec(select(EvidenceRow)).all():
            renamed = f"confluence:{row.id}"
            row.id, row.record = renamed, {**row.record, "id": renamed}
            session.add(row)
        session.get_one(IndexRow, 1).revision += 1
        session.get_one(PageRow, key("1")).revision = session.get_one(IndexRow, 1).revision
    assert searching(store).search(Query("crane"), 3).hits, "found by words meanwhile"
    counting.embedded.clear()
    assert "do not find themselves" in needs_rebuild(store.database, store.dense)
    rebuild(store.database, store.dense)
    assert (needs_rebuild(store.database, store.dense), counting.embedded) == ("", [])


def test_while_vectors_are_made_what_has_none_yet_does_not_stand_behind(
    filled: EvidenceStore,
) -> None:
    of_hotel = select(EvidenceRow.text_hash).where(EvidenceRow.id == piece(HOTEL, "2").id)
    with filled.database.session() as session:
        session.exec(delete(EmbeddingRow).where(col(EmbeddingRow.text_hash).in_(of_hotel)))
    filled.live().vectors.delete([piece(HOTEL, "2").id])
    found = searching(filled).search(Query("hotel in Porto"), 10)
    assert (found.words_only, found.hits[0].evidence.text) == (True, HOTEL)


def test_what_shares_no_word_is_compared_before_any_vector_is_in_sql(filled: EvidenceStore) -> None:
    with filled.database.session() as session:
        session.exec(delete(EmbeddingRow))
    assert not searching(filled).search(Query("Datensicherung"), 10).words_only


def test_before_vectors_were_made_evidence_is_found_by_words_alone(filled: EvidenceStore) -> None:
    with filled.database.session() as session:
        session.exec(
            update(IndexRow).values(collection="", embedder="")
        )  # as after an upgrade from 0.1
    found = searching(filled).search(Query("hotel in Porto"), 10)
    assert (found.words_only, found.hits[0].evidence.text) == (True, HOTEL)
    put(
        filled, page("3", "Cranes"), piece("The crane Osprey 900 lifts 40 tons.", "3")
    )  # the first write makes them
    assert search(filled, "Wann läuft die Datensicherung?")[0] == BACKUP


def test_another_embedder_is_built_beside_and_readers_switch_to_it(
    filled: EvidenceStore, chroma_url: str, embedder: Bundled
) -> None:
    another = Counting(embedder)
    another.name = "another"
    embedders: dict[str, Embedder] = {"bundled": embedder, "another": another}
    reading = searching(
        EvidenceStore(
            filled.database,
            filled.lexical,
            Dense(vector_stores(chroma_url), embedders.__getitem__, wanted="bundled"),
        )
    )
    wanting = Dense(vector_stores(chroma_url), embedders.__getitem__, wanted="another")
    assert "EMBEDDER" in needs_rebuild(filled.database, wanting)
    during: list[tuple[bool, int]] = []

    def watch(_done: int, _of: int) -> None:
        found = reading.search(Query("hotel in Porto"), 10)
        during.append((found.words_only, len(found.hits)))

    rebuild(filled.database, wanting, report=watch)
    assert during == [(False, 3)] * 2
    pieces = [f"Leave\n{LEAVE}", f"Leave\n{BACKUP}", f"Travel\n{HOTEL}"]
    quotes = [LEAVE, BACKUP, HOTEL]
    assert sorted(another.embedded) == sorted([*pieces, *quotes])
    assert [
        hit.evidence.text for hit in reading.search(Query("Wann läuft die Datensicherung?"), 1).hits
    ] == [BACKUP]
    assert (
        another.embedded[-1] == "Wann läuft die Datensicherung?"
    )  # the reader has switched without being told


def test_what_changes_during_a_rebuild_is_in_the_new_index(
    filled: EvidenceStore, dense: Dense
) -> None:
    def change(done: int, _of: int) -> None:
        if done == 2 and key("3") not in filled.visible_pages():
            put(filled, page("3", "Cranes"), piece("The crane Osprey 900 lifts 40 tons.", "3"))
            filled.hide(page("2", "Travel"))

    rebuild(filled.database, dense, report=change)
    assert needs_rebuild(filled.database, dense) == ""
    assert search(filled, "Osprey")[0] == "The crane Osprey 900 lifts 40 tons."
    assert piece(HOTEL, "2").id not in in_chroma(filled, HOTEL)


def test_a_write_that_began_before_a_rebuild_is_refused_and_loses_nothing(
    filled: EvidenceStore, dense: Dense, chroma_url: str, embedder: Bundled
) -> None:
    class Slow(Counting):
        def embed(self, texts: Sequence[str]) -> Vectors:
            rebuild(filled.database, dense)
            return super().embed(texts)

    slow = EvidenceStore(
        filled.database,
        filled.lexical,
        Dense(vector_stores(chroma_url), lambda _name: Slow(embedder), wanted="bundled"),
    )
    with pytest.raises(StoreUnavailable):
        put(slow, page("2", "Travel", version=2), piece("A new text.", "2"))
    assert search(filled, "hotel in Porto")[0] == HOTEL


def test_an_index_file_of_another_database_is_made_anew(
    filled: EvidenceStore, tmp_path: Path, dense: Dense
) -> None:
    search(filled, "Porto")
    database = Database(f"sqlite:///{tmp_path / 'another.db'}")
    database.migrate()
    other = EvidenceStore(database, LexicalIndex(tmp_path), dense)
    put(other, page("9", "Lisbon"), piece("Lisbon has 24 days.", "9"))
    (hit,) = searching(other).search(Query("Lisbon"), 10).hits
    assert (hit.page.title, hit.lexical > 0) == ("Lisbon", True)
    (hit,) = (
        searching(other).search(Query("Porto"), 10).hits
    )  # by meaning: nothing of the other database
    assert (hit.page.title, hit.lexical) == ("Lisbon", 0)
    database.close()


FEW, DENIED = acl.acl_id(frozenset({frozenset({"group:few"})})), acl.DENIED_ID
MEMBER = Reader(frozenset({OPEN_ID, FEW}), "user:1")


def test_a_restricted_page_is_found_by_those_who_pass_its_acl_alone(filled: EvidenceStore) -> None:
    put(filled, page("3", "Salaries"), piece("The salary bands of Porto.", "3"), acl_id=FEW)
    reading = searching(filled)
    assert "The salary bands of Porto." in texts(reading.search(Query("salary bands"), 10, MEMBER))
    assert "The salary bands of Porto." not in texts(reading.search(Query("salary bands"), 10))


def test_a_change_of_readers_counts_at_once_and_embeds_nothing(
    filled: EvidenceStore, counting: Counting
) -> None:
    reading = searching(filled)
    filled.set_acl([key("2")], before=OPEN_ID, now=FEW)
    assert HOTEL not in texts(reading.search(Query("hotel in Porto"), 10))
    assert HOTEL in texts(reading.search(Query("hotel in Porto"), 10, MEMBER))
    filled.set_acl([key("2")], before=FEW, now=DENIED)
    assert HOTEL not in texts(reading.search(Query("hotel in Porto"), 10, MEMBER))
    filled.set_acl([key("2")], before=DENIED, now=OPEN_ID)
    assert HOTEL in texts(reading.search(Query("hotel in Porto"), 10))
    assert not any(HOTEL in text for text in counting.embedded)


def test_a_piece_that_names_other_pages_carries_their_acl_and_goes_when_its_page_changes_readers(
    filled: EvidenceStore,
) -> None:
    naming = piece("Child pages: Salaries", "1", acl_id=FEW)
    put(filled, page("1", "Leave"), piece(LEAVE, "1"), naming)
    reading = searching(filled)
    assert naming.text in texts(reading.search(Query("child pages salaries"), 10, MEMBER))
    assert naming.text not in texts(reading.search(Query("child pages salaries"), 10))
    filled.set_acl([key("1")], before=OPEN_ID, now=FEW)
    assert (
        texts(reading.search(Query("child pages salaries leave"), 10, MEMBER)).count(naming.text)
        == 0
    )
    assert LEAVE in texts(reading.search(Query("leave"), 10, MEMBER))


def test_titles_that_must_not_be_shown_go_with_the_pieces_that_show_them(
    filled: EvidenceStore,
) -> None:
    put(
        filled,
        page("1", "Leave"),
        piece(LEAVE, "1"),
        piece("See Salaries.", "1"),
        piece("After it.", "1", before=near("See Salaries.")),
    )
    filled.withhold(key("1"), ["Salaries"])
    assert texts(searching(filled).search(Query("salaries leave after"), 10)) == [LEAVE, HOTEL]


def test_a_reader_of_one_page_in_a_hundred_still_gets_k_pieces(store: EvidenceStore) -> None:
    for n in range(99):
        put(
            store,
            page(str(n), "Hotels"),
            *[piece(f"Hotel {n}.{m} in Porto is a hotel.", str(n)) for m in range(4)],
            acl_id=FEW,
        )
    put(
        store,
        page("open", "Rules"),
        *[piece(f"Rule {m}: ask two weeks ahead.", "open") for m in range(3)],
    )
    found = searching(store).search(Query("hotel in Porto"), 3)
    assert [hit.page.id for hit in found.hits] == ["open"] * 3
    assert all(hit.dense for hit in found.hits)
    assert len(searching(store).search(Query("hotel in Porto"), 10, MEMBER).hits) == 10

    live = store.live()
    snapshot = store.lexical.snapshot
    vector, few = (
        live.embedder.embed(["hotel in Porto"]),
        ReadableSnapshot(snapshot, snapshot.readable({OPEN_ID})),
    )
    one_by_one = nearest(store.database, live, vector, few, 3)
    from_more = nearest(store.database, live, vector, few, 3, exact=0)
    assert list(one_by_one) == list(from_more)
    assert list(one_by_one.values()) == pytest.approx(list(from_more.values()), abs=1e-3)


def test_a_saved_answer_is_readable_as_long_as_all_of_its_pages_are(filled: EvidenceStore) -> None:
    reading = searching(filled)
    hits = reading.search(Query("hotel in Porto"), 10).hits
    assert reading.all_readable(hits, EVERYBODY)
    put(filled, page("2", "Travel", version=2), piece("Another text.", "2"))
    assert reading.all_readable(hits, EVERYBODY)  # changed, and still for everybody
    filled.set_acl([key("2")], before=OPEN_ID, now=FEW)
    assert (reading.all_readable(hits, EVERYBODY), reading.all_readable(hits, MEMBER)) == (
        False,
        True,
    )
    filled.hide(page("2", "Travel"))
    assert not reading.all_readable(hits, MEMBER)


class Meanwhile:
    """An embedder during whose work on a question somebody edits pages."""

    def __init__(self, embedder: Bundled, question: str, edits: list[Callable[[], None]]) -> None:
        self.name = embedder.name
        self._embedder, self._question, self._edits = embedder, question, edits

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self._question in texts and self._edits:
            self._edits.pop(0)()
        return self._embedder.embed(texts)


@pytest.mark.parametrize(("edits", "found"), [(1, "26 days."), (2, "27 days."), (9, "")])
def test_a_page_that_changes_while_it_is_searched_is_found_as_it_is_then(
    store: EvidenceStore, embedder: Bundled, chroma_url: str, edits: int, found: str
) -> None:
    put(store, page("1", "Leave"), piece("25 days.", "1"))
    put(store, page("2", "Hotels"), piece("110 EUR a night.", "2"))

    def edit(days: int) -> None:
        put(store, page("1", "Leave", version=days), piece(f"{days} days.", "1"))

    those: list[Callable[[], None]] = [partial(edit, 26 + number) for number in range(edits)]
    asked = "How many days of leave?"
    slow = Dense(
        vector_stores(chroma_url), lambda _: Meanwhile(embedder, asked, those), wanted="bundled"
    )
    search = EvidenceSearch(store.database, store.lexical, slow)
    hits = search.search(Query(asked), 5).hits
    # Whoever edits faster than it is searched has their page left out, and nothing is repeated
    # for ever.
    assert [hit.evidence.text for hit in hits if hit.page.id == "1"] == ([found] if found else [])
    assert len(those) == max(0, edits - 3)
