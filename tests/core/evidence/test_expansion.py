"""A question's words: as they are, or what stands for those that no page has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import col, delete, select
from wiki import page, piece, put

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.evidence.lexical.index import LexicalIndex
from core.evidence.query import word_neighbours
from core.evidence.query.expansion import QueryExpansion
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.policy.acl import EVERYBODY
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow, EvidenceRow

# The thesaurus has a word for nearly everything; the last tests are of it.
WITHOUT_THESAURUS = replace(PRODUCT, thesaurus=0.0)


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    put(
        store,
        page("1", "Instalation of the crane"),
        piece("The storage needs forty litres of oil.", "1"),
    )
    put(store, page("2", "Pilots"), piece("The members of the crew meet at the quay.", "2"))
    return store


@pytest.fixture
def neighbours(database: Database, embedder: Bundled) -> WordNeighbours:
    return WordNeighbours(database, lambda: embedder)


def terms(
    store: EvidenceStore,
    neighbours: WordNeighbours | None,
    question: str,
    *context: str,
    ranking: Ranking = WITHOUT_THESAURUS,
) -> dict[str, float]:
    """Each term that is looked for, with its weight."""
    searching = EvidenceSearch(store.database, store.lexical, store.dense, neighbours)
    searching.search(Query("anything"), 1)  # brings the index up to date
    expansion = QueryExpansion(searching.readable(EVERYBODY), neighbours, ranking)
    found = expansion.of(question, context)
    return {
        term: alternatives.weight * weight
        for alternatives in found
        for term, weight in alternatives.terms
    }


def test_a_known_word_is_looked_for_as_it_is(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    assert terms(filled, neighbours, "crane oil") == {"crane": 1.0, "oil": 1.0}


def test_a_word_of_another_language_stands_for_the_nearest_words_of_the_pages(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    found = terms(filled, neighbours, "Mitglieder im Speicher")
    assert found["member"] == found["storag"] == PRODUCT.neighbour


def test_a_word_that_nothing_is_near_to_is_left_out(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    assert "oil" not in terms(filled, neighbours, "xylophon")


def test_a_mistyped_word_is_found_in_titles(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    assert terms(filled, neighbours, "pilots crrane")["crane"] == PRODUCT.mistyped


def test_a_mistyped_title_is_found_by_the_right_word(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    put(filled, page("3", "Winches"), piece("The installation of a winch takes a day.", "3"))
    assert terms(filled, neighbours, "installation")["instal"] == 1.0
    assert "instal" in terms(filled, None, "installation")


def test_the_context_weighs_less_and_changes_nothing_of_what_was_asked(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    assert terms(filled, neighbours, "oil", "crane oil", "quay") == {
        "oil": 1.0,
        "crane": PRODUCT.context[0],
        "quay": PRODUCT.context[1],
    }


def test_what_is_no_word_gets_no_neighbours(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    assert terms(filled, neighbours, "TERN-2238") == {"tern-2238": 1.0, "tern": 1.0, "2238": 1.0}


def test_a_ranking_may_go_without_bridges_and_corrections(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    plain = Ranking(neighbour=0.0, mistyped=0.0, thesaurus=0.0)
    assert terms(filled, neighbours, "Mitglieder crrane oil", ranking=plain) == {"oil": 1.0}


def test_a_word_that_came_with_a_later_sync_is_a_neighbor_too(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    assert "vacat" not in terms(filled, neighbours, "Urlaub")
    put(filled, page("4", "Days off"), piece("Vacation is asked for two weeks ahead.", "4"))
    assert "vacat" in terms(filled, neighbours, "Urlaub")


def test_what_was_asked_is_looked_for_in_other_words_too_unless_a_conversation_has_them(
    filled: EvidenceStore, neighbours: WordNeighbours
) -> None:
    put(filled, page("5", "Depot"), piece("Stored goods wait in the warehouse.", "5"))
    found = terms(filled, neighbours, "storage")
    assert found["storag"] == 1.0
    assert found["store"] == PRODUCT.synonyms
    assert "store" not in terms(filled, neighbours, "storage", "crane oil")


@pytest.fixture
def shares_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a wiki as small as this one has them made in each process."""
    monkeypatch.setattr(word_neighbours, "FEW", 2)


@pytest.mark.usefixtures("shares_words")
def test_all_processes_of_a_host_share_the_vectors_of_words(
    filled: EvidenceStore, embedder: Bundled, tmp_path: Path
) -> None:
    def process(folder: Path | None = None) -> WordNeighbours:
        return WordNeighbours(filled.database, lambda: embedder, folder)

    alone = terms(filled, process(), "Speicher des Krans")
    assert terms(filled, process(tmp_path), "Speicher des Krans") == alone
    [file] = tmp_path.glob("*.words")
    made = file.stat().st_mtime_ns
    with filled.database.session() as session:  # so whoever needs them has them of the file
        of_pieces = select(EvidenceRow.text_hash)
        session.exec(delete(EmbeddingRow).where(col(EmbeddingRow.text_hash).not_in(of_pieces)))
    assert terms(filled, process(tmp_path), "Speicher des Krans") == alone
    assert file.stat().st_mtime_ns == made
    put(filled, page("3", "Capstan"), piece("A capstan hauls the heavy hawser.", "3"))
    assert "capstan" in terms(filled, process(tmp_path), "Ankerspill")
    file.write_bytes(b"damaged")
    assert terms(filled, process(tmp_path), "Speicher des Krans")["storag"] == alone["storag"]


@pytest.mark.usefixtures("shares_words")
def test_words_that_went_with_their_page_are_left_out_of_those_that_processes_share(
    filled: EvidenceStore, embedder: Bundled, tmp_path: Path
) -> None:
    def near(word: str) -> Iterable[str]:
        """Of a process that has just started, with the words of the index as it is."""
        index = LexicalIndex(tmp_path / word)  # made anew, so it has nothing of what went
        searching = EvidenceSearch(filled.database, index, filled.dense)
        searching.search(Query("anything"), 1)
        shared = WordNeighbours(filled.database, lambda: embedder, tmp_path)
        return shared.near([word], searching.readable(EVERYBODY), 5).get(word, ())

    assert "member" in near("Mitglieder")
    assert list(tmp_path.glob("*.words"))
    filled.hide(page("2", "Pilots"))
    assert "storag" in near("Speicher")
    assert "member" not in near("Mitglied")


def test_a_word_is_looked_for_by_what_else_it_is_called_at_work(filled: EvidenceStore) -> None:
    found = terms(filled, None, "When is brekkie?", ranking=PRODUCT)

    assert found["breakfast"] == found["brekki"] * PRODUCT.thesaurus


def test_what_is_said_in_several_words_is_not_looked_for_word_by_word(
    filled: EvidenceStore,
) -> None:
    """`mid-morning snack` also says it; snacks of the afternoon do not."""
    assert "snack" not in terms(filled, None, "When is brekkie?", ranking=PRODUCT)
