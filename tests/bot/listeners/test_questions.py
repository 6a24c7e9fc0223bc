"""The real bot in Socket Mode: what people do, then what is in SQL, in the queues and in Slack."""

from __future__ import annotations

import pytest
from counted_votes import votes
from desk import Desk, answer, asked, explanation, record
from sqlalchemy import text
from sqlmodel import select

from bot.delivery.turn_message import TurnMessage
from bot.views import answer_blocks, explanation_blocks
from core.access.disclosure import NOTHING
from core.language.sentences import sentences
from core.policy import audit
from core.question import Completed, Condition, Field
from core.states import DetailState, NoAnswer, NoExplanation, PostKind, Vote
from core.storage.tables import ExplanationRow, FeedbackHistoryRow
from core.turns import detail_requests, explanations, post_store, turn_store
from core.turns.detail_requests import DetailRequest
from sandbox.slack.client import Message

SAY = sentences("en")

ALICE, BEN = "U0ALICE", "U0BEN"
LONG = (
    "And who is on call in the weeks after that, when the people who are on call now are at "
    "the harbour fair?"
)


@pytest.fixture
def answered(desk: Desk) -> Message:
    """An answer that stands in its thread."""
    return answer(desk, desk.workspace.say("alice", "general", "who is on call?"))


def test_a_mention_which_is_two_events_becomes_one_turn_that_is_enqueued(desk: Desk) -> None:
    message = desk.workspace.say("alice", "general", "@groundwire who is on call, @ben &  why?")
    desk.settle()

    turn = desk.turn(message)
    assert (turn.question, turn.user, turn.state) == (
        "who is on call, <@U0BEN> & why?",
        ALICE,
        "waiting",
    )
    assert desk.queued("speak") == [("bot.deliver", turn.id)]
    assert desk.queued("answer") == [("worker.answer", turn.id)]


def test_an_event_that_slack_delivers_again_does_nothing_new(desk: Desk) -> None:
    message = desk.workspace.say("alice", "general", "@groundwire who is on call?")
    desk.settle()
    for delivery in list(desk.deliveries()):
        desk.workspace.redeliver(delivery["payload"]["event_id"])
    desk.workspace.wait_until(lambda: all(d["attempts"] == 2 for d in desk.deliveries()))
    desk.workspace.say("alice", "general", "never mind")
    desk.settle()

    assert len(desk.turns(message)) == len(desk.queued("answer")) == 1


def test_a_direct_message_needs_no_mention(desk: Desk) -> None:
    message = desk.workspace.direct("alice", "who is on call?")
    desk.settle()
    assert desk.turn(message).question == "who is on call?"


def test_a_reply_in_our_thread_is_a_question_with_or_without_a_mention(desk: Desk) -> None:
    first = desk.workspace.say("alice", "general", "@groundwire who is on call?")
    desk.settle()
    desk.workspace.say("ben", "general", "and next week?", first.ts)
    desk.workspace.say("ben", "general", "@groundwire and in May?", first.ts)
    desk.settle()

    assert [turn.question for turn in desk.turns(first)] == [
        "who is on call?",
        "and next week?",
        "and in May?",
    ]


def test_a_reply_in_a_thread_of_others_is_none_of_our_business_until_we_are_mentioned_there(
    desk: Desk,
) -> None:
    first = desk.workspace.say("alice", "general", "lunch?")
    desk.workspace.say("ben", "general", "at noon?", first.ts)
    desk.settle()
    assert desk.turns(first) == []

    desk.workspace.say("ben", "general", "@groundwire what is for lunch?", first.ts)
    desk.settle()
    desk.workspace.say("alice", "general", "and tomorrow?", first.ts)
    desk.settle()
    assert [turn.question for turn in desk.turns(first)] == ["what is for lunch?", "and tomorrow?"]


def test_our_own_messages_are_acknowledged_and_ignored(desk: Desk) -> None:
    message = desk.workspace.say("alice", "general", "@groundwire who is on call?")
    desk.settle()
    desk.speaker.client.chat_postMessage(
        channel=message.channel, thread_ts=message.ts, text="<@U0BOT> I am talking to myself"
    )
    desk.settle()

    assert [turn.question for turn in desk.turns(message)] == ["who is on call?"]


