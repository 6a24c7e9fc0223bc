"""What people see while an answer is generated, where Slack has statuses, sessions and streams."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
import redis
from desk import NEWER, Speaker, a_speaker, asked, meanwhile, record, said, settings, write
from sqlmodel import col, update

from bot.delivery import stream
from bot.delivery.status import LOADING, WorkStatus
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.capabilities import Capabilities
from bot.slack_api.errors import Dropped
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.outbox.tiers import limits
from bot.slack_api.outbox.urgency import Urgency
from bot.views import answer_blocks
from bot.views.progress import STOP_ANSWER_ACTION
from bot.views.reasons import no_answer
from core.jobs.progress_events import Event, EventKind, cited_event
from core.jobs.queue import TaskName, enqueue
from core.language.sentences import sentences
from core.models import Since
from core.states import NoAnswer, PostKind
from core.storage.database import Database
from core.storage.tables import PostRow, TurnRow
from core.turns import post_store, turn_delivery, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from sandbox.slack.client import Call, Message, Workspace
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")

LONG = (
    "The tide table says when the harbour gate opens, and the crane of the quay waits for it. " * 4
)


def speaking(speaker: Speaker, turn: Turn) -> Thread:
    return meanwhile(lambda: speaker.answers.deliver(turn.id))


def finish(speaker: Speaker, turn: Turn, text: str = "Ben is on call [1].") -> None:
    turn_store.answer(speaker.database, turn.id, record(text))
    speaker.events.publish(turn.id, Event(EventKind.DONE))


def streaming(workspace: Workspace, question: Message) -> Message:
    """The message that grows."""
    workspace.wait_until(
        lambda: any(message.streaming for message in said(workspace, question)), what="a stream"
    )
    return next(message for message in said(workspace, question) if message.streaming)


def status(workspace: Workspace) -> str:
    return "".join(each["text"] for each in workspace.state()["statuses"])


def session(workspace: Workspace) -> str:
    return "".join(each["status"] for each in workspace.state()["sessions"])


def is_told(workspace: Workspace, *, more_than: int) -> bool:
    return len(calls(workspace, "chat.postMessage")) > more_than


def calls(workspace: Workspace, method: str) -> list[Call]:
    return workspace.received(method)


def test_before_the_first_words_slack_says_what_we_do_and_how_to_stop_us(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = speaking(speaker, turn)
    workspace.wait_until(lambda: status(workspace) == SAY("status-read"))
    assert workspace.state()["statuses"][0]["loading_messages"] == [SAY(key) for key in LOADING]
    workspace.wait_until(lambda: session(workspace) == "processing")
    speaker.events.publish(turn.id, Event(EventKind.STAGE, "retrieve"))
    workspace.wait_until(lambda: status(workspace) == SAY("status-retrieve"))
    assert said(workspace, question) == []
    finish(speaker, turn)
    thread.join()
    assert (status(workspace), session(workspace)) == ("", "active")
    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call [1].")


@pytest.mark.parametrize("private", [False, True], ids=["channel", "direct"])
def test_an_answer_grows_in_one_message_that_becomes_the_final_one(
    workspace: Workspace, speaker: Speaker, database: Database, private: bool
) -> None:
    question = (
        workspace.direct("alice", "who is on call?")
        if private
        else workspace.say("alice", "general", "who is on call?")
    )
    turn = asked(database, question)
    thread = speaking(speaker, turn)
    write(speaker, turn, "Ben is ", "on call")
    growing = streaming(workspace, question)
    write(speaker, turn, f" <!channel> [1]. {LONG}")
    workspace.wait_until(lambda: LONG in workspace.message(growing).text + " ")
    assert "‹!channel>" in workspace.message(growing).text
    finish(speaker, turn)
    thread.join()

    (answer,) = said(workspace, question)
    assert (answer.ts, answer.streaming) == (growing.ts, False)
    assert [block["type"] for block in answer.blocks] == [
        "markdown",
        "section",
        "context_actions",
        "actions",
    ]
    assert "tide table" not in answer.plain(), "the final answer replaces what was written"
    (start,) = calls(workspace, "chat.startStream")
    assert (start.arguments["recipient_user_id"], start.arguments["recipient_team_id"]) == (
        "U0ALICE",
        TEAM_ID,
    )
    assert session(workspace) == "active"
    assert [call.error for call in workspace.received() if not call.ok] == []


def test_an_answer_that_is_what_was_written_is_not_written_again(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = speaking(speaker, turn)
    write(speaker, turn, LONG.strip())
    streaming(workspace, question)
    finish(speaker, turn, LONG.strip())
    thread.join()
    (answer,) = said(workspace, question)
    assert LONG.strip() in answer.plain()
    assert answer.has_button(answer_blocks.EXPLAIN_ACTION)
    assert calls(workspace, "chat.update") == []


def test_a_cited_answer_is_streamed_with_its_links_and_never_updated(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    """Six calls: status, session, the stream's beginning, a piece or two, and its end."""
    made = record("Ben is on call [1]. Ask him by phone.")
    thread = speaking(speaker, turn)
    write(speaker, turn)
    speaker.events.publish(turn.id, cited_event(made.answer.sources[0]), key=turn.words_key)
    write(speaker, turn, "Ben is on call [1]. ")
    growing = streaming(workspace, question)
    assert "](https://wiki.example/on-call#who)" in workspace.message(growing).text
    turn_store.answer(speaker.database, turn.id, made)
    speaker.events.publish(turn.id, Event(EventKind.DONE))
    thread.join()
    (answer,) = said(workspace, question)
    assert "Ask him by phone." in answer.plain()
    assert answer.has_button(answer_blocks.EXPLAIN_ACTION)
    assert calls(workspace, "chat.update") == []
    assert [call.method for call in workspace.received()] == [
        "assistant.threads.setStatus",
        "agents.sessions.setStatus",
        "chat.startStream",
        "chat.stopStream",
    ]
    assert (status(workspace), session(workspace)) == ("", "active")


