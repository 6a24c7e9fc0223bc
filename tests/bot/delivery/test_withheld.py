"""What deliveries do when the gate would stop them: they have the turn confirmed, and wait."""

from __future__ import annotations

import io
import time
from pathlib import Path

import canary
import pytest
import redis
from desk import NEWER, Speaker, a_speaker, confirm, meanwhile, said, settings, write
from matplotlib.figure import Figure
from sqlmodel import select
from told import told

from bot.views.answer_blocks import ASK_AGAIN_ACTION
from core.access.disclosure import EVERYBODY, of_pages
from core.jobs.progress_events import Event, EventKind
from core.jobs.queue import TaskName
from core.language.sentences import sentences
from core.states import NoAnswer, NoExplanation, PostKind, TurnState
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import explanations, post_store, turn_delivery, turn_store
from core.turns.turn import Turn
from sandbox.slack.client import Message, Workspace

SAY = sentences("en")
SHOWS = of_pages([canary.PAGE])
LONG = f"The {canary.WORD} opens the harbour gate. " * 20


@pytest.fixture
def answered(database: Database, turn: Turn) -> Turn:
    turn_store.answer(database, turn.id, canary.record())
    return now(database, turn)


@pytest.fixture
def hasty(
    tmp_path: Path, database: Database, workspace: Workspace, queues: redis.Redis, redis_url: str
) -> Speaker:
    """A speaker for which no worker is fast enough."""
    chosen = settings(tmp_path, workspace.url, redis_url, answer_patience_s=100.0)
    return a_speaker(chosen, database, confirm_wait_s=0.3)


def now(database: Database, turn: Turn) -> Turn:
    loaded = turn_store.load(database, turn.id)
    assert loaded is not None
    return loaded


def asks_a_worker(queues: redis.Redis, workspace: Workspace) -> None:
    workspace.wait_until(
        lambda: any(TaskName.CONFIRM in each for each in queues.lrange("answer", 0, -1)),
        what="a worker is asked",
    )


def text(workspace: Workspace, question: Message) -> str:
    return " ".join(message.plain() + message.text for message in said(workspace, question))


def test_a_delivery_waits_until_a_worker_has_confirmed_its_pages(
    workspace: Workspace, speaker: Speaker, queues: redis.Redis, question: Message, answered: Turn
) -> None:
    thread = meanwhile(lambda: speaker.answers.deliver(answered.id))
    asks_a_worker(queues, workspace)
    assert canary.WORD not in text(workspace, question)
    confirm(speaker.database, canary.PAGE.id)
    thread.join()
    assert canary.WORD in text(workspace, question)
    assert now(speaker.database, answered).delivered


def test_a_page_that_was_just_confirmed_is_not_asked_for_again(
    workspace: Workspace, speaker: Speaker, queues: redis.Redis, question: Message, answered: Turn
) -> None:
    confirm(speaker.database, canary.PAGE.id)
    speaker.answers.deliver(answered.id)
    assert canary.WORD in text(workspace, question)
    assert queues.lrange("answer", 0, -1) == []


def test_a_turn_that_is_taken_back_meanwhile_says_so_and_can_be_asked_again(
    workspace: Workspace, speaker: Speaker, queues: redis.Redis, question: Message, answered: Turn
) -> None:
    thread = meanwhile(lambda: speaker.answers.deliver(answered.id))
    asks_a_worker(queues, workspace)
    told(speaker.database, EVERYBODY, {canary.PAGE: False}, time.time())
    assert turn_store.take_back(speaker.database, answered, NoAnswer.CLOSED)
    thread.join()
    (shown,) = said(workspace, question)
    assert SAY("reason-closed") in shown.plain()
    assert shown.has_button(ASK_AGAIN_ACTION)
    assert now(speaker.database, answered).delivered


def test_when_nobody_can_tell_the_answer_is_withheld_and_that_is_said(
    workspace: Workspace, hasty: Speaker, question: Message, answered: Turn
) -> None:
    hasty.answers.deliver(answered.id)
    (shown,) = said(workspace, question)
    assert SAY("reason-unconfirmed") in shown.plain()
    assert shown.has_button(ASK_AGAIN_ACTION)
    withheld = now(hasty.database, answered)
    assert (withheld.state, withheld.reason) == (TurnState.FAILED, NoAnswer.UNCONFIRMED)
    assert (withheld.record, withheld.delivered) == (None, True)


