"""Slack's payloads, read at the edge."""

from __future__ import annotations

from bot.slack_api import payloads


def test_a_thumb_of_any_skin_is_a_thumb() -> None:
    assert (
        payloads.reaction_name({"reaction": "+1::skin-tone-3"})
        == payloads.reaction_name({"reaction": "+1"})
        == "+1"
    )
