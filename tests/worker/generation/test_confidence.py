"""How sure an answer is: what the search says of a page, and the step that people are shown."""

from __future__ import annotations

from typing import Any

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, key, page, piece, row

from core.models import Answer, Confidence, Evidence, Hit, Kind, Note, Source
from worker.generation.confidence import FEATURES, HIGH, MEDIUM, features, step, with_confidence

MACHINES, TRAVEL = page("1", "Machines"), page("2", "Travel")
TESTED, FAILED = piece("Lumo 3180 was tested."), piece("Lumo 4260 failed.")


def found(text: str, score: float, **more: Any) -> Hit:
    """A hit on Machines that is clearly the right one, unless something else is said."""
    return hit(piece(text), MACHINES, **({"score": score, "dense": 0.8} | more))


def aside(text: str, score: float, **more: Any) -> Hit:
    return hit(piece(text, "2"), TRAVEL, **({"score": score, "dense": 0.3, "aside": True} | more))


def said(hits: list[Hit], page_id: str) -> dict[str, float]:
    return dict(zip(FEATURES, features(hits, key(page_id)), strict=True))


def answer(*cited: Evidence, **more: Any) -> Answer:
    sources = [
        Source(number=n, title="Any", url="https://wiki.example/1", evidence_ids=(each.id,))
        for n, each in enumerate(cited, 1)
    ]
    return Answer(**({"text": "Yes [1]", "sources": tuple(sources)} | more))


def test_what_the_search_says_of_a_page_is_counted_over_all_pages() -> None:
    hits = [
        found(BACKUP, 3.0),
        found(LEAVE, 2.5, dense=0.9),
        hit(piece(HOTEL, "2"), TRAVEL, score=2.0, dense=0.5),
    ]
    assert said(hits, "1") == {
        "best": 3.0,
        "gap": 1.0,
        "dense": 0.9,
        "share": pytest.approx(2 / 3),
        "first": 1.0,
    }
    assert said(hits, "2") == {
        "best": 2.0,
        "gap": -1.0,
        "dense": 0.5,
        "share": pytest.approx(1 / 3),
        "first": 0.0,
    }


def test_a_draft_is_no_rival_of_the_page_that_counts_but_that_is_one_of_the_draft() -> None:
    draft = page("3", "Travel policy 2027 (draft)")
    hits = [
        hit(piece(HOTEL, "2"), TRAVEL, score=3.0),
        hit(piece(HOTEL, "3"), draft, score=2.9),
        found(LEAVE, 1.0),
    ]
    assert said(hits, "2")["gap"] == 2.0
    assert said(hits, "3")["gap"] == pytest.approx(-0.1)


def test_what_only_the_own_words_of_a_follow_up_found_takes_nothing_from_the_other_pages() -> None:
    hits = [found(BACKUP, 3.0), found(LEAVE, 2.5)]
    assert features([*hits, aside(HOTEL, 3.0)], key("1")) == features(hits, key("1"))


def test_a_page_that_only_the_own_words_found_has_no_share_and_is_not_first() -> None:
    assert said([found(BACKUP, 3.0), aside(HOTEL, 3.0)], "2") == {
        "best": 3.0,
        "gap": 0.0,
        "dense": 0.3,
        "share": 0.0,
        "first": 0.0,
    }


def test_where_only_the_own_words_found_anything_they_are_compared_with_each_other() -> None:
    hits = [aside(HOTEL, 3.0), aside(LEAVE, 2.0).model_copy(update={"page": MACHINES})]
    assert said(hits, "2") == {"best": 3.0, "gap": 1.0, "dense": 0.3, "share": 0.5, "first": 1.0}


@pytest.mark.parametrize(
    "beside",
    [
        {"evidence": piece("The crane team belongs to Operations.", kind=Kind.PLACE)},
        {"table_rows": 9},
    ],
)
def test_what_was_not_found_by_likeness_has_no_say(beside: dict[str, Any]) -> None:
    hits = [found(BACKUP, 3.0)]
    other = Hit(
        **({"evidence": row(1, Machine="Lumo 3180"), "page": TRAVEL, "score": 9.0} | beside)
    )
    assert features([*hits, other], key("1")) == features(hits, key("1"))


def test_a_follow_up_that_stays_with_its_page_is_as_sure_as_a_first_question() -> None:
    alone = [found(TESTED.text, 4.0), found(FAILED.text, 3.8)]
    first, follow_up = (
        with_confidence(answer(TESTED), alone),
        with_confidence(answer(TESTED), [*alone, aside(HOTEL, 4.0), aside(BACKUP, 3.9)]),
    )
    assert (first.confidence, follow_up.confidence) == (Confidence.HIGH, Confidence.HIGH)


def test_an_answer_is_as_sure_as_its_surest_source_and_each_source_says_how_sure_it_is() -> None:
    hits = [found(TESTED.text, 4.0), aside(HOTEL, 4.0)]
    both = with_confidence(answer(piece(HOTEL, "2"), TESTED), hits)
    assert (both.confidence, [source.confidence for source in both.sources]) == (
        Confidence.HIGH,
        [Confidence.LOW, Confidence.HIGH],
    )


def test_what_was_read_from_the_tree_is_sure() -> None:
    place = piece("The crane team belongs to Operations.", kind=Kind.PLACE)
    assert (
        with_confidence(answer(place), [hit(place, MACHINES, score=0.0)]).confidence
        is Confidence.HIGH
    )


@pytest.mark.parametrize("nothing", [answer(TESTED, notes=(Note.NOT_FOUND,)), answer()])
def test_nothing_is_said_of_an_answer_that_answers_nothing(nothing: Answer) -> None:
    assert with_confidence(nothing, [found(TESTED.text, 4.0)]) == nothing


def test_each_step_begins_at_its_probability() -> None:
    assert [step(each) for each in (HIGH, HIGH - 0.01, MEDIUM, MEDIUM - 0.01)] == [
        Confidence.HIGH,
        Confidence.MEDIUM,
        Confidence.MEDIUM,
        Confidence.LOW,
    ]
