"""Slack's payloads, read at the edge."""

from __future__ import annotations

from bot.slack_api import payloads


def test_a_thumb_of_any_skin_is_a_thumb() -> None:
    assert (
        payloads.reaction_name({"reaction": "+1::skin-tone-3"})
        == payloads.reaction_name({"reaction": "+1"})
        == "+1"
    )


def test_lines_stay_lines_and_our_name_goes() -> None:
    text = "<@U0BOT>  I am new here \n\n &gt; Who pays?\nwho is on call?\n"
    assert payloads.worded(text, "U0BOT") == "I am new here\n> Who pays?\nwho is on call?"