def test_what_cannot_be_answered_is_refused_with_its_reason_and_told_without_asking_a_worker(
    desk: Desk,
) -> None:
    message = desk.workspace.say("alice", "general", "@groundwire " + "why " * 1001)
    desk.settle()

    turn = desk.turn(message)
    assert (turn.state, turn.reason) == ("failed", "too_long")
    assert (desk.queued("speak"), desk.queued("answer")) == ([("bot.deliver", turn.id)], [])


def test_the_longest_question_that_is_allowed_is_asked(desk: Desk) -> None:
    message = desk.workspace.direct("alice", ("how long is my leave? " * 200)[:4000])
    desk.settle()
    assert desk.turn(message).state == "waiting"


def test_a_vote_by_button_is_saved_and_thanked_for_privately(desk: Desk, answered: Message) -> None:
    desk.workspace.click(
        "ben", answered, answer_blocks.FEEDBACK_ACTION, f"down:{desk.turn(answered).id}"
    )
    desk.settle()

    assert votes(desk.database, desk.turn(answered).id) == {BEN: Vote.DOWN}
    assert desk.ephemeral_messages(BEN) == [SAY("thanks")]


def test_the_last_vote_of_a_person_wins_by_whatever_way_it_came(
    desk: Desk, answered: Message
) -> None:
    turn = desk.turn(answered)
    desk.workspace.click("alice", answered, answer_blocks.FEEDBACK_ACTION, f"up:{turn.id}")
    desk.settle()
    desk.workspace.react("alice", answered, "-1::skin-tone-4")
    desk.workspace.react("ben", answered, "thumbsup")
    desk.settle()

    assert votes(desk.database, turn.id) == {ALICE: Vote.DOWN, BEN: Vote.UP}
    with desk.database.reading() as session:
        history = session.exec(
            select(FeedbackHistoryRow).where(FeedbackHistoryRow.turn_id == turn.id)
        ).all()
    assert sorted((row.user, row.vote, row.by) for row in history) == [
        (ALICE, "down", "reaction"),
        (ALICE, "up", "button"),
        (BEN, "up", "reaction"),
    ]


def test_a_reaction_taken_back_takes_the_vote_back_unless_a_newer_one_stands(
    desk: Desk, answered: Message
) -> None:
    turn = desk.turn(answered)
    desk.workspace.react("alice", answered, "+1")
    desk.workspace.react("ben", answered, "+1")
    desk.settle()
    desk.workspace.react("ben", answered, "-1")
    desk.settle()
    desk.workspace.unreact("alice", answered, "+1")
    desk.workspace.unreact("ben", answered, "+1")
    desk.settle()

    assert votes(desk.database, turn.id) == {BEN: Vote.DOWN}


def test_other_reactions_and_reactions_elsewhere_are_acknowledged_and_ignored(
    desk: Desk, answered: Message
) -> None:
    lunch = desk.workspace.say("ben", "general", "lunch?")
    desk.workspace.react("alice", answered, "tada")
    desk.workspace.react("alice", lunch, "+1")
    desk.workspace.react("alice", lunch, "question")
    desk.settle()

    assert votes(desk.database, desk.turn(answered).id) == {}
    assert explanations.load(desk.database, desk.turn(answered).id) is None
    assert desk.queued("explain") == []


@pytest.mark.parametrize("reaction", ["", "question", "mag"])
def test_an_explanation_is_asked_for_by_button_and_by_reaction(
    desk: Desk, answered: Message, reaction: str
) -> None:
    if reaction:
        desk.workspace.react("ben", answered, reaction)
    else:
        desk.workspace.click("ben", answered, answer_blocks.EXPLAIN_ACTION)
    desk.settle()

    turn = desk.turn(answered)
    request = explanations.load(desk.database, turn.id)
    assert request is not None
    assert (request.requested_by, request.state) == (BEN, "waiting")
    assert desk.queued("speak") == [("bot.post_explanation", turn.id)]
    assert desk.queued("explain") == [("worker.explain", turn.id)]