def test_a_message_that_stands_already_is_left_and_changed_later(
    workspace: Workspace, hasty: Speaker, question: Message, answered: Turn
) -> None:
    confirm(hasty.database, canary.PAGE.id)
    hasty.answers.deliver(answered.id)
    before = text(workspace, question)
    confirm(hasty.database, canary.PAGE.id, age_s=-0.001)
    changed = canary.record(prompt="another")
    turn_delivery.redeliver(hasty.database, now(hasty.database, answered), changed)
    told(hasty.database, EVERYBODY, {canary.PAGE: False}, time.time() + 1)
    hasty.answers.deliver(answered.id)
    assert text(workspace, question) == before
    waiting = now(hasty.database, answered)
    assert (waiting.delivered, waiting.record) == (False, changed)

    confirm(hasty.database, canary.PAGE.id, age_s=-2.0)
    hasty.answers.deliver(answered.id)
    assert now(hasty.database, answered).delivered


def test_an_answer_that_stands_in_slack_is_replaced_when_it_is_taken_back(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    """Those of its messages that are not needed any more are deleted."""
    made = canary.record()
    long_text = "\n\n".join(f"{number}. {LONG}" for number in range(40))
    long = made.answer.model_copy(update={"text": long_text})
    turn_store.answer(speaker.database, turn.id, made.model_copy(update={"answer": long}))
    confirm(speaker.database, canary.PAGE.id)
    speaker.answers.deliver(turn.id)
    assert len(said(workspace, question)) > 1
    assert turn_store.take_back(speaker.database, now(speaker.database, turn), NoAnswer.CLOSED)
    speaker.answers.deliver(turn.id)
    (left,) = said(workspace, question)
    assert canary.WORD not in left.plain() + left.text
    assert SAY("reason-closed") in left.plain()


def test_a_stream_is_held_back_while_its_pages_are_not_confirmed(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    confirm(speaker.database, canary.PAGE.id)
    thread = meanwhile(lambda: speaker.answers.deliver(turn.id))
    write(speaker, turn, LONG, shows=SHOWS)
    workspace.wait_until(lambda: canary.WORD in text(workspace, question), what="a stream")
    told(speaker.database, EVERYBODY, {canary.PAGE: False}, time.time())
    write(speaker, turn, "Then the numbat sleeps. " * 20, shows=SHOWS)
    time.sleep(2.5)
    assert "numbat" not in text(workspace, question)
    confirm(speaker.database, canary.PAGE.id)
    workspace.wait_until(lambda: "numbat" in text(workspace, question), what="the stream goes on")
    turn_store.answer(speaker.database, turn.id, canary.record())
    speaker.events.publish(turn.id, Event(EventKind.DONE))
    thread.join()
    (shown,) = said(workspace, question)
    assert not shown.streaming


@pytest.mark.parametrize("older", [False, True], ids=["streamed", "in a placeholder"])
def test_what_was_shown_of_an_answer_goes_when_the_answer_is_withheld(
    workspace: Workspace, hasty: Speaker, question: Message, turn: Turn, older: bool
) -> None:
    if older:
        workspace.lack(*NEWER)
    confirm(hasty.database, canary.PAGE.id)
    thread = meanwhile(lambda: hasty.answers.deliver(turn.id))
    write(hasty, turn, LONG, shows=SHOWS)
    workspace.wait_until(lambda: canary.WORD in text(workspace, question), what="the text")
    told(hasty.database, EVERYBODY, {canary.PAGE: False}, time.time())
    turn_store.answer(hasty.database, turn.id, canary.record())
    hasty.events.publish(turn.id, Event(EventKind.DONE))
    thread.join()
    (shown,) = said(workspace, question)
    assert canary.WORD not in shown.plain() + shown.text
    assert SAY("reason-unconfirmed") in shown.plain()
    assert not shown.streaming


def test_text_of_which_no_worker_says_the_evidence_is_not_shown(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = meanwhile(lambda: speaker.answers.deliver(turn.id))
    speaker.events.publish(turn.id, Event(EventKind.TEXT, LONG), key=turn.words_key)
    time.sleep(1.5)
    assert said(workspace, question) == []
    confirm(speaker.database, canary.PAGE.id)
    turn_store.answer(speaker.database, turn.id, canary.record())
    speaker.events.publish(turn.id, Event(EventKind.DONE))
    thread.join()
    assert len(said(workspace, question)) == 1


def explain(speaker: Speaker, turn: Turn) -> None:
    picture = io.BytesIO()
    Figure(figsize=(1, 1)).savefig(picture, format="png")
    explanations.request(speaker.database, turn.id, "U0BEN")
    explanations.save(speaker.database, canary.explanation(turn.id), picture.getvalue())


def test_an_explanation_is_taken_back_with_its_chart(
    workspace: Workspace, speaker: Speaker, question: Message, answered: Turn
) -> None:
    confirm(speaker.database, canary.PAGE.id)
    explain(speaker, answered)
    speaker.explanations.deliver(answered.id)
    (shown,) = said(workspace, question)
    assert [block for block in shown.blocks if block["type"] == "image"]
    assert explanations.take_back(speaker.database, answered.id)
    speaker.explanations.deliver(answered.id)
    (left,) = said(workspace, question)
    assert canary.WORD not in left.plain() + left.text
    assert SAY("unexplained-closed") in left.plain()
    assert len(workspace.received("files.delete")) == 1
    (post,) = post_store.of_turn(speaker.database, answered.id)
    assert (post.kind, post.file) == (PostKind.EXPLANATION, "")


def test_an_explanation_waits_for_a_worker_and_is_tried_again_later(
    workspace: Workspace, hasty: Speaker, queues: redis.Redis, question: Message, answered: Turn
) -> None:
    explain(hasty, answered)
    hasty.explanations.deliver(answered.id)
    asks_a_worker(queues, workspace)
    assert canary.WORD not in text(workspace, question)
    request = explanations.load(hasty.database, answered.id)
    assert request is not None
    assert not request.delivered
    confirm(hasty.database, canary.PAGE.id)
    hasty.explanations.deliver(answered.id)
    assert canary.WORD in text(workspace, question)


def test_nothing_is_explained_of_an_answer_that_was_taken_back(
    workspace: Workspace, speaker: Speaker, question: Message, answered: Turn
) -> None:
    """Also when the explanation is not taken back yet."""
    explain(speaker, answered)
    turn_store.take_back(speaker.database, answered, NoAnswer.CLOSED)
    speaker.explanations.deliver(answered.id)
    (shown,) = said(workspace, question)
    assert canary.WORD not in shown.plain() + shown.text
    assert SAY("unexplained-closed") in shown.plain()


def test_an_answer_that_has_changed_since_is_not_taken_back(
    database: Database, answered: Turn
) -> None:
    turn_delivery.redeliver(database, answered, canary.record())
    assert not turn_store.take_back(database, answered, NoAnswer.CLOSED)
    with database.reading() as session:
        row = session.exec(select(TurnRow).where(TurnRow.id == answered.id)).one()
        assert row.record is not None


def test_an_explanation_of_an_answer_that_was_taken_back_explains_no_later_one(
    database: Database, answered: Turn
) -> None:
    explanations.request(database, answered.id, "U0BEN")
    explanations.save(database, canary.explanation(answered.id))
    turn_store.take_back(database, answered, NoAnswer.CLOSED)
    assert turn_store.ask_again(database, answered.id)
    assert explanations.load(database, answered.id) is None


def test_of_an_explanation_that_is_taken_back_nothing_is_kept(
    database: Database, answered: Turn
) -> None:
    explanations.request(database, answered.id, "U0BEN")
    explanations.save(database, canary.explanation(answered.id), b"picture")
    assert explanations.take_back(database, answered.id)
    request = explanations.load(database, answered.id)
    assert request is not None
    assert (request.reason, request.result) == (NoExplanation.CLOSED, None)
    assert explanations.picture(database, answered.id) is None
    assert not explanations.take_back(database, answered.id)
