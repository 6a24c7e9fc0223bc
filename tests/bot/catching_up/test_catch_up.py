"""What is said while nobody listens is asked afterwards: of the stand-in, without a bot."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from desk import settings
from handmade import ALICE, Bot
from slack_sdk import WebClient
from sqlmodel import col, select

from bot.catching_up.catch_up import CatchUp
from bot.gate import Gate
from bot.slack_api.client import client
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.sender import Sender
from bot.slack_api.threads.heard import Heard
from bot.slack_api.threads.history import SlackHistory
from bot.wiring.speaker import questions_that_ask_slack
from core.errors import LeaseLost
from core.jobs import gaps
from core.jobs.gaps import Gap
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns.upkeep.late_joins import LATE_S
from sandbox.slack.client import Message, Workspace
from sandbox.slack.workspace.values import TEAM_ID

US = "U0BOT"


def at_once(_seconds: float) -> bool:
    """Nobody works here, so there is nothing to wait for."""
    return True


@dataclass
class Ears:
    """A bot that was off; `most` messages are heard before it dies again."""

    database: Database
    catch_up: CatchUp
    waits: list[float]
    most: int = 1000

    def back(self, since: float) -> None:
        """It is on again, after having heard nothing since then."""
        gaps.open_gap(self.database, Gap(TEAM_ID, "", "", direct=False, since=since))
        self.catch_up.close_gaps(TEAM_ID, US)

    def asked(self) -> list[str]:
        """The questions in the order in which they were written down."""
        with self.database.reading() as session:
            rows = session.exec(select(TurnRow).order_by(col(TurnRow.asked_at))).all()
        return [row.question for row in rows]


@pytest.fixture
def ears(
    workspace: Workspace, database: Database, queues: redis.Redis, redis_url: str, tmp_path: Path
) -> Ears:
    queues.flushdb()
    chosen = settings(tmp_path, workspace.url, redis_url)
    web = client(chosen)
    gate, outbox = Gate(database, chosen.confirm_valid_s), Outbox.of(chosen, database)
    questions = questions_that_ask_slack(chosen, database, web, Sender(web, gate, outbox))
    hear = questions.hear

    def hear_some(said: Heard) -> None:
        if made.most <= 0:
            raise LeaseLost("catch_up")
        made.most -= 1
        hear(said)

    waits: list[float] = []

    def rest(seconds: float) -> bool:
        waits.append(seconds)
        return False

    web = WebClient("xoxb-sandbox", base_url=f"{workspace.url}/api/")
    history = SlackHistory(web, rest, pause_s=0.0)
    made = Ears(database, CatchUp(database, history, hear_some, rest=at_once), waits)
    return made


@pytest.fixture
def off() -> float:
    return time.time()


def test_mentions_direct_messages_and_replies_in_joined_threads_are_asked_and_no_chatter(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    first = workspace.say("alice", "general", "@groundwire who is on call?")
    workspace.say("ben", "general", "lunch?")
    workspace.say("alice", "general", "and next week?", first.ts)
    lunch = workspace.say("ben", "hr", "who knows the menu?")
    workspace.say("chloe", "hr", "@groundwire what is for lunch?", lunch.ts)
    workspace.direct("dev", "how do I get a badge?")
    ears.back(off)

    assert sorted(ears.asked()) == [
        "and next week?",
        "how do I get a badge?",
        "what is for lunch?",
        "who is on call?",
    ]
    assert gaps.first(ears.database, TEAM_ID) is None


def test_what_was_said_first_is_asked_first(workspace: Workspace, ears: Ears, off: float) -> None:
    said = [f"who runs the team number {number}?" for number in range(5)]
    for text in said:
        workspace.say("alice", "general", f"@groundwire {text}")
    ears.back(off)
    assert ears.asked() == said


def test_caught_up_twice_is_asked_once_and_replied_to_once(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    workspace.say("alice", "general", "@groundwire who is on call?")
    hello = workspace.direct("ben", "hello")
    ears.back(off)
    ears.back(off)

    assert ears.asked() == ["who is on call?"]
    assert len([m for m in workspace.thread(hello.channel, hello.ts) if m.bot]) == 1


def test_an_event_that_comes_late_finds_its_question_asked(
    workspace: Workspace, ears: Ears, off: float, hand: Bot
) -> None:
    message = workspace.say("alice", "general", "@groundwire who is on call?")
    ears.back(off)
    hand.event(mention(message, "<@U0BOT> who is on call?"))
    assert ears.asked() == ["who is on call?"]


def test_what_was_said_before_the_gap_is_left_alone(workspace: Workspace, ears: Ears) -> None:
    workspace.say("alice", "general", "@groundwire who is on call?")
    ears.back(time.time())
    assert ears.asked() == []


def test_a_reply_in_a_thread_that_began_before_the_gap_is_found(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    first = workspace.say("alice", "general", "@groundwire who is on call?")
    ears.back(off)
    gone = time.time()
    workspace.say("alice", "general", "and next week?", first.ts)
    ears.back(gone)
    assert ears.asked() == ["who is on call?", "and next week?"]


def test_what_people_said_in_a_thread_before_the_bot_was_mentioned_is_none_of_its_business(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    first = workspace.say("alice", "general", "how do we book the ferry to Oslo?")
    workspace.say("ben", "general", "who sells the tickets for it?", first.ts)
    workspace.say("ben", "general", "@groundwire who books ferries?", first.ts)
    ears.back(off)
    assert ears.asked() == ["who books ferries?"]


def test_a_bot_that_dies_over_it_goes_on_where_it_was(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    for number in range(4):
        workspace.say("alice", "general", f"@groundwire who runs the team number {number}?")
    ears.most = 2
    with pytest.raises(LeaseLost):
        ears.back(off)
    assert len(ears.asked()) == 2

    ears.most = 1000
    ears.catch_up.close_gaps(TEAM_ID, US)
    assert len(ears.asked()) == 4


def test_a_rate_limit_is_waited_for_as_long_as_slack_says(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    workspace.say("alice", "general", "@groundwire who is on call?")
    workspace.fault("conversations.history", times=2, retry_after=47)
    ears.back(off)
    assert ears.asked() == ["who is on call?"]
    assert ears.waits.count(47.0) == 2


def test_where_threads_may_not_be_read_mentions_in_channels_are_still_asked(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    first = workspace.say("alice", "general", "@groundwire who is on call?")
    workspace.say("alice", "general", "and next week?", first.ts)
    workspace.fault("conversations.replies", times=100, error="not_allowed_token_type")
    ears.back(off)
    assert ears.asked() == ["who is on call?"]


def test_direct_messages_that_slack_does_not_list_are_known_from_before(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    workspace.direct("alice", "who is on call?")
    ears.back(off)
    workspace.direct("alice", "how do I get a badge?")
    workspace.fault("users.conversations", times=1, error="missing_scope")
    ears.back(off)
    assert ears.asked() == ["who is on call?", "how do I get a badge?"]


def test_a_channel_that_slack_does_not_show_keeps_nobody_waiting(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    workspace.say("alice", "hr", "@groundwire who is on call?")
    workspace.fault("conversations.history", times=1, error="channel_not_found")
    ears.back(off)
    assert ears.asked() == ["who is on call?"]


def test_while_slack_is_broken_the_gap_stays_open(
    workspace: Workspace, ears: Ears, off: float
) -> None:
    workspace.say("alice", "general", "@groundwire who is on call?")
    workspace.fault("conversations.history", times=1, error="internal_error")
    with pytest.raises(Exception, match="internal_error"):
        ears.back(off)
    ears.catch_up.close_gaps(TEAM_ID, US)
    assert ears.asked() == ["who is on call?"]


def test_a_follow_up_that_is_delivered_before_its_mention_is_asked_after_it(
    workspace: Workspace, ears: Ears, hand: Bot
) -> None:
    first = workspace.say("alice", "general", "@groundwire who is on call?")
    then = workspace.say("alice", "general", "and next week?", first.ts)
    time.sleep(LATE_S)  # as Slack delivers it again
    hand.event(reply(then, first))
    assert ears.asked() == []
    hand.event(mention(first, "<@U0BOT> who is on call?"))
    ears.catch_up.close_gaps(TEAM_ID, US)
    assert ears.asked() == ["who is on call?", "and next week?"]


def test_a_hundred_questions_are_asked_once_each_though_two_bots_and_slack_tell_of_them(
    workspace: Workspace, ears: Ears, off: float, hand: Bot
) -> None:
    channels, people = ("general", "hr", "engineering"), ("alice", "ben", "chloe", "dev", "lena")
    texts = [f"who looks after the crane number {number}?" for number in range(100)]
    said = [
        workspace.say(people[number % 5], channels[number % 3], f"@groundwire {text}")
        for number, text in enumerate(texts)
    ]
    gaps.open_gap(ears.database, Gap(TEAM_ID, "", "", direct=False, since=off))
    bots = [threading.Thread(target=ears.catch_up.close_gaps, args=(TEAM_ID, US)) for _ in range(2)]
    for bot in bots:
        bot.start()
    for message, text in list(zip(said, texts, strict=True))[::10]:
        hand.event(mention(message, f"<@U0BOT> {text}"))
    for bot in bots:
        bot.join()
    assert sorted(ears.asked()) == sorted(texts)


def mention(message: Message, text: str) -> dict[str, str]:
    where = {"channel": message.channel, "ts": message.ts, "event_ts": message.ts}
    return {"type": "app_mention", "user": ALICE, "text": text, **where}


def reply(message: Message, first: Message) -> dict[str, str]:
    where = {"channel": message.channel, "ts": message.ts, "thread_ts": first.ts}
    said = {"user": ALICE, "text": message.text, "channel_type": "channel"}
    return {"type": "message", **said, **where, "event_ts": message.ts}
