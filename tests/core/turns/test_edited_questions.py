"""An edited question takes the place of the first one, in its thread and for the limits."""

from __future__ import annotations

from test_taking_up import ask, record, reload

from core.policy.rate_limits import Limits
from core.states import NoAnswer
from core.storage.database import Database
from core.turns import turn_store
from core.turns.anew import edits
from core.turns.turn import NewQuestion


def test_an_edited_question_counts_as_one_more_for_the_limit(
    database: Database,
) -> None:
    limits = Limits(person_per_hour=2)
    turn = ask(database)
    for second, reason in ((1, None), (2, NoAnswer.LIMIT_PERSON)):
        new = NewQuestion(turn.address, turn.user, f"And {second}?")
        edited = edits.ask_anew(database, turn.id, new, limits, edited_ts=f"{second}.000000")
        assert edited is not None
        assert edited.reason == reason
    new = NewQuestion(turn.address, turn.user, "And 3?")
    assert edits.ask_anew(database, turn.id, new, limits, edited_ts="3.000000") is None


def test_the_conversation_holds_the_edited_question_in_its_place(database: Database) -> None:
    turn, later = ask(database, ts="1.5"), ask(database, "And in May?", ts="2.5")
    turn_store.answer(database, turn.id, record())
    new = NewQuestion(turn.address, turn.user, "Who cleans?")
    edited = edits.ask_anew(database, turn.id, new, edited_ts="9.000000")
    assert edited is not None
    turn_store.answer(database, turn.id, record(), edition=edited.edition, edited_ts="9.000000")
    assert [each.question for each in turn_store.earlier(database, later)] == ["Who cleans?"]
    assert turn_store.earlier(database, reload(database, turn)) == ()
