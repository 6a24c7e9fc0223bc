"""What is for nobody is told from the payload; in doubt a message is ours."""

from __future__ import annotations

from typing import Any

import pytest

from bot.chatter import Lane, lane

SAID = {"type": "message", "channel_type": "channel", "user": "U1", "ts": "2.0", "text": "hi"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, Lane.NOBODY),
        ({"thread_ts": "1.0"}, Lane.CHATTER),
        ({"channel_type": "im"}, Lane.OURS),
        ({"channel_type": "im", "thread_ts": "1.0"}, Lane.OURS),
        ({"bot_id": "B1", "thread_ts": "1.0"}, Lane.NOBODY),
        ({"subtype": "channel_join"}, Lane.NOBODY),
        ({"subtype": "file_share", "thread_ts": "1.0"}, Lane.CHATTER),
        ({"subtype": "message_changed", "message": {"user": "U1"}}, Lane.CHATTER),
        ({"subtype": "message_changed", "message": {"bot_id": "B1"}}, Lane.NOBODY),
        ({"subtype": "message_deleted", "previous_message": {"user": "U1"}}, Lane.CHATTER),
        ({"type": "app_mention"}, Lane.OURS),
        ({"type": "reaction_added"}, Lane.OURS),
    ],
)
def test_a_message_goes_to_its_lane(more: dict[str, Any], expected: Lane) -> None:
    assert lane({"event": SAID | more}) is expected


@pytest.mark.parametrize("body", [{"type": "block_actions"}, {"command": "/groundwire"}, {}])
def test_whatever_is_no_message_is_ours(body: dict[str, Any]) -> None:
    assert lane(body) is Lane.OURS