def test_of_many_who_ask_for_an_explanation_at_once_one_is_served_and_the_others_are_told(
    desk: Desk, answered: Message
) -> None:
    for person in ("alice", "ben", "chloe"):
        desk.workspace.click(person, answered, answer_blocks.EXPLAIN_ACTION)
        desk.workspace.react(person, answered, "question")
    desk.settle()

    with desk.database.reading() as session:
        assert (
            len(
                session.exec(
                    select(ExplanationRow).where(ExplanationRow.turn_id == desk.turn(answered).id)
                ).all()
            )
            == 1
        )
    assert len(desk.queued("explain")) == 1
    assert len(desk.workspace.received("chat.postEphemeral")) == 5


def test_whoever_asks_for_an_explanation_too_early_is_told(desk: Desk) -> None:
    question = desk.workspace.say("alice", "general", "who is on call?")
    turn = asked(desk.database, question)
    placeholder = desk.speaker.client.chat_postMessage(
        channel=question.channel, thread_ts=question.ts, text="…"
    )
    post_store.save_place(
        desk.database,
        post_store.ensure(desk.database, turn, PostKind.ANSWER).id,
        str(placeholder["ts"]),
    )
    desk.workspace.react("ben", desk.workspace.wait_for_reply(question), "question")
    desk.settle()

    assert desk.ephemeral_messages(BEN) == [SAY("answer-unfinished")]
    assert explanations.load(desk.database, turn.id) is None


@pytest.fixture
def explaining(desk: Desk, answered: Message) -> Message:
    """The message of an explanation that Alice has asked for and that is being made."""
    desk.workspace.click("alice", answered, answer_blocks.EXPLAIN_ACTION)
    desk.settle()
    return progress(desk, answered)


def progress(desk: Desk, answered: Message) -> Message:
    """The message of its explanation as a speaker leaves it that was killed while it waited."""
    turn = desk.turn(answered)
    message = TurnMessage(desk.database, desk.speaker.messages, turn, PostKind.EXPLANATION)
    message.post(
        SAY("explaining"),
        explanation_blocks.build_progress(SAY, turn.id, SAY("explaining")),
        shows=NOTHING,
    )
    return desk.workspace.wait_for_reply(answered)


def test_whoever_asked_for_an_explanation_stops_it(
    desk: Desk, answered: Message, explaining: Message
) -> None:
    desk.workspace.click("alice", explaining, explanation_blocks.STOP_ACTION)
    desk.settle()
    request = explanations.load(desk.database, desk.turn(answered).id)
    assert request is not None
    assert (request.state, request.reason) == ("failed", "stopped")


def test_nobody_else_stops_it_and_is_told_who_can(
    desk: Desk, answered: Message, explaining: Message
) -> None:
    desk.workspace.click("ben", explaining, explanation_blocks.STOP_ACTION)
    desk.settle()
    request = explanations.load(desk.database, desk.turn(answered).id)
    assert request is not None
    assert request.state == "waiting"
    assert desk.ephemeral_messages(BEN) == [SAY("explain-stop-refused", user=ALICE)]


def test_what_is_done_already_is_not_stopped_any_more(
    desk: Desk, answered: Message, explaining: Message
) -> None:
    turn = desk.turn(answered)
    explanations.save(desk.database, explanation(turn.id))
    desk.workspace.click("alice", explaining, explanation_blocks.STOP_ACTION)
    desk.settle()
    request = explanations.load(desk.database, turn.id)
    assert request is not None
    assert request.state == "done"


