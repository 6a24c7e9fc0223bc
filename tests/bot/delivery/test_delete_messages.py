"""What Slack shows of a forgotten turn: nothing any more, whoever is busy with it then."""

from __future__ import annotations

import threading

import pytest
import redis
from desk import Speaker, asked, explanation, record, write
from sqlmodel import col, select

from bot.delivery.delete_messages import schedule_deletion
from bot.delivery.turn_message import TurnMessage
from bot.slack_api.errors import SlackRefused
from core.access.disclosure import NOTHING
from core.jobs.leases import lease
from core.jobs.progress_events import Event, EventKind
from core.jobs.queue import TaskName
from core.language.sentences import sentences
from core.question import Completed
from core.states import PostKind
from core.storage.database import Database
from core.storage.tables import PostRow
from core.turns import erasure, explanations, post_store, turn_store
from core.turns.turn import Turn
from core.turns.upkeep import sweeper
from sandbox.slack.client import Message, Workspace

SAY = sentences("en")


def answered(speaker: Speaker, turn: Turn) -> Turn:
    turn_store.answer(speaker.database, turn.id, record())
    speaker.answers.deliver(turn.id)
    return reload(speaker.database, turn)


def reload(database: Database, turn: Turn) -> Turn:
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def forget(speaker: Speaker, turn: Turn) -> None:
    erasure.forget_turn(speaker.database, turn.id, turn.user)


def ours(workspace: Workspace, question: Message) -> list[str]:
    """What the bot says in the thread."""
    return [m.plain() for m in workspace.thread(question.channel, question.root_ts) if m.bot]


def posts(database: Database) -> int:
    with database.reading() as session:
        return len(session.exec(select(PostRow)).all())


