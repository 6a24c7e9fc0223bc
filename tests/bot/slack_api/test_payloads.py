"""Slack's payloads, read at the edge."""

from __future__ import annotations

from typing import Any

import pytest
from slack_bolt import BoltContext

from bot.slack_api import payloads

CONTEXT = BoltContext({"bot_user_id": "U0BOT", "team_id": "T1"})


def event(text: str = "hello", **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U0ALICE", "channel": "C1", "ts": "5.0", "text": text} | more


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("<@U0BOT> who is on call?", "who is on call?"),
        ("hey <@U0BOT|groundwire>, who?", "hey , who?"),
        ("<@U0BOT> does <@U0BEN> or <@U0BOT2> know?", "does <@U0BEN> or <@U0BOT2> know?"),
        ("<@U0BOT>", ""),
        ("is 3 &lt; 4 &amp;&amp; 5 &gt; 4?", "is 3 < 4 && 5 > 4?"),
        ("what does &amp;lt; mean?", "what does &lt; mean?"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_question_keeps_all_names_but_ours_and_reads_as_it_was_typed(
    said: str, question: str
) -> None:
    assert payloads.question(event(said), CONTEXT) == question


@pytest.mark.parametrize(
    ("said", "ours"),
    [
        ("<@U0BOT> hi", True),
        ("<@U0BOT|groundwire>", True),
        ("<@U0BOT2> hi", False),
        ("U0BOT", False),
    ],
)
def test_only_our_whole_name_is_a_mention(said: str, ours: bool) -> None:
    assert payloads.mentions_us(event(said), CONTEXT) is ours


def test_a_message_outside_any_thread_is_the_root_of_its_own() -> None:
    assert payloads.address(event(), CONTEXT).thread_ts == "5.0"
    assert payloads.address(event(thread_ts="4.0"), CONTEXT).thread_ts == "4.0"
    assert payloads.address(event(), CONTEXT).team == "T1"


@pytest.mark.parametrize("subtype", [None, "file_share", "thread_broadcast"])
def test_what_a_person_writes_counts_with_a_file_and_from_a_thread_too(subtype: str | None) -> None:
    assert payloads.is_from_a_person(event(**({"subtype": subtype} if subtype else {})), CONTEXT)


@pytest.mark.parametrize(
    "more",
    [
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"subtype": "channel_join"},
        {"subtype": "bot_message"},
        {"bot_id": "B1"},
        {"user": "U0BOT"},
        {"user": None},
    ],
)
def test_edits_notices_and_bots_do_not_count(more: dict[str, Any]) -> None:
    assert not payloads.is_from_a_person(event(**more), CONTEXT)


def test_only_a_direct_message_is_direct() -> None:
    assert payloads.is_direct(event(channel_type="im"))
    assert not payloads.is_direct(event(channel_type="channel"))


def test_a_thumb_of_any_skin_is_a_thumb() -> None:
    assert (
        payloads.reaction_name({"reaction": "+1::skin-tone-3"})
        == payloads.reaction_name({"reaction": "+1"})
        == "+1"
    )