def test_a_stopped_explanation_is_asked_for_again_by_anybody_and_belongs_to_them_then(
    desk: Desk, answered: Message, explaining: Message
) -> None:
    turn = desk.turn(answered)
    explanations.fail(desk.database, turn.id, NoExplanation.STOPPED)
    desk.speaker.explanations.deliver(turn.id)
    desk.redis.flushdb()
    desk.workspace.click("ben", desk.workspace.message(explaining), answer_blocks.EXPLAIN_ACTION)
    desk.settle()
    request = explanations.load(desk.database, turn.id)
    assert request is not None
    assert (request.state, request.requested_by) == ("waiting", BEN)
    assert desk.queued("speak") == [("bot.post_explanation", turn.id)]
    assert desk.queued("explain") == [("worker.explain", turn.id)]


@pytest.fixture
def explained_(desk: Desk, answered: Message, explaining: Message) -> Message:
    """An explanation that stands in its thread."""
    turn = desk.turn(answered)
    explanations.save(desk.database, explanation(turn.id))
    desk.speaker.explanations.deliver(turn.id)
    desk.redis.flushdb()
    return desk.workspace.message(explaining)


def peek(desk: Desk, user: str, message: Message) -> str:
    """Press *Details*; gives the id of the modal that opens."""
    desk.workspace.click(
        user.removeprefix("U0").lower(), message, explanation_blocks.DETAILS_ACTION
    )
    desk.settle()
    (view,) = desk.workspace.views(user)
    return str(view["id"])


def test_the_details_open_at_once_and_say_nothing_before_a_worker_has_decided(
    desk: Desk, explained_: Message
) -> None:
    view_id = peek(desk, BEN, explained_)
    assert SAY("details-loading") in desk.workspace.modal(BEN)
    assert detail_requests.load(desk.database, view_id) == DetailRequest(
        view_id, desk.turn(explained_).id, BEN, DetailState.WAITING
    )
    assert desk.queued("answer") == [("worker.admit", view_id)]
    desk.speaker.details.show(view_id)
    assert SAY("details-loading") in desk.workspace.modal(BEN)


def test_whoever_may_see_all_evidence_is_shown_the_details(desk: Desk, explained_: Message) -> None:
    view_id = peek(desk, BEN, explained_)
    detail_requests.decide(desk.database, view_id, may_see=True, audience="")
    for _ in range(2):  # the task may come twice
        desk.speaker.details.show(view_id)
    shown = desk.workspace.modal(BEN)
    assert "On-call guide" in shown
    assert SAY("trace-title") in shown
    looked = list(audit.entries(desk.database))[-1]
    assert (looked.act, looked.actor) == ("looked_into", BEN)
    assert looked.details == {"what": "details", "asker": ALICE}


def test_nobody_else_is_shown_a_word_of_them(desk: Desk, explained_: Message) -> None:
    view_id = peek(desk, BEN, explained_)
    detail_requests.decide(desk.database, view_id, may_see=False, audience="")
    desk.speaker.details.show(view_id)
    assert desk.workspace.modal(BEN).splitlines() == [
        SAY("details-title"),
        SAY("details-closed"),
    ]


def test_two_people_look_at_the_same_details_each_with_an_answer_of_their_own(
    desk: Desk, explained_: Message
) -> None:
    views = {user: peek(desk, user, explained_) for user in (ALICE, BEN)}
    detail_requests.decide(desk.database, views[ALICE], may_see=True, audience="")
    detail_requests.decide(desk.database, views[BEN], may_see=False, audience="")
    for view_id in views.values():
        desk.speaker.details.show(view_id)
    assert "On-call guide" in desk.workspace.modal(ALICE)
    assert "On-call guide" not in desk.workspace.modal(BEN)


def test_details_that_were_closed_before_they_came_are_no_error(
    desk: Desk, explained_: Message
) -> None:
    view_id = peek(desk, BEN, explained_)
    detail_requests.decide(desk.database, view_id, may_see=True, audience="")
    desk.workspace.close_modal(view_id)
    desk.speaker.details.show(view_id)
    desk.speaker.details.show("V0UNKNOWN")


def test_details_that_slack_does_not_take_are_said_to_be_refused(
    desk: Desk, explained_: Message
) -> None:
    view_id = peek(desk, BEN, explained_)
    detail_requests.decide(desk.database, view_id, may_see=True, audience="")
    desk.workspace.fault("views.update", error="view_too_large")
    desk.speaker.details.show(view_id)
    assert SAY("details-refused") in desk.workspace.modal(BEN)


