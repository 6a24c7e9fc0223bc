"""Explanations: asked for by many, computed once, kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.attribution import Explanation
from core.states import ExplanationState, NoExplanation
from core.storage.database import Database
from core.storage.tables import ExplanationRow
from core.turns import explanations, turn_store
from core.turns.turn import Address, NewQuestion

ADDRESS = Address(team="T1", channel="C1", ts="1.5", thread_ts="1.0")


@pytest.fixture
def turn_id(database: Database) -> str:
    turn = turn_store.ask(database, NewQuestion(ADDRESS, user="U1", text="Who is on call?"))
    assert turn is not None
    return turn.id


def result(turn_id: str, model: str = "small") -> Explanation:
    return Explanation(turn_id=turn_id, repeats=3, model=model)


def load(database: Database, turn_id: str) -> explanations.Request:
    found = explanations.load(database, turn_id)
    assert found is not None
    return found


def test_an_explanation_nobody_asked_for_is_not_there(database: Database, turn_id: str) -> None:
    assert explanations.load(database, turn_id) is None


def test_an_explanation_is_asked_for_once_and_keeps_who_asked_first(
    database: Database, turn_id: str
) -> None:
    assert explanations.request(database, turn_id, "U1")
    assert not explanations.request(database, turn_id, "U2")
    found = load(database, turn_id)
    assert (found.requested_by, found.state, found.result, found.delivered) == (
        "U1",
        "waiting",
        None,
        False,
    )


def test_of_many_who_ask_at_the_same_moment_one_is_first(database: Database, turn_id: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        first = list(pool.map(lambda n: explanations.request(database, turn_id, f"U{n}"), range(8)))
    assert first.count(True) == 1


def test_a_saved_explanation_is_found_by_the_second_who_asks(
    database: Database, turn_id: str
) -> None:
    explanations.request(database, turn_id, "U1")
    assert explanations.save(database, result(turn_id))
    assert not explanations.request(database, turn_id, "U2")
    found = load(database, turn_id)
    assert (found.state, found.result) == ("done", result(turn_id))


def test_of_two_results_the_first_one_stays(database: Database, turn_id: str) -> None:
    explanations.request(database, turn_id, "U1")
    explanations.save(database, result(turn_id, "first"))
    assert not explanations.save(database, result(turn_id, "second"))
    assert not explanations.fail(database, turn_id, NoExplanation.GAVE_UP)
    assert load(database, turn_id).result == result(turn_id, "first")


def test_a_failed_explanation_may_be_asked_for_again(database: Database, turn_id: str) -> None:
    explanations.request(database, turn_id, "U1")
    explanations.start(database, turn_id)
    explanations.fail(database, turn_id, NoExplanation.MODEL_DOWN)
    explanations.delivered(database, turn_id)
    assert load(database, turn_id).reason == "model_down"
    assert explanations.request(database, turn_id, "U2")
    again = load(database, turn_id)
    assert (again.requested_by, again.state, again.reason, again.delivered) == (
        "U2",
        "waiting",
        None,
        False,
    )
    assert explanations.start(database, turn_id) == 1


def test_attempts_are_counted(database: Database, turn_id: str) -> None:
    explanations.request(database, turn_id, "U1")
    assert [explanations.start(database, turn_id) for _ in range(2)] == [1, 2]


def test_a_delivered_explanation_says_so(database: Database, turn_id: str) -> None:
    explanations.request(database, turn_id, "U1")
    explanations.delivered(database, turn_id)
    assert load(database, turn_id).delivered


def test_an_explanation_of_an_older_version_counts_as_failed_and_is_made_anew(
    database: Database, turn_id: str
) -> None:
    explanations.request(database, turn_id, "U1")
    old = {"turn_id": turn_id, "method": "ours", "verdict": "needs_evidence", "effects": [{}]}
    with database.session() as session:
        row = session.get(ExplanationRow, turn_id)
        assert row is not None
        row.state, row.result = ExplanationState.DONE, old
    loaded = load(database, turn_id)
    assert (loaded.state, loaded.result) == (ExplanationState.FAILED, None)
    assert explanations.request(database, turn_id, "U2")
    assert load(database, turn_id).state is ExplanationState.WAITING
