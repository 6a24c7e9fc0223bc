"""Modals in which somebody says what is wrong with an answer, and what was filled in; pure functions.

A modal carries the turn it is about in its `private_metadata`, which Slack shows to nobody and gives back when it is sent off.
Titles of pages are plain text, which has no markup: docs.slack.dev/reference/block-kit/composition-objects/text-object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.views import messages
from bot.views.block_kit import Block, section
from bot.views.mrkdwn import within
from core.models import Since, Source

WHY_CALLBACK, REPORT_CALLBACK, DELETE_CALLBACK = "why_bad", "wrong_source", "delete_answer"
WHAT, TEXT = "what", "text"  # the fields
OPTION_LIMIT = 75  # characters
MOST_BOXES, MOST_OPTIONS = 10, 100
TEXT_LIMIT = 1_000

Values = Mapping[str, Mapping[str, Mapping[str, Any]]]


def build_why(turn_id: str) -> Block:
    """Why an answer is bad; everything in it may be left out."""
    options = [_option(text, key) for key, text in messages.answer_menu.REASONS_OF_VOTES.items()]
    return _modal(
        messages.answer_menu.WHY_TITLE,
        [
            _input(WHAT, messages.answer_menu.WHY_WHAT, _boxes(options), optional=True),
            _writing(messages.answer_menu.WHY_TEXT),
        ],
        submit=messages.answer_menu.BUTTON_SEND,
        callback=WHY_CALLBACK,
        carried=turn_id,
    )


def build_report(turn_id: str, sources: Sequence[Source]) -> Block:
    """Which sources are wrong; of those that are not open to everybody there are only the numbers."""
    options = [_option(_name(source), str(source.number)) for source in sources[:MOST_OPTIONS]]
    return _modal(
        messages.answer_menu.REPORT_TITLE,
        [
            _input(WHAT, messages.answer_menu.REPORT_WHICH, _boxes(options)),
            _writing(messages.answer_menu.REPORT_TEXT),
        ],
        submit=messages.answer_menu.BUTTON_SEND,
        callback=REPORT_CALLBACK,
        carried=turn_id,
    )


def build_delete(turn_id: str) -> Block:
    """Asks before it is done."""
    return _modal(
        messages.answer_menu.DELETE_TITLE,
        [section(messages.answer_menu.DELETE_TEXT)],
        submit=messages.answer_menu.BUTTON_DELETE,
        callback=DELETE_CALLBACK,
        carried=turn_id,
    )


def build_notice(title: str, sentence: str) -> Block:
    return _modal(title, [section(sentence)])


def chosen(values: Values) -> tuple[str, ...]:
    """The values of what was ticked."""
    return tuple(
        str(option["value"])
        for option in values.get(WHAT, {}).get(WHAT, {}).get("selected_options") or ()
    )


def written(values: Values) -> str:
    return " ".join(str(values.get(TEXT, {}).get(TEXT, {}).get("value") or "").split())[:TEXT_LIMIT]


def reason(values: Values) -> str:
    """Why a vote is what it is, as it is saved: `outdated, incomplete: it is another hall now`."""
    keys = ", ".join(key for key in chosen(values) if key in messages.answer_menu.REASONS_OF_VOTES)
    return ": ".join(filter(None, (keys, written(values))))


def _name(source: Source) -> str:
    title = (
        ""
        if source.since is Since.GONE
        else source.title + (f" › {source.heading}" if source.heading else "")
    )
    return f"[{source.number}] {' '.join(title.split())}".rstrip()


def _modal(
    title: str, blocks: Sequence[Block], *, submit: str = "", callback: str = "", carried: str = ""
) -> Block:
    shown = {"type": "modal", "title": _plain(title), "blocks": list(blocks)}
    if not submit:
        return shown | {"close": _plain(messages.BUTTON_CLOSE)}
    sent = {"submit": _plain(submit), "callback_id": callback, "private_metadata": carried}
    return shown | sent | {"close": _plain(messages.answer_menu.BUTTON_CANCEL)}


def _boxes(options: Sequence[Block]) -> Block:
    """Boxes to tick, or a list to choose from where there are more than Slack takes as boxes."""
    kind = "checkboxes" if len(options) <= MOST_BOXES else "multi_static_select"
    return {"type": kind, "action_id": WHAT, "options": list(options)}


def _writing(label: str) -> Block:
    element = {
        "type": "plain_text_input",
        "action_id": TEXT,
        "multiline": True,
        "max_length": TEXT_LIMIT,
    }
    return _input(TEXT, label, element, optional=True)


def _input(name: str, label: str, element: Block, *, optional: bool = False) -> Block:
    return {
        "type": "input",
        "block_id": name,
        "label": _plain(label),
        "element": element,
        "optional": optional,
    }


def _option(text: str, value: str) -> Block:
    return {"text": _plain(within(text, OPTION_LIMIT)), "value": value}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
