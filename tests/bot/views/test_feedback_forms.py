"""Modals about an answer: Slack's limits, page text in them, and what is read from them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.views import feedback_forms
from bot.views.feedback_forms import TEXT, WHAT
from core.language.sentences import sentences
from core.models import Since, Source
from sandbox.slack.web_api.block_kit import VIEW_BLOCKS, accept
from sandbox.slack.web_api.views import LIMITS

SAY = sentences("en")

NASTY = "<!channel> <@U0ALICE> *bold* [click](https://evil.example) :boom: & @here"


def source(number: int, title: str = "Crane guide", **more: Any) -> Source:
    return Source(number=number, title=title, url=f"https://wiki.example/{number}", **more)


def checked(view: dict[str, Any]) -> dict[str, Any]:
    accept(view["blocks"], VIEW_BLOCKS)
    assert all(len(view[name]["text"]) <= most for name, most in LIMITS.items() if name in view)
    assert len(view.get("private_metadata", "")) <= 3_000
    return view


def element(view: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = view["blocks"][0]["element"]
    return found


def filled(*chosen: str, text: str | None = None) -> dict[str, Any]:
    options = [{"value": value} for value in chosen]
    return {
        WHAT: {WHAT: {"type": "checkboxes", "selected_options": options}},
        TEXT: {TEXT: {"type": "plain_text_input", "value": text}},
    }


def test_every_reason_can_be_given_and_none_must_be() -> None:
    view = checked(feedback_forms.build_why(SAY, "t" * 32))
    assert [option["value"] for option in element(view)["options"]] == list(feedback_forms.WHYS)
    assert all(block["optional"] for block in view["blocks"])
    assert view["private_metadata"] == "t" * 32


@pytest.mark.parametrize("many", [1, 10, 11, 60, 100])
def test_however_many_sources_there_are_each_can_be_chosen(many: int) -> None:
    view = checked(
        feedback_forms.build_report(
            SAY, "t" * 32, [source(number, "漢" * 200) for number in range(1, many + 1)]
        )
    )
    assert [option["value"] for option in element(view)["options"]] == [
        str(number) for number in range(1, many + 1)
    ]


def test_page_text_is_plain_text_and_means_nothing() -> None:
    view = checked(feedback_forms.build_report(SAY, "t1", [source(1, NASTY, heading=NASTY)]))
    (option,) = element(view)["options"]
    assert option["text"]["type"] == "plain_text"
    assert option["text"]["emoji"] is False
    assert option["text"]["text"].startswith("[1] <!channel>")
    assert "mrkdwn" not in json.dumps(view)


def test_a_source_that_is_not_open_any_more_has_a_number_and_no_title() -> None:
    (option,) = element(
        checked(
            feedback_forms.build_report(
                SAY, "t1", [source(2, "Salary bands", heading="L2", since=Since.GONE)]
            )
        )
    )["options"]
    assert option["text"]["text"] == "[2]"


def test_what_was_filled_in_becomes_one_line() -> None:
    assert (
        feedback_forms.reason(filled("outdated", "incomplete", text="It is\nanother hall now."))
        == "outdated, incomplete: It is another hall now."
    )
    assert feedback_forms.reason(filled("wrong")) == "wrong"
    assert feedback_forms.reason(filled(text="No.")) == "No."
    assert feedback_forms.reason(filled("nonsense")) == feedback_forms.reason({}) == ""
    assert len(feedback_forms.written(filled(text="x" * 9_000))) == feedback_forms.TEXT_LIMIT


def test_deleting_asks_first_and_a_notice_has_nothing_to_send() -> None:
    assert checked(feedback_forms.build_delete(SAY, "t1"))["submit"]["text"] == SAY("button-delete")
    assert "submit" not in checked(
        feedback_forms.build_notice(SAY, "delete-title", SAY("delete-refused", user="U0BEN"))
    )
