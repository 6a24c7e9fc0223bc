"""Who searched is credited in the same way, and differences come with what chance makes of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.models import Copy, Evidence, Hit, Kind, Page
from evaluation.retrieval.left_out.outcomes import Outcome, Wording, by_question, difference
from evaluation.retrieval.measure import Measured
from evaluation.sets.confquestions import Question

WORDING = Wording("complete", "en")


def question(number: int = 1, turn: int = 1, tags: tuple[str, ...] = ()) -> Question:
    return Question(
        conversation=str(number),
        turn=turn,
        asked="How much?",
        completed="How much is it?",
        answer="10",
        gold_urls=("https://wiki.example/pages/7",),
        source="table",
        is_complex=False,
        tags=tags,
    )


def found_on(page: str) -> Copy:
    return Copy(
        evidence=Evidence(id=page, page_id=page, kind=Kind.PASSAGE, text="It is 10."),
        page=Page(id=page, space="S", title=f"Page {page}", url=f"https://wiki.example/{page}"),
    )


def outcome(asked: Question, *pages: str, copies: Sequence[str] = ()) -> Outcome:
    hits = []
    for page in pages:
        here = found_on(page)
        hits.append(Hit(evidence=here.evidence, page=here.page, copies=()))
    if hits:
        same = tuple(found_on(page) for page in copies)
        hits[0] = hits[0].model_copy(update={"copies": same})
    return Outcome.of(Measured(asked, tuple(hits), 0.0), WORDING)


def test_a_copy_that_says_the_same_counts_as_right() -> None:
    found = outcome(question(), "8", copies=["7"])
    assert (found.is_first, found.is_right) == (False, True)


def test_a_copy_does_not_count_where_the_question_names_which_one_is_meant() -> None:
    named = question(tags=("copy-named",))
    assert not outcome(named, "8", copies=["7"]).is_right
    assert outcome(named, "7", copies=["8"]).is_right


def test_a_page_further_down_is_among_ten_and_not_first() -> None:
    found = outcome(question(), "8", "9", "7")
    assert (found.is_right, found.is_among_ten, found.found) == (False, True, "Page 8")
    assert not outcome(question()).is_among_ten


def test_wordings_of_one_question_are_one_question() -> None:
    right, wrong = outcome(question(), "7"), outcome(question(), "8")
    other = outcome(question(turn=2), "7")
    assert by_question([other, right, wrong]).tolist() == [0.5, 1.0]


def test_classes_are_tags_and_what_every_corpus_tells() -> None:
    later = outcome(question(turn=2, tags=("sister",)), "7")
    assert later.classes == {"sister", "later turn", "from a table", "asked in en"}


def pairs(right: int, wrong: int) -> tuple[list[Outcome], list[Outcome]]:
    """Ours, of which so many are right, beside theirs, all wrong; a conversation each."""
    ours, theirs = [], []
    for number in range(right + wrong):
        ours.append(outcome(question(number), "7" if number < right else "8"))
        theirs.append(outcome(question(number), "8"))
    return ours, theirs


def test_a_difference_comes_with_an_interval_around_it() -> None:
    found = difference(*pairs(right=20, wrong=80))
    assert found.mean == pytest.approx(0.2)
    assert 0.1 < found.low < 0.2 < found.high < 0.3


def test_turns_of_one_thread_are_not_counted_as_independent() -> None:
    ours = [outcome(question(n, turn), "7" if n < 2 else "8") for n in range(10) for turn in (1, 2)]
    theirs = [outcome(question(n, turn), "8") for n in range(10) for turn in (1, 2)]
    alone = difference(*pairs(right=4, wrong=16))
    together = difference(ours, theirs)
    assert together.mean == alone.mean
    assert together.high - together.low > 1.2 * (alone.high - alone.low)
