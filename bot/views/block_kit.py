"""The pieces of Block Kit that the bot builds with, each within its limit: a section, a context line, buttons, rich text.

Limits, from docs.slack.dev/reference/block-kit: 50 blocks a message and 100 a modal, 3,000 characters in a section, 10 elements in a
context block; and about 13,000 for all blocks of a message together (github.com/slackapi/bolt-js/issues/2509).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot.views.mrkdwn import within

Block = dict[str, Any]

MESSAGE_LIMIT = 12_500  # characters of JSON
SECTION_LIMIT = 3_000
BUTTON_LIMIT = 75  # characters on a button


def size(content: object) -> int:
    """How much of a message's room this takes."""
    return len(json.dumps(content, ensure_ascii=False))


def section(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": within(text, SECTION_LIMIT)}}


def context(text: str) -> Block:
    return {
        "type": "context",
        "elements": [{"type": "mrkdwn", "text": within(text, SECTION_LIMIT)}],
    }


def header(text: str) -> Block:
    return {"type": "header", "text": {"type": "plain_text", "text": within(text, 150)}}


def actions(*buttons: Block) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def button(text: str, action: str, value: str) -> Block:
    return {
        "type": "button",
        "action_id": action,
        "text": {"type": "plain_text", "text": within(text, BUTTON_LIMIT)},
        "value": value,
    }


def image(file_id: str, alt_text: str) -> Block:
    """A picture that was uploaded to Slack: docs.slack.dev/reference/block-kit/composition-objects/slack-file-object."""
    return {"type": "image", "slack_file": {"id": file_id}, "alt_text": within(alt_text, 2_000)}


def rich(*texts: Block) -> Block:
    """Text that means nothing but itself, whatever is in it: rich text has no markup to escape."""
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": list(texts)}],
    }


def preformatted(text: str) -> Block:
    return {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text}]}
        ],
    }


def plain(text: str, **style: bool) -> Block:
    """A run of rich text; `strike`, `bold` or `italic`."""
    return {"type": "text", "text": text} | ({"style": style} if style else {})


def packed(lines: Sequence[str]) -> Iterator[str]:
    """The lines in as few texts as fit into a section each."""
    text = ""
    for line in lines:
        if text and len(text) + len(line) + 1 > SECTION_LIMIT:
            yield text
            text = ""
        text += f"\n{line}" if text else line
    if text:
        yield text
