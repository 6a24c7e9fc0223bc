"""Gaps called fixed are asked again until there is an answer, and none holds up the others."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlmodel import update

from core.digest import fixes
from core.errors import ModelUnavailable
from core.models import Answer, Note, Record
from core.question import Completed
from core.states import Cure
from core.storage import clock
from core.storage.database import Database
from core.storage.loop_tables import FixRow
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn
from worker.bootstrap import WorkerParts
from worker.digest.asking_again import AskingAgain

A_DAY = fixes.LONGEST_S


def recorded(text: str, *notes: Note) -> Record:
    completed = Completed(question=text, text=text)
    return Record(completed=completed, answer=Answer(text="It is so.", notes=notes))


def unanswered(database: Database, ts: str, text: str, told: tuple[str, ...] = ()) -> Turn:
    new = NewQuestion(Address("T1", "C1", ts, ts), user="U1", text=" ".join((*told, text)))
    turn = turn_store.ask(database, new)
    assert turn
    record = recorded(text, Note.NOT_FOUND)
    completed = record.completed.model_copy(update={"context": told})
    assert turn_store.answer(database, turn.id, record.model_copy(update={"completed": completed}))
    return turn


def marked(database: Database, *turns: Turn, ago_s: float = A_DAY + 60.0) -> None:
    for turn in turns:
        assert fixes.mark_in_console(database, [turn.id])
    with database.session() as session:
        session.exec(update(FixRow).values(marked_at=clock.now() - ago_s))


def asking(database: Database, answer: Callable[[str], Record]) -> AskingAgain:
    """With answers that a test gives."""
    pipeline = SimpleNamespace(answer=lambda text, _history, **_: answer(text))
    settings = SimpleNamespace(answer_patience_s=10.0)
    parts: Any = SimpleNamespace(database=database, settings=settings, pipeline=pipeline)
    return AskingAgain(cast(WorkerParts, parts))


def outcome(database: Database, turn: Turn) -> Cure | None:
    with database.reading() as session:
        (question,) = fixes.of_turns(session, [turn.id])[turn.id].questions
    return question.outcome


@pytest.mark.parametrize("error", [ModelUnavailable("down"), None])
def test_one_that_fails_does_not_hold_up_the_others(
    database: Database, error: ModelUnavailable | None
) -> None:
    def answer(text: str) -> Record:
        if text == "Fails?" and error:
            raise error
        return recorded(text, *([Note.MODEL_DOWN] if text == "Fails?" else []))

    failing, other = (unanswered(database, f"{n}.0", f"{t}?") for n, t in ((1, "Fails"), (2, "B")))
    marked(database, failing, other)
    asking(database, answer).when_synced()
    assert (outcome(database, failing), outcome(database, other)) == (None, Cure.ANSWERED)


def test_a_defect_in_one_is_told_and_does_not_hold_up_the_others_for_ever(
    database: Database,
) -> None:
    def answer(text: str) -> Record:
        if text == "Fails?":
            raise ValueError("a defect")
        return recorded(text)

    failing = unanswered(database, "1.0", "Fails?")
    others = [unanswered(database, f"{number}.0", f"B{number}?") for number in (2, 3)]
    marked(database, failing, *others)
    again = asking(database, answer)
    with pytest.raises(ValueError, match="a defect"):
        for _ in range(2):
            again.when_synced()
    again.when_synced()
    assert [outcome(database, each) for each in others] == [Cure.ANSWERED] * 2
    assert outcome(database, failing) is None


@pytest.mark.parametrize("ago_s", [A_DAY + 60.0, 2 * A_DAY + 60.0])
def test_what_could_not_be_asked_for_a_day_is_as_before(database: Database, ago_s: float) -> None:
    turn = unanswered(database, "1.0", "Sauna?")
    marked(database, turn, ago_s=ago_s)
    asking(database, lambda text: recorded(text, Note.BUDGET)).when_synced()
    assert outcome(database, turn) == (Cure.AS_BEFORE if ago_s > 2 * A_DAY else None)


def test_a_reply_that_was_too_long_is_an_answer(database: Database) -> None:
    turn = unanswered(database, "1.0", "Sauna?")
    marked(database, turn)
    asking(database, lambda text: recorded(text, Note.INCOMPLETE)).when_synced()
    assert outcome(database, turn) is Cure.ANSWERED


def test_what_a_message_tells_is_asked_again_with_its_question(database: Database) -> None:
    asked: list[str] = []

    def answer(text: str) -> Record:
        asked.append(text)
        return recorded(text)

    marked(database, unanswered(database, "1.0", "Is it needed?", ("We sail to Aarhus.",)))
    asking(database, answer).when_synced()
    assert asked == ["We sail to Aarhus. Is it needed?"]
