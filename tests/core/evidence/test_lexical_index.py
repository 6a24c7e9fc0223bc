"""The lexical index: it finds what SQL holds, and never goes back to something older."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wiki import key

from core.evidence.lexical.analyzer import content_words, words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.builder import Incoming, PageEntries, PieceEntry
from core.evidence.lexical.host_files import FORMAT
from core.evidence.lexical.index import LexicalIndex
from core.evidence.lexical.page_edges import MANY, edges
from core.evidence.lexical.segments import file
from core.evidence.lexical.segments.packed import Lists, Texts, hash_of
from core.evidence.lexical.segments.postings import MOST
from core.evidence.lexical.segments.segment import Segment
from core.evidence.lexical.snapshot import Snapshot
from core.evidence.ranking.weights import PRODUCT
from core.policy.acl import OPEN_ID

HERE = "this database"
LEAVE = PieceEntry("leave", OPEN_ID, "Portugal", "Porto has 25 days.")
HOTEL = PieceEntry("hotel", OPEN_ID, "Hotels", "A hotel in Porto costs 110 EUR.")


def page(page_id: str, title: str, *pieces: PieceEntry, acl_id: str = OPEN_ID) -> PageEntries:
    return PageEntries(key(page_id), acl_id, title, pieces)


LEAVE_PAGE = page("1", "Leave", LEAVE)
HOTEL_PAGE = page("2", "Travel", HOTEL)


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    return LexicalIndex(tmp_path)


def fill(index: LexicalIndex, *pages: PageEntries) -> None:
    since = index.revision(HERE)
    index.catch_up(pages, identity=HERE, since=since, revision=since + 1)


def found(index: LexicalIndex, question: str) -> list[str]:
    return by_terms(index.snapshot, content_words(question))


def by_terms(
    snapshot: Snapshot, terms: Sequence[str], acls: Collection[str] = (OPEN_ID, "few")
) -> list[str]:
    """The pieces that hold one of the terms, the best first."""
    scores = snapshot.pieces.scores(
        [Alternatives(1.0, ((term, 1.0),)) for term in terms], PRODUCT.pieces
    )
    scores = np.where(snapshot.readable(acls), scores, 0)
    return [
        snapshot.piece_id(int(place))
        for place in np.argsort(-scores, kind="stable")
        if scores[place] > 0
    ]


def test_an_empty_index_finds_nothing(index: LexicalIndex) -> None:
    assert (index.revision(HERE), index.size(), found(index, "Porto")) == (-1, 0, [])


@pytest.mark.parametrize("question", ["leave", "Portugal", "days", "leaves in portugal"])
def test_a_piece_is_found_by_title_heading_and_text(index: LexicalIndex, question: str) -> None:
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    assert found(index, question) == ["leave"]


def test_the_best_piece_comes_first(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    assert found(index, "hotel in Porto") == ["hotel", "leave"]


def test_a_replaced_page_is_found_by_its_new_words_alone(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    fill(index, page("1", "Leave", PieceEntry("leave-2", OPEN_ID, "", "Lisbon has 24 days.")))
    assert found(index, "Lisbon") == ["leave-2"]
    assert found(index, "Portugal") == []
    assert found(index, "hotel") == ["hotel"]
    assert index.size() == 2


def test_a_page_without_entries_disappears(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    fill(index, page("1", "Leave"))
    assert found(index, "leave Porto") == ["hotel"]
    assert index.document_frequency("leav") == 0
    assert index.snapshot.page_keys() == [key("2")]


def test_who_comes_with_something_older_changes_nothing(index: LexicalIndex) -> None:
    index.catch_up([HOTEL_PAGE], identity=HERE, since=-1, revision=7)
    index.catch_up(
        [LEAVE_PAGE], identity=HERE, since=-1, revision=5
    )  # another thread, which began earlier
    assert index.revision(HERE) == 7
    assert found(index, "Porto") == ["hotel"]


def test_a_search_under_way_works_on_one_moment(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    before = index.snapshot
    fill(index, page("2", "Travel"))
    assert set(by_terms(before, ["porto"])) == {"hotel", "leave"}
    assert by_terms(index.snapshot, ["porto"]) == ["leave"]


def test_a_catch_up_that_fails_changes_nothing(index: LexicalIndex) -> None:
    def broken() -> Iterator[PageEntries]:
        yield LEAVE_PAGE
        raise OSError

    with pytest.raises(OSError):
        index.catch_up(broken(), identity=HERE, since=-1, revision=1)
    assert (index.revision(HERE), found(index, "leave")) == (-1, [])


def test_who_comes_too_late_reads_nothing(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE)
    read = iter([HOTEL_PAGE])
    index.catch_up(read, identity=HERE, since=-1, revision=1)  # another thread was faster
    assert list(read) == [HOTEL_PAGE]


def test_no_more_than_a_page_or_two_is_held_as_text_at_a_time(index: LexicalIndex) -> None:
    held: weakref.WeakSet[PageEntries] = weakref.WeakSet()
    most = 0

    def pages() -> Iterator[PageEntries]:
        nonlocal most
        for number in range(50):
            held.add(
                each := page(
                    str(number), "Leave", PieceEntry(str(number), OPEN_ID, "", "Porto has 25 days.")
                )
            )
            most = max(most, len(held))
            yield each

    index.catch_up(pages(), identity=HERE, since=-1, revision=1)
    assert (index.size(), most <= 2) == (50, True)


def test_an_index_is_found_again_after_a_restart(tmp_path: Path) -> None:
    fill(
        LexicalIndex(tmp_path),
        LEAVE_PAGE,
        page("2", "Travel", replace(HOTEL, acl_id="few"), acl_id="few"),
    )
    again = LexicalIndex(tmp_path)
    assert (again.revision(HERE), again.size(), found(again, "leave")) == (0, 2, ["leave"])
    assert by_terms(again.snapshot, ["porto"], [OPEN_ID]) == ["leave"]
    fill(again, page("3", "Leave in Lisbon", PieceEntry("lisbon", OPEN_ID, "", "24 days")))
    assert set(found(again, "leave days")) == {"lisbon", "leave"}


def test_a_file_that_cannot_be_read_is_made_anew(tmp_path: Path) -> None:
    fill(LexicalIndex(tmp_path), LEAVE_PAGE)
    (written,) = tmp_path.glob("*.index")
    written.write_bytes(written.read_bytes()[:100])
    assert LexicalIndex(tmp_path).revision(HERE) == -1


def test_every_thread_may_search(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: found(index, "leave"), range(8))) == [["leave"]] * 8


def test_the_number_of_pieces_with_a_word_is_known(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    assert [index.document_frequency(term) for term in ("porto", "hotel", "unknown")] == [2, 1, 0]


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=30))
def test_every_text_is_found_by_each_of_its_own_words(index: LexicalIndex, text: str) -> None:
    fill(index, page("1", "", PieceEntry("it", OPEN_ID, "", text)))
    for term in words(text):
        assert by_terms(index.snapshot, [term]) == ["it"], term


@settings(max_examples=200, deadline=None)
@given(title=st.text(max_size=20), path=st.text(max_size=20), bodies=st.lists(st.text(max_size=40)))
def test_a_piece_has_the_terms_of_its_texts_as_often_as_they_are_said(
    title: str, path: str, bodies: list[str]
) -> None:
    pieces = [PieceEntry(str(number), OPEN_ID, path, body) for number, body in enumerate(bodies)]
    made = segment(page("1", title, *pieces)).pieces
    counted: dict[tuple[int, int], list[int]] = {}
    for number, term in enumerate(made.terms.tolist()):
        where = slice(int(made.starts[number]), int(made.starts[number + 1]))
        counts = made.counted(where).tolist()
        for place, count in zip(made.places[where].tolist(), counts, strict=True):
            counted[term, place] = count
    fields = [[Counter(words(text)) for text in (title, path, body)] for body in bodies]
    said = {
        (hash_of(term), place): [each[term] for each in of_piece]
        for place, of_piece in enumerate(fields)
        for term in set().union(*of_piece)
    }
    assert counted == said
    assert made.lengths.tolist() == [[each.total() for each in of_piece] for of_piece in fields]


def test_a_word_that_is_said_more_often_than_a_byte_can_count_keeps_its_count() -> None:
    often = [MOST + 45, MOST, 1]
    pieces = [PieceEntry(str(n), OPEN_ID, "", "crane " * n) for n in often]
    made = Snapshot.of([segment(page("1", "", *pieces))])
    for each in (made, Snapshot.of([made.merged()])):
        postings = each.parts[0].segment.pieces
        assert postings.counted(postings.where("crane"))[:, 2].tolist() == often


@pytest.mark.parametrize("times", [1, 2])
def test_a_common_word_scores_the_same_whenever_it_is_asked(times: int) -> None:
    pieces = [
        PieceEntry(str(number), OPEN_ID, "", "crane " * (1 + number % 3) + "quay " * (number % 7))
        for number in range(1000)
    ]
    made = Snapshot.of([segment(page("1", "Cranes", *pieces))]).pieces
    asked = [Alternatives(1.0, (("crane", 1.0), ("quay", 0.5)))]
    others = replace(PRODUCT.pieces, k1=1.2)
    for _ in range(times):
        made.scores(asked, PRODUCT.pieces)
        made.scores(asked, others)
    anew = replace(made).scores(asked, PRODUCT.pieces)
    assert made.scores(asked, PRODUCT.pieces).tolist() == anew.tolist()


_words = st.lists(st.sampled_from(["crane", "harbour", "pilot", "tug", "quay"]), max_size=6).map(
    " ".join
)
_pages = st.dictionaries(st.sampled_from("abcde"), st.lists(_words, max_size=3), max_size=5)


@settings(max_examples=100, deadline=None)
@given(rounds=st.lists(_pages, min_size=1, max_size=5))
def test_an_index_that_was_changed_often_is_the_one_made_at_once(
    rounds: list[dict[str, list[str]]],
) -> None:
    def entries(page_id: str, texts: list[str]) -> PageEntries:
        return page(
            page_id,
            f"Page {page_id}",
            *(PieceEntry(f"{page_id}{n}", OPEN_ID, "", text) for n, text in enumerate(texts)),
        )

    grown, now = Snapshot(), dict[str, list[str]]()
    for changed in rounds:
        now |= changed
        new = segment(*(entries(*each) for each in changed.items()))
        grown = grown.changed(new, [key(page_id) for page_id in changed])
    fresh = Snapshot.of([segment(*(entries(*each) for each in now.items()))])
    for term in ("crane", "quay", "page", "a"):
        for one in (grown, Snapshot.of([grown.merged()])):
            assert _scores(one, term) == pytest.approx(_scores(fresh, term), abs=1e-5)
            assert one.frequency(term) == fresh.frequency(term)
            assert one.pages.frequency(term) == fresh.pages.frequency(term)


def _scores(snapshot: Snapshot, term: str) -> dict[str, float]:
    """Of each piece that is there, and of its page."""
    query = [Alternatives(1.0, ((term, 1.0), ("tug", 0.5)))]
    of_pieces = snapshot.pieces.scores(query, PRODUCT.pieces)
    of_pages = snapshot.pages.scores(query, PRODUCT.pages)
    found: dict[str, float] = {}
    for piece in snapshot.ids():
        place = snapshot.place(piece)
        assert place is not None
        found[piece] = float(of_pieces[place])
        found[f"page of {piece}"] = float(of_pages[snapshot.page_of[place]])
    return found


def test_what_a_reader_may_not_see_has_no_say_in_the_score_of_its_page(index: LexicalIndex) -> None:
    naming = PieceEntry("naming", "few", "", "salary salary salary")
    fill(index, page("1", "Leave", LEAVE, naming))
    assert index.snapshot.pages.frequency("salari") == 0
    assert index.snapshot.pages.frequency("porto") == 1


def test_only_some_pages_are_searched_where_only_some_are_asked_for(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    index.snapshot.readable({OPEN_ID}, {key("2")}).tolist()
    assert index.snapshot.readable({OPEN_ID}, {key("2")}).tolist() == [False, True]
    assert index.snapshot.readable({OPEN_ID}, {key("3")}).tolist() == [False, False]
    assert index.snapshot.readable({"few"}).tolist() == [False, False]


def test_a_piece_that_only_changed_its_readers_is_found_by_the_new_ones_alone(
    index: LexicalIndex,
) -> None:
    fill(index, LEAVE_PAGE)
    fill(index, page("1", "Leave", replace(LEAVE, acl_id="few"), acl_id="few"))
    assert by_terms(index.snapshot, ["leav"], {"few"}) == ["leave"]
    assert by_terms(index.snapshot, ["leav"], {OPEN_ID}) == []


def test_a_file_of_another_database_starts_anew(index: LexicalIndex) -> None:
    fill(index, LEAVE_PAGE)
    assert index.revision("another database") == -1
    index.catch_up([HOTEL_PAGE], identity="another database", since=-1, revision=3)
    assert (found(index, "leave"), found(index, "hotel"), index.revision(HERE)) == (
        [],
        ["hotel"],
        -1,
    )


@pytest.mark.parametrize("part", [0.0, 0.01, 0.3, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_made_anew(tmp_path: Path, part: float) -> None:
    fill(LexicalIndex(tmp_path), LEAVE_PAGE)
    [written] = tmp_path.glob("lexical-*.index")
    whole = written.read_bytes()
    written.write_bytes(whole[: int(part * len(whole))])
    index = LexicalIndex(tmp_path)
    fill(index, LEAVE_PAGE)
    assert found(index, "Porto") == ["leave"]


@pytest.mark.parametrize(
    ("wrong", "less"),
    [("acl_of", np.zeros(1, np.int32)), ("belong_to", Texts()), ("edges", Lists())],
)
def test_a_file_whose_parts_do_not_belong_together_is_damaged(
    tmp_path: Path, wrong: str, less: Any
) -> None:
    whole = segment(LEAVE_PAGE, HOTEL_PAGE)
    head = {"identity": HERE, "revision": 5, "mark": "", "token": "", "coder": ""}
    path = tmp_path / f"lexical-{FORMAT}.index"
    file.write(path, lambda _: replace(whole, **{wrong: less}), head)
    assert LexicalIndex(tmp_path).revision(HERE) == -1
    file.write(path, lambda _: whole, head)
    assert LexicalIndex(tmp_path).revision(HERE) == 5


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_a_file_in_which_a_byte_has_changed_is_made_anew(tmp_path: Path, part: float) -> None:
    fill(LexicalIndex(tmp_path), LEAVE_PAGE, HOTEL_PAGE)
    [written] = tmp_path.glob("lexical-*.index")
    whole = bytearray(written.read_bytes())
    whole[int(part * len(whole))] ^= 255
    written.write_bytes(whole)
    index = LexicalIndex(tmp_path)
    fill(index, LEAVE_PAGE, HOTEL_PAGE)
    assert found(index, "hotel in Porto") == ["hotel", "leave"]


def test_what_stands_at_the_edges_of_many_pages_is_boilerplate_until_it_is_gone(
    index: LexicalIndex, tmp_path: Path
) -> None:
    foot = "Ask the desk."
    pages = [footed(n, f"Page {n} is about cranes.\n{foot}") for n in range(MANY)]
    fill(index, *pages, HOTEL_PAGE)
    assert index.snapshot.is_boilerplate(foot)
    assert not index.snapshot.is_boilerplate("Page 1 is about cranes.")
    assert LexicalIndex(tmp_path).snapshot.is_boilerplate(foot)
    fill(index, footed(0, "Page 0 is about cranes."))
    assert not index.snapshot.is_boilerplate(foot)


def test_what_many_pages_say_in_their_middle_is_no_boilerplate(index: LexicalIndex) -> None:
    step = "Turn the flag off."
    lines = ["First {n}.", "Second {n}.", step, "Third {n}.", "Fourth {n}."]
    fill(index, *(footed(n, "\n".join(lines).format(n=n)) for n in range(MANY)))
    assert not index.snapshot.is_boilerplate(step)


def segment(*pages: PageEntries) -> Segment:
    new = Incoming()
    for each in pages:
        new.add(each)
    return new.segment()


def footed(number: int, text: str) -> PageEntries:
    piece = PieceEntry(f"piece-{number}", OPEN_ID, "", text)
    return replace(page(f"7{number}", f"Page {number}", piece), edges=edges([text]))