def test_answer_explanation_and_chart_are_deleted(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    answered(speaker, turn)
    explanations.request(speaker.database, turn.id, "U0BEN")
    explanations.save(
        speaker.database, explanation(turn.id), b"\x89PNG-as-far-as-the-stand-in-cares"
    )
    speaker.explanations.deliver(turn.id)
    assert len(ours(workspace, question)) == 2

    forget(speaker, turn)
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []
    (deleted,) = workspace.received("files.delete")
    assert deleted.ok
    assert (posts(speaker.database), reload(speaker.database, turn).delivered) == (0, True)


def test_what_is_gone_already_is_no_trouble(
    speaker: Speaker, workspace: Workspace, turn: Turn
) -> None:
    answered(speaker, turn)
    forget(speaker, turn)
    workspace.fault("chat.delete", error="message_not_found")
    speaker.deletion.delete_turn(turn.id)
    speaker.deletion.delete_turn(turn.id)  # a message of the queue that came twice
    assert len(workspace.received("chat.delete")) == 1
    assert reload(speaker.database, turn).delivered


def test_what_slack_keeps_says_that_it_is_forgotten(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    answered(speaker, turn)
    forget(speaker, turn)
    workspace.fault("chat.delete", error="compliance_exports_prevent_deletion")
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == [f"_{SAY('answer-forgotten')}_"]


def test_a_slack_that_fails_is_tried_again(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    answered(speaker, turn)
    forget(speaker, turn)
    workspace.fault("chat.delete", error="internal_error")
    workspace.fault("chat.update", error="internal_error")
    with pytest.raises(SlackRefused):
        speaker.deletion.delete_turn(turn.id)
    assert not reload(speaker.database, turn).delivered
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []


def test_a_message_whose_place_was_not_saved_is_found_and_deleted(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    TurnMessage(speaker.database, speaker.messages, turn, PostKind.ANSWER).post(
        "Looking…", shows=NOTHING
    )
    with speaker.database.session() as session:
        session.exec(select(PostRow).where(col(PostRow.turn_id) == turn.id)).one().ts = None
    forget(speaker, turn)
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []


def test_a_stream_whose_place_was_not_saved_is_found_and_deleted(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    post_store.ensure(
        speaker.database, turn, PostKind.ANSWER
    )  # somebody died while it was being posted
    where = turn.address
    speaker.client.chat_startStream(
        channel=where.channel,
        thread_ts=where.thread_ts,
        markdown_text="Ben is",
        recipient_user_id=turn.user,
        recipient_team_id=where.team,
    )
    forget(speaker, turn)
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []


def test_all_messages_of_a_long_answer_are_taken_back(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    turn_store.answer(
        speaker.database, turn.id, record("\n\n".join(f"{n} " + "secret " * 600 for n in range(5)))
    )
    speaker.answers.deliver(turn.id)
    assert len(ours(workspace, question)) > 1
    forget(speaker, turn)
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []


def test_whoever_is_busy_with_it_is_waited_for(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    answered(speaker, turn)
    forget(speaker, turn)
    with lease(speaker.database, f"{TaskName.EXPLAIN}:{turn.id}"):
        speaker.deletion.delete_turn(turn.id)
    assert len(ours(workspace, question)) == 1
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []


def test_a_delivery_that_was_under_way_says_nothing_more(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    delivery = threading.Thread(target=speaker.answers.deliver, args=(turn.id,))
    delivery.start()
    workspace.wait_until(lambda: bool(workspace.state()["statuses"]))
    write(speaker, turn, "Ben is")
    workspace.wait_until(lambda: ours(workspace, question) == ["Ben is"])
    forget(speaker, turn)
    assert not turn_store.answer(speaker.database, turn.id, record("Ben is the secret."))
    speaker.events.publish(turn.id, Event(EventKind.DONE))
    delivery.join(timeout=10)
    assert not delivery.is_alive()
    assert ours(workspace, question) == ["Ben is"]
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []


def test_an_explanation_that_was_under_way_says_nothing_more(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    answered(speaker, turn)
    explanations.request(speaker.database, turn.id, "U0BEN")
    delivery = threading.Thread(target=speaker.explanations.deliver, args=(turn.id,))
    delivery.start()
    workspace.wait_until(lambda: len(ours(workspace, question)) == 2)
    forget(speaker, turn)
    delivery.join(timeout=10)
    assert not delivery.is_alive()
    speaker.deletion.delete_turn(turn.id)
    assert ours(workspace, question) == []


def test_a_delivery_that_comes_late_posts_nothing(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn
) -> None:
    forget(speaker, turn)
    speaker.answers.deliver(turn.id)
    speaker.deletion.delete_turn(turn.id)
    speaker.answers.deliver(turn.id)
    assert ours(workspace, question) == []


def test_the_sweeper_sends_for_it_at_once_and_redis_knows_nothing_more(
    speaker: Speaker, queues: redis.Redis, turn: Turn
) -> None:
    write(speaker, turn, "Ben")
    answered(speaker, turn)
    forget(speaker, turn)
    assert sweeper.sweep(speaker.database) == 1
    assert queues.llen("speak") == 1
    speaker.deletion.delete_turn(turn.id)
    assert sweeper.sweep(speaker.database) == 0
    assert not queues.exists(f"groundwire:turn:{turn.id}")


def test_a_later_answer_of_somebody_else_is_said_again_without_what_was_made_of_it(
    speaker: Speaker, workspace: Workspace, question: Message, turn: Turn, queues: redis.Redis
) -> None:
    answered(speaker, turn)
    follow_up = workspace.say("ben", "general", "and in May?", question.ts)
    theirs = asked(speaker.database, follow_up, question="and in May?")
    done = record("Cem is.", question="and in May?", completed="and in May? (who is on call?)")
    turn_store.answer(speaker.database, theirs.id, done)
    speaker.answers.deliver(theirs.id)
    assert "who is on call?" in ours(workspace, question)[1]

    forgotten = erasure.forget_turn(speaker.database, turn.id, turn.user)
    schedule_deletion(speaker.events, forgotten)
    assert queues.llen("speak") == 2
    speaker.deletion.delete_turn(turn.id)
    speaker.answers.deliver(theirs.id)
    (left,) = ours(workspace, question)
    assert ("Cem is." in left, "who is on call?" in left, "Understood as" in left) == (
        True,
        False,
        False,
    )
    assert reload(speaker.database, theirs).delivered
    saved = reload(speaker.database, theirs).record
    assert saved is not None
    assert saved.completed == Completed(question="and in May?", text="and in May?", forgotten=True)
