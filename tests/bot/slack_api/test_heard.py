"""What a person says is read the same from an event and from Slack's history."""

from __future__ import annotations

from typing import Any

import pytest

from bot.slack_api.threads.heard import Heard, read


def heard(message: dict[str, Any]) -> Heard:
    said = read(message, "T1", "U0BOT")
    assert said is not None
    return said


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
        ("two \n\n lines", "two\nlines"),  # where a line ends, a sentence may end
    ],
)
def test_a_question_keeps_all_names_but_ours_and_reads_as_it_was_typed(
    said: str, question: str
) -> None:
    assert heard(event(said)).text == question


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
    assert heard(event(said)).mentions_us is ours


def test_a_message_outside_any_thread_is_the_root_of_its_own() -> None:
    assert heard(event()).where.thread_ts == "5.0"
    assert heard(event(thread_ts="4.0")).where.thread_ts == "4.0"
    assert heard(event()).where.team == "T1"


@pytest.mark.parametrize("subtype", [None, "file_share", "thread_broadcast"])
def test_what_a_person_writes_counts_with_a_file_and_from_a_thread_too(subtype: str | None) -> None:
    assert heard(event(**({"subtype": subtype} if subtype else {})))


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
    assert read(event(**more), "T1", "U0BOT") is None


def test_only_a_direct_message_is_direct() -> None:
    assert heard(event(channel_type="im")).direct
    assert not heard(event(channel_type="channel")).direct
