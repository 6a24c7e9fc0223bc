"""The lexical index: it finds what SQL holds, and never goes back to something older."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.access import OPEN_ID
from core.evidence.analyze import content_words, words
from core.evidence.lexical import Entry, LexicalIndex

HERE = "this database"
LEAVE = Entry("leave", OPEN_ID, "Leave", "Portugal", "Porto has 25 days.")
HOTEL = Entry("hotel", OPEN_ID, "Travel", "Hotels", "A hotel in Porto costs 110 EUR.")


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    return LexicalIndex(tmp_path)


def fill(index: LexicalIndex, *pages: tuple[str, Sequence[Entry]]) -> None:
    since = index.revision(HERE)
    index.catch_up(pages, identity=HERE, since=since, revision=since + 1)


def found(index: LexicalIndex, question: str, limit: int = 10) -> list[str]:
    return list(index.search(content_words(question), limit))


def test_an_empty_index_finds_nothing(index: LexicalIndex) -> None:
    assert (index.revision(HERE), index.size(), found(index, "Porto")) == (-1, 0, [])


@pytest.mark.parametrize("question", ["leave", "Portugal", "days", "leaves in portugal"])
def test_a_piece_is_found_by_title_heading_and_text(index: LexicalIndex, question: str) -> None:
    fill(index, ("1", [LEAVE]), ("2", [HOTEL]))
    assert found(index, question) == ["leave"]


def test_the_best_piece_comes_first(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]), ("2", [HOTEL]))
    assert found(index, "hotel in Porto") == ["hotel", "leave"]
    assert found(index, "hotel in Porto", limit=1) == ["hotel"]


def test_a_replaced_page_is_found_by_its_new_words_alone(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]), ("2", [HOTEL]))
    fill(index, ("1", [Entry("leave-2", OPEN_ID, "Leave", "", "Lisbon has 24 days.")]))
    assert found(index, "Lisbon") == ["leave-2"]
    assert found(index, "Portugal") == []
    assert index.size() == 2


def test_a_page_without_entries_disappears(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]), ("2", [HOTEL]))
    fill(index, ("1", []))
    assert found(index, "leave Porto") == ["hotel"]
    assert index.document_frequency("leav") == 0


def test_who_comes_with_something_older_changes_nothing(tmp_path: Path) -> None:
    slow, fast = LexicalIndex(tmp_path), LexicalIndex(tmp_path)  # as two processes of one host
    fast.catch_up([("1", [HOTEL])], identity=HERE, since=-1, revision=7)
    slow.catch_up([("1", [LEAVE])], identity=HERE, since=-1, revision=5)
    assert slow.revision(HERE) == 7
    assert found(slow, "Porto") == ["hotel"]


def test_a_catch_up_that_fails_changes_nothing(index: LexicalIndex) -> None:
    def broken() -> Iterator[tuple[str, Sequence[Entry]]]:
        yield "1", [LEAVE]
        raise OSError

    with pytest.raises(OSError):
        index.catch_up(broken(), identity=HERE, since=-1, revision=1)
    assert (index.revision(HERE), found(index, "leave")) == (-1, [])


def test_an_index_is_found_again_after_a_restart(tmp_path: Path) -> None:
    fill(LexicalIndex(tmp_path), ("1", [LEAVE]))
    again = LexicalIndex(tmp_path)
    assert (again.revision(HERE), again.size(), found(again, "leave")) == (0, 1, ["leave"])


def test_every_thread_may_search(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: found(index, "leave"), range(8))) == [["leave"]] * 8


def test_only_the_named_pieces_are_scored_and_as_in_a_search(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]), ("2", [HOTEL]))
    scores = index.score(words("hotel Porto"), ["leave", "unknown"])
    assert scores == {"leave": index.search(words("hotel Porto"), 10)["leave"]}
    assert index.score(words("hotel"), ["leave"]) == {}
    assert index.score([], ["leave"]) == {}


def test_the_number_of_pieces_with_a_word_is_known(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]), ("2", [HOTEL]))
    assert [index.document_frequency(term) for term in ("porto", "hotel", "unknown")] == [2, 1, 0]


@pytest.mark.parametrize("question", ['"', "NEAR(a b)", "a OR", "title:leave", "leave*", "^leave", "it's", "--", "a AND NOT b"])
def test_no_question_is_taken_for_a_query_language(index: LexicalIndex, question: str) -> None:
    fill(index, ("1", [LEAVE]))
    assert found(index, question) == (["leave"] if "leave" in question else [])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=30))
def test_every_text_is_found_by_each_of_its_own_words(index: LexicalIndex, text: str) -> None:
    fill(index, ("1", [Entry("it", OPEN_ID, "", "", text)]))
    for term in words(text):
        assert found_by(index, term), term


def found_by(index: LexicalIndex, term: str) -> bool:
    return "it" in index.search([term], 10) and index.document_frequency(term) == 1


def test_only_what_the_reader_may_see_is_found_before_the_best_are_cut(index: LexicalIndex) -> None:
    open_pieces = [Entry(f"open-{n}", OPEN_ID, "", "", "harbour harbour crane") for n in range(30)]
    secret = Entry("secret", "few", "", "", "the harbour plan of the board, and what else was said there")
    fill(index, ("1", open_pieces), ("2", [secret]))
    terms = content_words("harbour")
    assert list(index.search(terms, 1, {"few"})) == ["secret"]
    assert "secret" not in index.search(terms, 100, {OPEN_ID})
    assert len(index.search(terms, 100)) == 31


def test_a_piece_that_only_changed_its_readers_is_found_by_the_new_ones_alone(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]))
    fill(index, ("1", [replace(LEAVE, acl_id="few")]))
    terms = content_words("leave")
    assert (list(index.search(terms, 9, {"few"})), list(index.search(terms, 9, {OPEN_ID}))) == (["leave"], [])


def test_a_file_of_another_database_starts_anew(index: LexicalIndex) -> None:
    fill(index, ("1", [LEAVE]))
    assert index.revision("another database") == -1
    index.catch_up([("1", [HOTEL])], identity="another database", since=-1, revision=3)
    assert (found(index, "leave"), found(index, "hotel"), index.revision(HERE)) == ([], ["hotel"], -1)
