"""What goes, waits and is dropped: real calls to the stand-in, with budgets in Redis and in SQL."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from desk import NOBODY, Speaker
from slack_sdk.errors import SlackApiError

from bot import metrics
from bot.slack_api.errors import Dropped, SlackRefused
from bot.slack_api.messages import SlackMessages
from bot.slack_api.outbox.budgets import Budgets
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.outbox.tiers import CallLimit
from bot.slack_api.outbox.urgency import PATIENCE_S, Urgency
from bot.slack_api.sender import URGENCY, Write
from core.access.disclosure import NOTHING
from core.errors import LeaseLost
from core.jobs.leases import Lease, lease
from core.storage.database import Database
from core.turns.turn import Address
from sandbox.slack.client import Workspace

TWO = (CallLimit("two", 2, 60.0),)
FAST = (CallLimit("fast", 1, 0.3),)
CHANNEL = "C0GENERAL"


@pytest.fixture(params=["redis", "sql"])
def outbox(
    request: pytest.FixtureRequest, redis_url: str, queues: object, database: Database
) -> Outbox:
    """The same claims hold in Redis, and in SQL while Redis is away."""
    url = redis_url if request.param == "redis" else NOBODY
    return Outbox(Budgets(url, database, "tests"))


def post(speaker: Speaker, text: str, **more: Urgency) -> None:
    speaker.sender.send(Write.POST, shows=NOTHING, channel=CHANNEL, text=text, **more)


def test_every_method_that_writes_has_an_urgency() -> None:
    assert set(URGENCY) == set(Write)
    assert set(PATIENCE_S) == set(Urgency)


def test_what_may_not_wait_is_dropped_at_once(outbox: Outbox) -> None:
    outbox.wait(TWO, Urgency.PROGRESS)
    with pytest.raises(Dropped):
        outbox.wait(TWO, Urgency.PROGRESS)
    assert outbox.has_room(TWO, Urgency.FINAL)
    outbox.wait(TWO, Urgency.FINAL)


def test_a_final_waits_for_its_place_in_line(outbox: Outbox) -> None:
    began = time.monotonic()
    for _ in range(4):
        outbox.wait(FAST, Urgency.FINAL)
    assert time.monotonic() - began >= 3 * FAST[0].seconds


def test_a_final_that_would_wait_too_long_is_left_for_later_and_takes_no_place(
    outbox: Outbox,
) -> None:
    for _ in range(2):
        outbox.wait(TWO, Urgency.FINAL)
    for _ in range(2):
        with pytest.raises(SlackRefused, match="ratelimited"):
            outbox.wait(TWO, Urgency.FINAL)


def test_processes_share_one_budget(redis_url: str, queues: object, database: Database) -> None:
    ten = (CallLimit("ten", 10, 60.0),)
    boxes = [Outbox(Budgets(redis_url, database, "shared")) for _ in range(4)]

    def passes(box: Outbox) -> bool:
        try:
            box.wait(ten, Urgency.PROGRESS)
        except Dropped:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        passed = list(pool.map(passes, boxes * 10))
    assert passed.count(True) == 6  # the share of progress


def test_a_dropped_call_is_counted(outbox: Outbox) -> None:
    counted = metrics.OUTBOX_DROPPED.labels("two", Urgency.COURTESY)
    before = counted._value.get()
    outbox.wait(TWO, Urgency.COURTESY)
    with pytest.raises(Dropped):
        outbox.wait(TWO, Urgency.COURTESY)
    assert counted._value.get() == before + 1


def test_a_final_that_slack_refuses_with_429_goes_out_after_the_wait(
    workspace: Workspace, speaker: Speaker
) -> None:
    workspace.fault("chat.postMessage", error="ratelimited", status=429, retry_after=1)
    post(speaker, "quokka")
    first, second = workspace.received("chat.postMessage")
    assert (first.status, second.ok) == (429, True)
    assert second.time - first.time >= 1.0


def test_a_courtesy_that_slack_refuses_with_429_is_dropped_and_nobody_else_asks_meanwhile(
    workspace: Workspace, speaker: Speaker
) -> None:
    workspace.fault("chat.postMessage", error="ratelimited", status=429, retry_after=100)
    for _ in range(3):
        with pytest.raises(Dropped):
            post(speaker, "quokka", urgency=Urgency.COURTESY)
    assert len(workspace.received("chat.postMessage")) == 1


def test_what_slack_refuses_for_another_reason_is_not_repeated(
    workspace: Workspace, speaker: Speaker
) -> None:
    workspace.fault("chat.postMessage", error="is_archived")
    with pytest.raises(SlackApiError, match="is_archived"):
        post(speaker, "quokka")
    assert len(workspace.received("chat.postMessage")) == 1


def test_finals_do_not_wait_behind_other_peoples_progress(
    workspace: Workspace, speaker: Speaker
) -> None:
    message = workspace.say("alice", "general", "hello")
    ours = speaker.client.chat_postMessage(channel=CHANNEL, text="1", thread_ts=message.ts)
    where = {"channel": CHANNEL, "ts": ours["ts"], "text": "2"}
    with pytest.raises(Dropped):
        for _ in range(60):
            speaker.sender.send(Write.UPDATE, shows=NOTHING, urgency=Urgency.PROGRESS, **where)
    before = len(workspace.received("chat.update"))
    speaker.sender.send(Write.UPDATE, shows=NOTHING, **where)
    assert len(workspace.received("chat.update")) == before + 1


def test_who_has_lost_the_lease_sends_nothing(
    workspace: Workspace, speaker: Speaker, database: Database
) -> None:
    with lease(database, "bot.deliver:1") as held:
        assert held is not None
        post(speaker, "ours")
        held.release()
        assert Lease(database, "bot.deliver:1").take()
        with pytest.raises(LeaseLost):
            post(speaker, "theirs")
    texts = [message.text for message in workspace.messages("general")]
    assert texts == ["ours"]


def test_a_thread_is_read_after_a_rate_limit_not_given_up(
    speaker: Speaker, workspace: Workspace
) -> None:
    said = workspace.say("alice", "general", "Who is on call?")
    workspace.fault("conversations.replies", retry_after=1)
    began = time.monotonic()
    where = Address("T0SANDBOX", said.channel, said.ts, said.ts)
    assert list(SlackMessages(speaker.client, speaker.sender).replies(where)) == []
    assert time.monotonic() - began >= 1
