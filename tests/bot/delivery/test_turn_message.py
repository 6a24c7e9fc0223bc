"""A message without Slack: posted once, found again, changed in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from bot.delivery.turn_message import Messages, TurnMessage
from bot.slack_api.errors import SlackRefused, SlackUnreachable
from bot.slack_api.outbox.urgency import Urgency
from bot.slack_api.threads.thread_reply import ThreadReply
from bot.views.block_kit import Block, section
from core.access.disclosure import NOTHING, Disclosure
from core.states import PostKind
from core.storage.database import Database
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn

US = "B0US"
BLOCKS = [section("blocks")]


class Thread(Messages):
    """A thread in memory; each error is raised by the next call, once."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.post_ids: dict[str, str] = {}
        self.calls: list[str] = []
        self.lost_reply = False
        self.refusals: list[str] = []
        self.unread = ""  # the code by which Slack refuses to show the thread

    def post(
        self,
        address: Address,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        *,
        shows: Disclosure,
        urgency: Urgency = Urgency.FINAL,
    ) -> str:
        self._call("post")
        ts = f"{len(self.texts) + 2}.0"
        self.texts[ts], self.post_ids[ts] = text, post_id
        if self.lost_reply:
            self.lost_reply = False
            raise SlackUnreachable("the reply got lost")
        return ts

    def update(
        self,
        channel: str,
        ts: str,
        text: str,
        blocks: Sequence[Block] = (),
        *,
        shows: Disclosure,
        urgency: Urgency = Urgency.FINAL,
    ) -> None:
        self._call("update")
        self.texts[ts] = text

    def has_room(self) -> bool:
        return True

    def end_stream(self, channel: str, ts: str) -> None:
        self._call("end_stream")

    def replies(self, address: Address) -> Iterator[ThreadReply]:
        if self.unread:
            raise SlackRefused(self.unread)
        for ts in self.texts:
            yield ThreadReply(ts, US, self.post_ids.get(ts, ""))

    def own_bot_id(self) -> str:
        return US

    def _call(self, method: str) -> None:
        self.calls.append(method)
        if self.refusals:
            raise SlackRefused(self.refusals.pop(0))


@pytest.fixture
def turn(database: Database) -> Turn:
    address = Address("T1", "C1", "1.5", "1.5")
    asked = turn_store.ask(database, NewQuestion(address, "U1", "Who is on call?"))
    assert asked is not None
    return asked


@pytest.fixture
def thread() -> Thread:
    return Thread()


def message(database: Database, thread: Thread, turn: Turn) -> TurnMessage:
    """As a process that knows nothing of the one before has it."""
    return TurnMessage(database, thread, turn, PostKind.ANSWER)


def test_a_message_whose_reply_got_lost_is_found_and_changed(
    database: Database, thread: Thread, turn: Turn
) -> None:
    thread.lost_reply = True
    with pytest.raises(SlackUnreachable):
        message(database, thread, turn).post("Looking…", shows=NOTHING)
    message(database, thread, turn).finish("Ben.", BLOCKS, shows=NOTHING)
    assert list(thread.texts.values()) == ["Ben."]


def test_a_stream_of_ours_that_no_post_stands_for_is_taken_for_the_message(
    database: Database, thread: Thread, turn: Turn
) -> None:
    message(database, thread, turn).begin()  # and then the process died
    thread.texts["9.0"] = "Ben is"
    message(database, thread, turn).finish("Ben is on call.", BLOCKS, shows=NOTHING)
    assert thread.texts == {"9.0": "Ben is on call."}


def test_a_message_that_still_streams_is_ended_before_it_is_changed(
    database: Database, thread: Thread, turn: Turn
) -> None:
    shown = message(database, thread, turn)
    shown.post("Ben is", shows=NOTHING)
    thread.refusals = ["streaming_state_conflict"]
    shown.update("Ben is on call.", shows=NOTHING)
    assert thread.calls == ["post", "update", "end_stream", "update"]


def test_a_message_whose_blocks_are_refused_goes_out_as_text(
    database: Database, thread: Thread, turn: Turn
) -> None:
    thread.refusals = ["invalid_blocks"]
    message(database, thread, turn).finish("Ben.", BLOCKS, shows=NOTHING)
    assert list(thread.texts.values()) == ["Ben."]


def test_any_other_refusal_is_for_the_retry_policy(
    database: Database, thread: Thread, turn: Turn
) -> None:
    thread.refusals = ["is_archived"]
    with pytest.raises(SlackRefused, match="is_archived"):
        message(database, thread, turn).finish("Ben.", BLOCKS, shows=NOTHING)
    assert thread.texts == {}


@pytest.mark.parametrize("code", ["missing_scope", "not_allowed_token_type", "ratelimited"])
def test_where_slack_shows_no_thread_a_second_message_beats_one_that_never_ends(
    database: Database, thread: Thread, turn: Turn, code: str
) -> None:
    thread.lost_reply = True
    with pytest.raises(SlackUnreachable):
        message(database, thread, turn).post("Looking…", shows=NOTHING)
    thread.unread = code
    message(database, thread, turn).finish("Ben.", BLOCKS, shows=NOTHING)
    assert list(thread.texts.values()) == ["Looking…", "Ben."]


def test_where_slack_says_that_the_thread_is_gone_nothing_is_posted(
    database: Database, thread: Thread, turn: Turn
) -> None:
    message(database, thread, turn).begin()  # and then the process died
    thread.unread = "thread_not_found"
    with pytest.raises(SlackRefused, match="thread_not_found"):
        message(database, thread, turn).finish("Ben.", BLOCKS, shows=NOTHING)
    assert thread.texts == {}