def test_without_room_for_a_stream_there_is_a_status_and_one_message(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    spend(speaker, "chat.startStream")
    thread = speaking(speaker, turn)
    workspace.wait_until(lambda: status(workspace) != "", what="a status")
    write(speaker, turn, LONG)
    time.sleep(1.0)
    assert said(workspace, question) == []
    finish(speaker, turn)
    thread.join()
    assert [call.method for call in workspace.received()] == [
        "assistant.threads.setStatus",
        "agents.sessions.setStatus",
        "chat.postMessage",
        "agents.sessions.setStatus",
    ]
    assert (status(workspace), session(workspace)) == ("", "active")


def test_without_room_for_courtesies_an_answer_takes_two_calls(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    spend(speaker, "agents.sessions.setStatus", "chat.update")
    thread = speaking(speaker, turn)
    workspace.wait_until(lambda: status(workspace) != "", what="a status")
    write(speaker, turn, LONG)
    finish(speaker, turn)
    thread.join()
    assert [call.method for call in workspace.received()] == [
        "assistant.threads.setStatus",
        "chat.postMessage",
    ]


def test_who_waits_in_line_is_told_by_the_status_how_many_come_first(
    workspace: Workspace, speaker: Speaker, database: Database
) -> None:
    asked(database, workspace.say("ben", "general", "who cooks?"))
    question = workspace.say("alice", "general", "who is on call?")
    turn = asked(database, question)
    enqueue(TaskName.DELIVER, "another turn")
    speaker.answers.deliver(turn.id)  # it steps aside
    assert status(workspace) == SAY("status-in-line", ahead=1)
    assert [call.method for call in workspace.received()] == ["assistant.threads.setStatus"]
    turn_store.answer(database, turn.id, record())
    speaker.answers.deliver(turn.id)
    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call [1].")
    assert calls(workspace, "chat.update") == []
    assert calls(workspace, "conversations.replies") == []


def spend(speaker: Speaker, *methods: str) -> None:
    """Use up what others than finals may use of these budgets."""
    outbox = Outbox.of(speaker.settings, speaker.database)
    for method in methods:
        with pytest.raises(Dropped):
            while True:
                outbox.wait(limits(method), Urgency.PROGRESS)


def test_a_stream_that_ran_out_of_time_goes_on_as_updates_of_its_message(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = speaking(speaker, turn)
    write(speaker, turn, "Ben ")
    growing = streaming(workspace, question)
    workspace.expire_streams()
    write(speaker, turn, LONG)
    workspace.wait_until(lambda: LONG[-30:-3] in workspace.message(growing).text, what="an update")
    assert workspace.message(growing).has_button(STOP_ANSWER_ACTION)
    finish(speaker, turn)
    thread.join()
    (answer,) = said(workspace, question)
    assert answer.ts == growing.ts
    assert answer.text.startswith("Ben is on call [1].")


def test_a_stream_that_ran_out_of_time_at_its_end_is_finished_all_the_same(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = speaking(speaker, turn)
    write(speaker, turn, "Ben ")
    streaming(workspace, question)
    workspace.expire_streams()
    finish(speaker, turn)
    thread.join()
    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call [1].")


def test_a_worker_that_begins_anew_does_not_leave_two_beginnings(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = speaking(speaker, turn)
    write(speaker, turn, "Carla is")
    growing = streaming(workspace, question)
    speaker.events.publish(turn.id, Event(EventKind.START))
    write(speaker, turn, "Ben is on call, and nobody else is")
    workspace.wait_until(
        lambda: workspace.message(growing).text.startswith("Ben is on call, and nobody")
    )
    finish(speaker, turn)
    thread.join()
    assert len(said(workspace, question)) == 1


def begin_stream(speaker: Speaker, question: Message) -> str:
    """The message of a stream that nobody will stop."""
    reply = speaker.client.chat_startStream(
        channel=question.channel,
        thread_ts=question.ts,
        markdown_text="Ben is",
        recipient_user_id=question.user,
        recipient_team_id=TEAM_ID,
    )
    return str(reply["ts"])


@pytest.mark.parametrize("saved", [True, False], ids=["place saved", "place not saved"])
def test_a_speaker_killed_in_the_middle_of_a_stream_leaves_one_message(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn, saved: bool
) -> None:
    post = post_store.ensure(
        speaker.database, turn, PostKind.ANSWER
    )  # Given a stream of somebody who is gone
    begun = begin_stream(speaker, question)
    if saved:
        post_store.save_place(speaker.database, post.id, begun)
    thread = speaking(speaker, turn)  # When somebody takes over
    write(speaker, turn, "Ben is on ca")
    workspace.wait_until(lambda: "Ben is on ca" in said(workspace, question)[0].text)
    finish(speaker, turn)
    thread.join()
    (answer,) = said(workspace, question)  # Then it is that message, stopped and final
    assert (answer.ts, answer.streaming) == (begun, False)
    assert answer.has_button(answer_blocks.EXPLAIN_ACTION)
    assert (status(workspace), session(workspace)) == ("", "active")


def test_a_stream_whose_reply_got_lost_is_found_again(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    workspace.fault("chat.startStream", status=502, after=True)
    write(speaker, turn, "Ben is on call")
    speaker.answers.deliver(turn.id)
    assert status(workspace) == "", "cleared whatever happens"
    finish(speaker, turn)
    speaker.answers.deliver(turn.id)
    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call [1].")


@pytest.mark.parametrize(
    "error", ["unknown_method", "missing_scope", "feature_not_enabled", "not_allowed_token_type"]
)
def test_what_a_workspace_does_not_have_is_asked_for_once(
    workspace: Workspace,
    speaker: Speaker,
    database: Database,
    question: Message,
    turn: Turn,
    error: str,
) -> None:
    for method in NEWER:
        workspace.fault(method, error=error, times=100)
    for each in (turn, asked(database, workspace.say("ben", "general", "who else?"))):
        thread = speaking(speaker, each)
        told = 0 if each is turn else 1
        workspace.wait_until(partial(is_told, workspace, more_than=told))
        finish(speaker, each)
        thread.join()
    assert [len(calls(workspace, method)) for method in NEWER] == [1, 1, 0, 0, 0]
    assert said(workspace, question)[0].text.startswith("Ben is on call [1].")


def test_where_slack_does_not_stream_there_is_a_placeholder_with_our_own_button(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    workspace.lack("chat.startStream")
    thread = speaking(speaker, turn)
    write(speaker, turn, "Ben is")
    placeholder = workspace.wait_for_reply(question)
    assert placeholder.text == "Ben is …"
    assert placeholder.has_button(STOP_ANSWER_ACTION)
    finish(speaker, turn)
    thread.join()
    assert len(said(workspace, question)) == 1


def test_a_session_that_nobody_could_stop_gives_way_to_our_own_button(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    workspace.lack("agents.sessions.setStatus")
    thread = speaking(speaker, turn)
    placeholder = workspace.wait_for_reply(question)
    assert placeholder.has_button(STOP_ANSWER_ACTION)
    finish(speaker, turn)
    thread.join()
    assert status(workspace) == ""
    assert len(calls(workspace, "assistant.threads.setStatus")) == 1  # the placeholder removed it


def test_a_status_is_set_again_before_it_vanishes(
    workspace: Workspace, speaker: Speaker, turn: Turn
) -> None:
    statuses = SlackAssistant(speaker.sender, Capabilities())
    with WorkStatus(speaker.database, statuses, turn, again_s=1.0) as presence:
        for _ in range(2):
            presence.show("retrieve")
            presence.show("retrieve")
            time.sleep(1.1)
    assert [
        call.arguments["status"] for call in calls(workspace, "assistant.threads.setStatus")
    ] == [
        *[SAY("status-retrieve")] * 2,
        "",
    ]


def test_a_stopped_answer_leaves_what_was_written_and_can_be_tried_again(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = speaking(speaker, turn)
    write(speaker, turn, "Ben is on call <!here>")
    growing = streaming(workspace, question)
    turn_store.fail(speaker.database, turn.id, NoAnswer.STOPPED)
    thread.join()
    (stopped,) = said(workspace, question)
    assert stopped.ts == growing.ts
    assert stopped.plain().splitlines()[0] == "Ben is on call ‹!here>"
    assert no_answer(SAY, NoAnswer.STOPPED) in stopped.plain()
    assert stopped.has_button(answer_blocks.ASK_AGAIN_ACTION)

    turn_store.ask_again(speaker.database, turn.id)
    speaker.events.publish(turn.id, Event(EventKind.START))
    thread = speaking(speaker, turn)
    workspace.wait_until(lambda: workspace.message(growing).text == SAY("looking"))
    finish(speaker, turn)
    thread.join()
    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call [1].")


def test_a_queued_question_says_so_until_its_turn_comes(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    follow_up = workspace.say("ben", "general", "and tomorrow?", thread_ts=question.ts)
    second = asked(speaker.database, follow_up, question="And tomorrow?")
    threads = [speaking(speaker, turn), speaking(speaker, second)]
    queued = workspace.wait_for_reply(follow_up)
    assert queued.text == SAY("queued")
    write(speaker, turn, "Ben is")
    streaming(workspace, question)
    finish(speaker, turn)
    workspace.wait_until(lambda: workspace.message(queued).text == SAY("looking"))
    finish(speaker, second, "Carla is.")
    for thread in threads:
        thread.join()
    assert workspace.message(queued).text.startswith("Carla is.")
    assert len(said(workspace, question)) == 2
    assert (status(workspace), session(workspace)) == ("", "active")


def test_a_queued_question_is_not_late_before_its_turn_came(
    tmp_path: Path, workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    hasty = a_speaker(
        settings(tmp_path, workspace.url, speaker.settings.redis_url, answer_patience_s=0.5),
        speaker.database,
    )
    second = asked(
        speaker.database, workspace.say("ben", "general", "and tomorrow?", thread_ts=question.ts)
    )
    thread = speaking(hasty, second)
    time.sleep(1.5)
    found = turn_store.load(speaker.database, second.id)
    assert found is not None
    assert (found.state, found.queued) == ("waiting", True)
    finish(speaker, turn)
    thread.join()
    late = turn_store.load(speaker.database, second.id)
    assert late is not None
    assert late.reason == "late"


def test_the_question_of_a_button_stands_above_its_stream(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    turn_store.answer(speaker.database, turn.id, record())
    new = turn_store.ask(
        speaker.database,
        NewQuestion(
            replace(turn.address, ts=f"{float(question.ts) + 1:.6f}"),
            user="U0BEN",
            text="And <@U0BEN>?",
            by_button=True,
            private=turn.private,
        ),
    )
    assert new is not None
    thread = speaking(speaker, new)
    write(speaker, new, "Carla is")
    assert streaming(workspace, question).text == f"**{SAY('question')}** And ‹@U0BEN>?\n\nCarla is"
    finish(speaker, new)
    thread.join()
    assert said(workspace, question)[0].blocks[0]["type"] == "context"


def test_a_text_longer_than_a_message_stops_growing(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    thread = speaking(speaker, turn)
    write(speaker, turn, "word " * 4_000)
    streaming(workspace, question)
    write(speaker, turn, "word " * 4_000)
    finish(speaker, turn)
    thread.join()
    assert (
        sum(len(call.arguments["markdown_text"]) for call in calls(workspace, "chat.startStream"))
        <= stream.MOST
    )
    assert [call.error for call in workspace.received() if not call.ok] == []


def test_a_stranger_in_the_thread_is_not_taken_for_our_stream(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    post_store.ensure(
        speaker.database, turn, PostKind.ANSWER
    )  # somebody died before saying anything
    other = Address(team=TEAM_ID, channel=question.channel, ts="1.5", thread_ts=question.ts)
    explained = turn_store.ask(
        speaker.database, NewQuestion(other, user="U0BEN", refused=NoAnswer.EMPTY, text="?")
    )
    assert explained is not None
    known = post_store.ensure(speaker.database, explained, PostKind.EXPLANATION)
    message = speaker.client.chat_postMessage(
        channel=question.channel, thread_ts=question.ts, text="an explanation"
    )
    with speaker.database.session() as session_:
        session_.exec(update(PostRow).where(PostRow.id == known.id).values(ts=message["ts"]))  # type: ignore[arg-type]
    workspace.say("ben", "general", "hm", question.ts)
    finish(speaker, turn)
    speaker.answers.deliver(turn.id)
    assert [each.text[:14] for each in said(workspace, question)] == [
        "an explanation",
        "Ben is on call",
    ]


def test_a_long_answer_is_several_messages_each_posted_once_with_the_buttons_under_the_last(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    text = "\n\n".join(f"Paragraph {number}. {LONG}" for number in range(60))
    thread = speaking(speaker, turn)
    write(speaker, turn, text)
    streaming(workspace, question)
    workspace.fault(
        "chat.postMessage", status=502, after=True
    )  # the second message stands, but nobody told us
    finish(speaker, turn, text)
    thread.join()
    assert not turn_store.load(speaker.database, turn.id).delivered  # type: ignore[union-attr]
    speaker.answers.deliver(turn.id)
    shown = said(workspace, question)
    assert len(shown) == 3
    assert [message.has_button(answer_blocks.EXPLAIN_ACTION) for message in shown] == [
        False,
        False,
        True,
    ]
    found = "\n\n".join(message.blocks[0]["text"] for message in shown)
    assert all(f"Paragraph {number}. " in found for number in range(60))
    posts = [
        post_store.at_place(speaker.database, question.channel, message.ts) for message in shown
    ]
    assert [(post.kind, post.number) for post in posts if post] == [
        ("answer", number) for number in (1, 2, 3)
    ]


def test_an_answer_shown_anew_in_fewer_messages_leaves_none_of_the_others(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    long = "\n\n".join(f"Paragraph {number}. {LONG}" for number in range(60))
    finish(speaker, turn, long)
    speaker.answers.deliver(turn.id)
    assert len(said(workspace, question)) == 3
    done = turn_store.load(speaker.database, turn.id)
    assert done and turn_delivery.redeliver(speaker.database, done, record("Ben is on call [1]."))
    speaker.answers.deliver(turn.id)
    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call [1].")
    again = turn_store.load(speaker.database, turn.id)
    assert again and turn_delivery.redeliver(speaker.database, again, record(long))
    speaker.answers.deliver(turn.id)
    assert len(said(workspace, question)) == 3


def test_a_long_answer_whose_sources_have_aged_says_so_in_its_last_message(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    made = record("\n\n".join(f"Paragraph {number}. {LONG}" for number in range(60)))
    finish(speaker, turn, made.answer.text)
    speaker.answers.deliver(turn.id)
    places = [message.ts for message in said(workspace, question)]
    aged = tuple(
        source.model_copy(update={"since": Since.CHANGED}) for source in made.answer.sources
    )
    done = turn_store.load(speaker.database, turn.id)
    assert done and turn_delivery.redeliver(
        speaker.database,
        done,
        made.model_copy(update={"answer": made.answer.model_copy(update={"sources": aged})}),
    )
    speaker.answers.deliver(turn.id)
    shown = said(workspace, question)
    assert [message.ts for message in shown] == places
    assert [SAY("source-since-changed") in str(message.blocks) for message in shown] == [
        False,
        False,
        True,
    ]


def test_in_a_rush_a_question_that_waits_in_its_thread_says_so_and_its_patience_has_not_begun(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn, queues: redis.Redis
) -> None:
    second = asked(
        speaker.database, workspace.say("ben", "general", "and tomorrow?", thread_ts=question.ts)
    )
    with speaker.database.session() as session:
        session.exec(
            update(TurnRow)
            .where(col(TurnRow.id) == second.id)
            .values(patience_from=time.time() - 60)
        )
    enqueue(TaskName.DELIVER, "another turn")
    speaker.answers.deliver(second.id)  # it steps aside
    (waiting,) = said(workspace, question)
    assert waiting.text == SAY("queued")
    with speaker.database.reading() as session:
        row = session.get_one(TurnRow, second.id)
    assert (row.state, row.delivery_enqueued_at > time.time()) == ("waiting", True)
    assert workspace.state()["statuses"] == []