def test_details_that_slack_does_not_open_are_told_privately(
    desk: Desk, explained_: Message
) -> None:
    desk.workspace.fault("views.open", error="expired_trigger_id")
    desk.workspace.click("ben", explained_, explanation_blocks.DETAILS_ACTION)
    desk.settle()
    assert desk.ephemeral_messages(BEN) == [SAY("details-not-opened")]
    assert desk.queued("answer") == []


def test_a_failed_turn_is_asked_again_by_its_button(desk: Desk) -> None:
    question = desk.workspace.say("alice", "general", "who is on call?")
    turn = asked(desk.database, question)
    turn_store.fail(desk.database, turn.id, NoAnswer.LATE)
    desk.speaker.answers.deliver(turn.id)
    reply = desk.workspace.wait_for_reply(question, settled=lambda m: bool(m.blocks))
    desk.workspace.click("ben", reply, answer_blocks.ASK_AGAIN_ACTION)
    desk.workspace.click("ben", reply, answer_blocks.ASK_AGAIN_ACTION)
    desk.settle()

    again = desk.turn(question)
    assert (again.state, again.reason, again.delivered) == ("waiting", None, False)
    assert (desk.queued("speak"), desk.queued("answer")) == (
        [("bot.deliver", turn.id)],
        [("worker.answer", turn.id)],
    )


def offered(desk: Desk, message: Message) -> Message:
    """An answer with a filter and two suggestions, in the thread of this message."""
    turn = asked(desk.database, message)
    found = record(suggestions=("And next week?", LONG))
    only = Condition(field=Field.SPACE, value="OPS", said="in OPS")
    turn_store.answer(
        desk.database,
        turn.id,
        found.model_copy(
            update={"completed": Completed(question="?", text="?", conditions=(only,))}
        ),
    )
    desk.speaker.answers.deliver(turn.id)
    return desk.workspace.wait_for_reply(message, settled=lambda m: bool(m.blocks))


def test_a_suggested_question_is_asked_whole_by_whoever_presses_its_button_in_the_same_thread(
    desk: Desk,
) -> None:
    reply = offered(desk, desk.workspace.say("alice", "general", "who is on call?"))
    desk.workspace.click("ben", reply, f"{answer_blocks.FOLLOW_UP_ACTION}_1")
    desk.settle()

    _, new = desk.turns(reply)
    assert (new.question, new.user, new.filtered, new.by_button, new.state) == (
        LONG,
        BEN,
        True,
        True,
        "waiting",
    )
    assert [turn.question for turn in turn_store.earlier(desk.database, new)] == ["Who is on call?"]
    assert (desk.queued("speak"), desk.queued("answer")) == (
        [("bot.deliver", new.id)],
        [("worker.answer", new.id)],
    )


def test_the_same_question_is_asked_without_its_filter_once_however_often_the_button_is_pressed(
    desk: Desk,
) -> None:
    reply = offered(desk, desk.workspace.say("alice", "general", "who is on call?"))
    for _ in range(2):
        desk.workspace.click("ben", reply, answer_blocks.UNFILTERED_ACTION)
        desk.settle()

    _, new = desk.turns(reply)
    assert (new.question, new.user, new.filtered, new.by_button) == (
        "Who is on call?",
        BEN,
        False,
        True,
    )
    assert desk.queued("answer") == [("worker.answer", new.id)]


def test_what_a_button_asks_in_private_stays_private(desk: Desk) -> None:
    message = desk.workspace.direct("alice", "who is on call?")
    desk.settle()
    turn = desk.turn(message)
    turn_store.answer(desk.database, turn.id, record(suggestions=("And next week?",)))
    desk.speaker.answers.deliver(turn.id)
    desk.workspace.click(
        "alice",
        desk.workspace.wait_for_reply(message, settled=lambda m: bool(m.blocks)),
        "follow_up_0",
    )
    desk.settle()
    assert [each.private for each in desk.turns(message)] == [True, True]


