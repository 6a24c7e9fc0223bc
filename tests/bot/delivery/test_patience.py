"""Patience with a question: it ends with a reason, and begins again when nobody could work."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from sqlmodel import update

from bot.delivery.patience import Patience
from core.states import NoAnswer
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import turn_store
from core.turns.backpressure import LATE_S
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.turn_delivery import AHEAD_S, KeptOpen

SECONDS = 60.0


@pytest.fixture
def patience(database: Database) -> Patience:
    return Patience(database, SECONDS)


def asked_ago(database: Database, seconds: float) -> Turn:
    address = Address("T1", "C1", "1.5", "1.5")
    asked = turn_store.ask(database, NewQuestion(address, "U1", "Who is on call?"))
    assert asked is not None
    then = time.time() - seconds
    with database.session() as session:
        session.exec(update(TurnRow).values(asked_at=then, patience_from=then))
    return reload(database, asked)


def seconds_later(database: Database, turn: Turn, seconds: float) -> Turn:
    """The turn as it is so many seconds later."""
    now = reload(database, turn)
    return replace(now, patience_from=now.patience_from - seconds)


def reload(database: Database, turn: Turn) -> Turn:
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def test_a_question_within_its_time_stays_open(database: Database, patience: Patience) -> None:
    turn = asked_ago(database, SECONDS - 10)
    assert not patience.is_over(turn)
    assert patience.reload(turn) == turn


def test_a_question_that_took_too_long_is_closed_with_a_reason(
    database: Database, patience: Patience
) -> None:
    turn = patience.reload(asked_ago(database, SECONDS + 1))
    assert (turn.state, turn.reason) == ("failed", NoAnswer.LATE)


def test_a_question_whose_answer_is_being_written_stays_open_until_the_writing_stops(
    database: Database, patience: Patience
) -> None:
    turn = asked_ago(database, SECONDS - 1)
    KeptOpen(database, turn, SECONDS).for_s(15.0)
    later = seconds_later(database, turn, 10.0)
    assert not patience.is_over(later)
    assert patience.is_over(seconds_later(database, turn, 15.0 + AHEAD_S))


def test_a_question_that_nobody_could_work_on_has_a_new_patience(
    database: Database, patience: Patience
) -> None:
    turn = asked_ago(database, SECONDS + 1)
    assert patience.may_begin_again(turn)
    assert not patience.is_over(patience.begin_again(turn))


def test_a_question_of_long_ago_has_none(database: Database, patience: Patience) -> None:
    assert not patience.may_begin_again(asked_ago(database, LATE_S + 1))


def test_whoever_steps_aside_comes_back_when_the_patience_is_over(
    database: Database, patience: Patience
) -> None:
    turn = asked_ago(database, 10)
    assert patience.step_aside(turn)
    with database.reading() as session:
        comes_back_at = session.get_one(TurnRow, turn.id).delivery_enqueued_at
    assert comes_back_at == pytest.approx(turn.patience_from + SECONDS)


def test_nobody_steps_aside_from_a_question_that_a_worker_has_taken_up(
    database: Database, patience: Patience
) -> None:
    turn = asked_ago(database, 10)
    turn_store.start(database, turn.id)
    assert not patience.step_aside(turn)
