"""What ended without its answer is taken up again, unless somebody has used it since."""

from __future__ import annotations

import time

import pytest
from sqlmodel import col, update

from core.models import Answer, Note, Record
from core.question import Completed
from core.states import NoAnswer, TurnState, Vote, VoteBy
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import erasure, explanations, feedback, turn_delivery, turn_store
from core.turns.anew import edits, taking_up
from core.turns.anew.taking_up import MOST_TIMES
from core.turns.turn import Address, NewQuestion, Turn

ANSWER = "Ben is on call."


def ask(database: Database, question: str = "Who is on call?", ts: str = "1.5") -> Turn:
    where = Address("T1", "C1", ts, "1.0")
    turn = turn_store.ask(database, NewQuestion(where, user="U1", text=question))
    assert turn is not None
    return turn


def record(*notes: Note, text: str = ANSWER) -> Record:
    answer = Answer(text=text, notes=notes, model="small")
    return Record(completed=Completed(question="?", text="?"), answer=answer)


def reload(database: Database, turn: Turn) -> Turn:
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def delivered(database: Database, turn: Turn) -> Turn:
    turn_delivery.delivered(database, reload(database, turn))
    return reload(database, turn)


def late(database: Database, ts: str = "1.5") -> Turn:
    turn = ask(database, f"Who is on call at {ts}?", ts)
    turn_store.fail(database, turn.id, NoAnswer.LATE)
    return delivered(database, turn)


def quoted(database: Database, ts: str = "1.5") -> Turn:
    turn = ask(database, f"Who is on call at {ts}?", ts)
    turn_store.answer(database, turn.id, record(Note.MODEL_DOWN, text="On-call: Ben"))
    return delivered(database, turn)


def due(database: Database) -> list[str]:
    return taking_up.due(database, 10)


def test_a_late_question_and_a_quoted_answer_are_due_once_they_stand_in_slack(
    database: Database,
) -> None:
    first, second = late(database, "1.5"), quoted(database, "2.5")
    assert due(database) == [first.id, second.id]
    third = ask(database, ts="3.5")
    turn_store.fail(database, third.id, NoAnswer.LATE)
    assert third.id not in due(database)
    assert taking_up.mark_enqueued(database, first.id)
    assert not taking_up.mark_enqueued(database, first.id)
    assert due(database) == [second.id]


@pytest.mark.parametrize("reason", [each for each in NoAnswer if each is not NoAnswer.LATE])
def test_no_other_reason_is_taken_up(database: Database, reason: NoAnswer) -> None:
    turn = ask(database)
    turn_store.fail(database, turn.id, reason)
    delivered(database, turn)
    assert due(database) == []


def test_an_answer_of_the_model_is_not_taken_up(database: Database) -> None:
    turn = ask(database)
    turn_store.answer(database, turn.id, record(Note.INCOMPLETE))
    delivered(database, turn)
    assert due(database) == []


def test_the_answer_takes_the_place_of_the_reason_says_so_and_is_delivered_again(
    database: Database,
) -> None:
    turn = late(database)
    assert taking_up.begin(database, turn.id)
    assert taking_up.save(database, turn, record())
    now = reload(database, turn)
    assert now.record is not None
    assert (now.state, now.reason, now.delivered) == (TurnState.DONE, None, False)
    assert now.record.answer.notes == (Note.LATER,)
    assert due(database) == []


def test_of_two_that_take_a_question_up_one_counts(database: Database) -> None:
    turn = quoted(database)
    assert taking_up.save(database, turn, record(text="first"))
    assert not taking_up.save(database, turn, record(text="second"))
    saved = reload(database, turn).record
    assert saved is not None
    assert saved.answer.text == "first"


def test_after_some_times_or_an_hour_it_stays_as_it_is(database: Database) -> None:
    turn = late(database)
    begun = [taking_up.begin(database, turn.id) for _ in range(MOST_TIMES + 1)]
    assert begun == [True] * MOST_TIMES + [False]
    other = late(database, "2.5")
    with database.session() as session:
        row = update(TurnRow).where(col(TurnRow.id) == other.id)
        session.exec(row.values(take_up_until=time.time() - 1))
    assert due(database) == []


def test_an_answer_that_somebody_has_used_is_left_alone(database: Database) -> None:
    voted, explained = quoted(database, "1.5"), quoted(database, "2.5")
    feedback.record(database, voted.id, "U2", Vote.UP, by=VoteBy.BUTTON)
    explanations.request(database, explained.id, "U2")
    assert due(database) == []
    assert not taking_up.begin(database, voted.id)
    assert not taking_up.save(database, explained, record())


def test_a_quoted_answer_that_was_asked_on_from_is_left_alone_a_late_question_is_not(
    database: Database,
) -> None:
    first, second = quoted(database, "1.5"), late(database, "2.5")
    assert due(database) == [first.id, second.id]
    ask(database, "And in May?", ts="3.5")
    assert due(database) == [second.id]


def test_a_late_question_that_was_asked_once_more_is_left_alone(database: Database) -> None:
    turn = late(database, "1.5")
    ask(database, turn.question, ts="2.5")
    assert due(database) == []


def test_what_was_tried_again_edited_or_forgotten_is_not_taken_up(database: Database) -> None:
    again, edited, forgotten = late(database, "1.5"), quoted(database, "2.5"), late(database, "3.5")
    turn_store.ask_again(database, again.id)
    new = NewQuestion(edited.address, edited.user, "Who is on call in May?")
    assert edits.ask_anew(database, edited.id, new, edited_ts="9.000000")
    erasure.forget_turn(database, forgotten.id, forgotten.user)
    erasure.taken_back(database, forgotten.id)
    assert due(database) == []
    for turn in (again, edited, forgotten):
        assert not taking_up.is_unchanged(database, turn)
        assert not taking_up.save(database, turn, record())
