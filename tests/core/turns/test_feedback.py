"""Votes: one per user and answer, the last one wins, and nothing of the way there is lost."""

from __future__ import annotations

import pytest
from counted_votes import votes
from sqlmodel import col, select

from core.states import Vote, VoteBy
from core.storage.database import Database
from core.storage.tables import FeedbackHistoryRow, FeedbackRow
from core.turns import feedback, turn_store
from core.turns.turn import Address, NewQuestion

ADDRESS = Address(team="T1", channel="C1", ts="1.5", thread_ts="1.0")


@pytest.fixture
def turn_id(database: Database) -> str:
    turn = turn_store.ask(database, NewQuestion(ADDRESS, user="U1", text="Who is on call?"))
    assert turn is not None
    return turn.id


def history(database: Database) -> list[tuple[str, str, str]]:
    with database.reading() as session:
        rows = session.exec(select(FeedbackHistoryRow).order_by(col(FeedbackHistoryRow.at))).all()
    return [(row.user, row.vote, row.by) for row in rows]


def test_the_last_vote_of_a_user_wins_and_both_are_kept(database: Database, turn_id: str) -> None:
    feedback.record(database, turn_id, "U1", Vote.UP, by=VoteBy.BUTTON)
    feedback.record(database, turn_id, "U1", Vote.DOWN, by=VoteBy.REACTION)
    assert votes(database, turn_id) == {"U1": Vote.DOWN}
    assert history(database) == [("U1", "up", "button"), ("U1", "down", "reaction")]


def test_every_user_has_a_vote(database: Database, turn_id: str) -> None:
    feedback.record(database, turn_id, "U1", Vote.UP, by=VoteBy.BUTTON)
    feedback.record(database, turn_id, "U2", Vote.DOWN, by=VoteBy.BUTTON)
    assert votes(database, turn_id) == {"U1": Vote.UP, "U2": Vote.DOWN}


def test_a_vote_that_is_taken_back_counts_no_more_and_stays_in_the_history(
    database: Database, turn_id: str
) -> None:
    feedback.record(database, turn_id, "U1", Vote.UP, by=VoteBy.REACTION)
    feedback.withdraw(database, turn_id, "U1", Vote.UP, by=VoteBy.REACTION)
    assert votes(database, turn_id) == {}
    assert history(database) == [("U1", "up", "reaction"), ("U1", "", "reaction")]


def test_taking_back_an_old_vote_leaves_the_newer_one(database: Database, turn_id: str) -> None:
    feedback.record(database, turn_id, "U1", Vote.UP, by=VoteBy.REACTION)
    feedback.record(database, turn_id, "U1", Vote.DOWN, by=VoteBy.BUTTON)
    feedback.withdraw(database, turn_id, "U1", Vote.UP, by=VoteBy.REACTION)
    assert votes(database, turn_id) == {"U1": Vote.DOWN}
    assert len(history(database)) == 2


def test_taking_back_what_was_never_given_is_nothing(database: Database, turn_id: str) -> None:
    feedback.withdraw(database, turn_id, "U1", Vote.UP, by=VoteBy.REACTION)
    assert (votes(database, turn_id), history(database)) == ({}, [])


def test_of_two_votes_handled_in_the_wrong_order_the_one_cast_last_counts(
    database: Database, turn_id: str
) -> None:
    feedback.record(database, turn_id, "U1", Vote.DOWN, by=VoteBy.BUTTON, at=20.0)
    feedback.record(database, turn_id, "U1", Vote.UP, by=VoteBy.BUTTON, at=10.0)
    assert votes(database, turn_id) == {"U1": Vote.DOWN}


def test_a_reason_comes_later_and_goes_when_the_vote_is_another(
    database: Database, turn_id: str
) -> None:
    def reason() -> tuple[str, str]:
        with database.reading() as session:
            row = session.get_one(FeedbackRow, (turn_id, "U1"))
            return row.vote, row.reason

    feedback.record(database, turn_id, "U1", Vote.DOWN, by=VoteBy.BUTTON, at=10.0)
    feedback.record(
        database, turn_id, "U1", Vote.DOWN, by=VoteBy.BUTTON, at=12.0, reason="out of date"
    )
    feedback.record(
        database, turn_id, "U1", Vote.DOWN, by=VoteBy.BUTTON, at=12.0
    )  # the same event again
    assert reason() == ("down", "out of date")
    feedback.record(database, turn_id, "U1", Vote.UP, by=VoteBy.BUTTON, at=20.0)
    assert reason() == ("up", "")