@pytest.mark.parametrize("value", ["no-such-turn:0", "TURN:9", "TURN:x", "TURN"])
def test_a_suggestion_that_is_not_known_asks_nothing_and_says_so(
    desk: Desk, answered: Message, value: str
) -> None:
    turn = desk.turn(answered)
    button = {
        "type": "button",
        "action_id": "follow_up_0",
        "text": {"type": "plain_text", "text": "?"},
        "value": value.replace("TURN", turn.id),
    }
    made_up = [{"type": "actions", "elements": [button]}]
    desk.speaker.client.chat_update(
        channel=answered.channel, ts=answered.ts, text="old", blocks=made_up
    )
    desk.workspace.click("ben", answered, "follow_up_0")
    desk.settle()
    assert desk.ephemeral_messages(BEN) == [SAY("answer-unknown")]
    assert len(desk.turns(answered)) == 1


@pytest.mark.parametrize(
    "action",
    [
        answer_blocks.EXPLAIN_ACTION,
        answer_blocks.ASK_AGAIN_ACTION,
        answer_blocks.UNFILTERED_ACTION,
        "a_button_of_last_year",
    ],
)
def test_whoever_presses_a_button_of_a_forgotten_answer_is_told_so_privately(
    desk: Desk, action: str
) -> None:
    root = desk.workspace.say("alice", "general", "long ago")
    button = {
        "type": "button",
        "action_id": action,
        "text": {"type": "plain_text", "text": "?"},
        "value": "no-such-turn",
    }
    old = [{"type": "actions", "elements": [button]}]
    desk.speaker.client.chat_postMessage(
        channel=root.channel, thread_ts=root.ts, text="old", blocks=old
    )
    desk.workspace.click("ben", desk.workspace.wait_for_reply(root), action)
    desk.settle()

    (call,) = desk.workspace.received("chat.postEphemeral")
    assert (call.arguments["user"], call.arguments["thread_ts"], call.arguments["text"]) == (
        BEN,
        root.ts,
        SAY("answer-unknown"),
    )


def test_a_vote_on_a_forgotten_answer_is_told_so_privately(desk: Desk) -> None:
    root = desk.workspace.say("alice", "general", "long ago")
    old = answer_blocks.build_messages(SAY, "no-such-turn", record().completed, record().answer)[
        -1
    ].blocks
    desk.speaker.client.chat_postMessage(
        channel=root.channel, thread_ts=root.ts, text="old", blocks=old
    )
    desk.workspace.click(
        "ben", desk.workspace.wait_for_reply(root), answer_blocks.FEEDBACK_ACTION, "up:no-such-turn"
    )
    desk.settle()
    assert desk.ephemeral_messages(BEN) == [SAY("answer-unknown")]


def test_a_vote_counts_although_slack_refuses_the_thanks(desk: Desk, answered: Message) -> None:
    desk.workspace.fault("chat.postEphemeral", error="user_not_in_channel")
    desk.workspace.click(
        "ben", answered, answer_blocks.FEEDBACK_ACTION, f"up:{desk.turn(answered).id}"
    )
    desk.settle()
    assert votes(desk.database, desk.turn(answered).id) == {BEN: Vote.UP}


def test_an_event_that_could_not_be_written_down_is_not_acknowledged_and_comes_again(
    desk: Desk,
) -> None:
    with desk.database.session() as session:  # Given a database that cannot be written to
        session.connection().execute(text("ALTER TABLE turn RENAME TO gone"))
    try:
        message = desk.workspace.direct("alice", "who is on call?")  # When somebody asks
        desk.workspace.wait_until(lambda: desk.deliveries()[0]["attempts"] > 1)
        assert not desk.deliveries()[0]["acknowledged"]  # Then Slack is not told that all is well
    finally:
        with desk.database.session() as session:
            session.connection().execute(text("ALTER TABLE gone RENAME TO turn"))
    desk.settle()  # and delivers again until it is written down
    assert desk.turn(message).state == "waiting"
