"""An edited question is answered anew in place; a deleted one takes its answer along."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from desk import Desk, explanation, record
from handmade import ALICE, CHANNEL, Bot
from sqlmodel import col, select

from bot.delivery.turn_message import TurnMessage
from bot.listeners.changes.edits import EDITED_WITHIN_S
from bot.views.reasons import no_answer, no_explanation
from core.access.disclosure import NOTHING
from core.language.sentences import sentences
from core.states import NoAnswer, NoExplanation, PostKind, TurnState, Vote, VoteBy
from core.storage.tables import FeedbackRow, TurnRow
from core.turns import explanations, feedback, turn_store
from core.turns.anew import edits
from core.turns.turn import Address, Turn
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import BOT_USER_ID, TEAM_ID, Json

SAY = sentences("en")
ASKED = f"<@{BOT_USER_ID}> who is on call?"
EDITED = f"<@{BOT_USER_ID}> who is on call in May?"


@pytest.fixture
def question(desk: Desk) -> Message:
    message = desk.workspace.say("alice", "general", "@groundwire who is on call?")
    desk.settle()
    return message


@pytest.fixture
def answered(desk: Desk, question: Message) -> Message:
    """The answer to the question, which stands in its thread."""
    turn = turn_of(desk, question)
    turn_store.answer(desk.database, turn.id, record())
    desk.speaker.answers.deliver(turn.id)
    clear(desk)
    return desk.workspace.wait_for_reply(question)


def turn_of(desk: Desk, message: Message) -> Turn:
    where = Address(TEAM_ID, message.channel, message.ts, message.root_ts)
    found = edits.asked_at(desk.database, where)
    assert found is not None
    return found


def edit(desk: Desk, message: Message, text: str = "@groundwire who is on call in May?") -> None:
    desk.workspace.edit(message, text)
    desk.settle()


def clear(desk: Desk) -> None:
    desk.redis.delete("answer", "speak")


def rows(desk: Desk, question: Message) -> list[TurnRow]:
    """The turn of this message, and what it was before each edit."""
    with desk.database.reading() as session:
        its = select(TurnRow).where(col(TurnRow.ts).startswith(question.ts))
        return list(session.exec(its.order_by(TurnRow.ts)).all())


def set_aside(desk: Desk, question: Message) -> list[TurnRow]:
    return [row for row in rows(desk, question) if row.state == TurnState.REPLACED]


def votes(desk: Desk, *turn_ids: str) -> list[tuple[str, str]]:
    cast = select(FeedbackRow).where(col(FeedbackRow.turn_id).in_(turn_ids))
    with desk.database.reading() as session:
        return [(row.turn_id, row.vote) for row in session.exec(cast).all()]


def test_an_edited_question_is_answered_anew_in_the_message_of_its_answer(
    desk: Desk, question: Message, answered: Message
) -> None:
    before = turn_of(desk, question)
    edit(desk, question)
    turn = turn_of(desk, question)
    assert (turn.id, turn.question, turn.state) == (before.id, "who is on call in May?", "waiting")
    assert turn.asked_at == before.asked_at
    assert desk.queued("answer") == [("worker.answer", turn.id)]
    assert desk.queued("speak") == [("bot.deliver", turn.id)]

    made = record("Chloe is [1].")
    turn_store.answer(desk.database, turn.id, made, edition=turn.edition, edited_ts=turn.edited_ts)
    desk.speaker.answers.deliver(turn.id)
    (shown,) = [m for m in desk.workspace.thread(question.channel, question.ts) if m.bot]
    assert shown.ts == answered.ts
    assert "Chloe" in shown.plain()


def test_votes_stay_with_the_answer_that_they_were_cast_on(
    desk: Desk, question: Message, answered: Message
) -> None:
    turn = turn_of(desk, question)
    feedback.record(desk.database, turn.id, "U0BEN", Vote.DOWN, by=VoteBy.BUTTON)
    edit(desk, question)
    (first,) = set_aside(desk, question)
    assert votes(desk, turn.id, first.id) == [(first.id, "down")]
    assert (first.question, first.replaced_by) == ("who is on call?", turn.id)
    assert first.record
    feedback.record(desk.database, turn.id, "U0BEN", Vote.UP, by=VoteBy.BUTTON)
    assert sorted(votes(desk, turn.id, first.id)) == sorted([(first.id, "down"), (turn.id, "up")])


def test_an_edit_that_is_delivered_again_or_late_is_answered_once(
    desk: Desk, question: Message, answered: Message
) -> None:
    edit(desk, question)
    first = desk.deliveries()[-1]["payload"]["event_id"]
    edit(desk, question, "@groundwire who is on call in June?")
    clear(desk)
    desk.workspace.redeliver(first)
    desk.workspace.redeliver()
    desk.settle()
    assert turn_of(desk, question).question == "who is on call in June?"
    assert len(set_aside(desk, question)) == 2
    assert desk.queued("answer") == []


def test_while_it_is_being_answered_the_old_answer_is_not_saved_any_more(
    desk: Desk, question: Message
) -> None:
    before = turn_of(desk, question)
    edit(desk, question)
    assert not turn_store.is_waiting(desk.database, before)
    saved = turn_store.answer(
        desk.database,
        before.id,
        record(),
        edition=before.edition,
        edited_ts=before.edited_ts,
    )
    assert not saved
    assert turn_of(desk, question).state == "waiting"


def test_a_preview_of_a_link_or_the_same_words_ask_nothing(
    desk: Desk, question: Message, answered: Message
) -> None:
    edit(desk, question, "@groundwire  who is on call?")
    assert turn_of(desk, question).state == "done"
    assert set_aside(desk, question) == []


@pytest.mark.parametrize(
    ("after_s", "becomes"),
    [(EDITED_WITHIN_S + 1, "who is on call?"), (EDITED_WITHIN_S - 1, "who is on call in May?")],
)
def test_what_is_edited_too_late_keeps_its_answer(hand: Bot, after_s: float, becomes: str) -> None:
    asked_at = time.time()
    message = {"type": "message", "user": ALICE, "ts": f"{asked_at:.6f}", "text": ASKED}
    where = {"channel": CHANNEL, "channel_type": "channel"}
    hand.event({**message, **where, "type": "app_mention", "event_ts": message["ts"]})
    edited = {"text": EDITED, "edited": {"user": ALICE, "ts": f"{asked_at + after_s:.6f}"}}
    change = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": "9.9"}
    hand.event(change | where | {"message": message | edited, "previous_message": message})
    (row,) = [each for each in hand.rows()["TurnRow"] if each["state"] != TurnState.REPLACED]
    assert row["question"] == becomes


def test_an_edit_that_asks_nothing_stops_what_is_being_answered(
    desk: Desk, question: Message
) -> None:
    edit(desk, question, "@groundwire thanks!")
    turn = turn_of(desk, question)
    assert (turn.state, turn.reason) == ("failed", NoAnswer.STOPPED)


def test_an_edit_is_refused_like_a_new_question(
    desk: Desk, question: Message, answered: Message
) -> None:
    edit(desk, question, f"@groundwire who is on call? {'really? ' * 600}")
    turn = turn_of(desk, question)
    desk.speaker.answers.deliver(turn.id)
    assert no_answer(SAY, NoAnswer.TOO_LONG) in desk.workspace.message(answered).plain()


def test_an_explanation_of_the_first_answer_says_that_the_question_was_edited(
    desk: Desk, question: Message, answered: Message
) -> None:
    turn = turn_of(desk, question)
    explanations.request(desk.database, turn.id, "U0BEN")
    explanations.save(desk.database, explanation(turn.id))
    desk.speaker.explanations.deliver(turn.id)
    edit(desk, question)
    desk.speaker.explanations.deliver(turn.id)
    said = [m.plain() for m in desk.workspace.thread(question.channel, question.ts) if m.bot]
    assert any(no_explanation(SAY, NoExplanation.EDITED) in text for text in said)
    assert explanations.request(desk.database, turn.id, "U0BEN")


def test_an_edit_that_comes_before_its_message_is_what_is_answered(hand: Bot) -> None:
    message = {"type": "message", "user": ALICE, "ts": f"{time.time():.6f}", "text": ASKED}
    where = {"channel": CHANNEL, "channel_type": "channel"}
    edited = {"text": EDITED, "edited": {"user": ALICE, "ts": f"{time.time() + 1:.6f}"}}
    change = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": "9.9"}
    hand.event(change | where | {"message": message | edited, "previous_message": message})
    hand.event({**message, **where, "type": "app_mention", "event_ts": message["ts"]})
    (row,) = hand.rows()["TurnRow"]
    assert row["question"] == "who is on call in May?"
    assert hand.queues.llen("answer") == 1


def test_an_edit_and_its_message_that_come_at_once_are_the_edit(hand: Bot) -> None:
    """As after a restart, when Slack delivers both again: whichever is saved first."""
    sent: list[Json] = []
    for number in range(12):
        ts = f"{time.time() - number:.6f}"
        message = {"type": "message", "user": ALICE, "ts": ts, "text": ASKED}
        where = {"channel": CHANNEL, "channel_type": "channel"}
        edited = {"text": EDITED, "edited": {"user": ALICE, "ts": f"{float(ts) + 30:.6f}"}}
        change = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": "9.9"}
        sent.append({**message, **where, "type": "app_mention", "event_ts": ts})
        sent.append(change | where | {"message": message | edited, "previous_message": message})
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hand.event, sent))
    rows = hand.rows()["TurnRow"]
    asked = [each["question"] for each in rows if each["state"] != TurnState.REPLACED]
    assert asked == ["who is on call in May?"] * 12


@pytest.mark.parametrize("private", [True, False], ids=["direct", "channel"])
def test_what_becomes_a_question_by_an_edit_is_asked(desk: Desk, private: bool) -> None:
    say = desk.workspace
    hello = say.direct("alice", "hi") if private else say.say("alice", "general", "hi all")
    desk.settle()
    assert desk.turns(hello) == []
    edit(desk, hello)
    assert turn_of(desk, hello).question == "who is on call in May?"


def test_messages_of_others_may_be_edited_and_deleted(desk: Desk) -> None:
    lunch = desk.workspace.say("ben", "general", "lunch?")
    desk.workspace.edit(lunch, "who is on call?")
    desk.workspace.delete(desk.workspace.message(lunch))
    desk.settle()
    assert desk.turns(lunch) == []


def test_a_deleted_question_is_forgotten_and_its_answer_goes(
    desk: Desk, question: Message, answered: Message
) -> None:
    turn = turn_of(desk, question)
    edit(desk, question)
    desk.workspace.delete(desk.workspace.message(question))
    desk.settle()
    desk.speaker.deletion.delete_turn(turn.id)
    assert [m for m in desk.workspace.messages(question.channel) if m.bot] == []
    left = [(row.state, row.question, row.record) for row in rows(desk, question)]
    assert left == [("forgotten", "", None)] * 2


def test_a_question_that_is_deleted_while_it_waits_lets_the_next_one_come(
    desk: Desk, question: Message
) -> None:
    follow_up = desk.workspace.say("ben", "general", "and in May?", question.ts)
    desk.settle()
    clear(desk)
    desk.workspace.delete(desk.workspace.message(question))
    desk.settle()
    next_one = turn_of(desk, follow_up)
    assert ("worker.answer", next_one.id) in desk.queued("answer")
    assert not next_one.queued


def test_the_bots_own_messages_are_no_questions(desk: Desk) -> None:
    question = desk.workspace.say("alice", "general", "@groundwire who is on call?")
    desk.settle()
    turn = turn_of(desk, question)
    message = TurnMessage(desk.database, desk.speaker.messages, turn, PostKind.ANSWER)
    message.post("one moment", shows=NOTHING)
    message.update("two moments", shows=NOTHING)
    desk.settle()
    assert turn_of(desk, question).state == "waiting"
