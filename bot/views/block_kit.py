"""The Block Kit blocks that the bot uses, each truncated to Slack's limit.

Limits, from docs.slack.dev/reference/block-kit: 50 blocks a message and 100 a modal, 3,000
characters in a section, 10 elements in a context block; and about 13,000 for all blocks of a
message together (github.com/slackapi/bolt-js/issues/2509).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot.views.mrkdwn import truncate

Block = dict[str, Any]

MESSAGE_LIMIT = 12_500  # characters of JSON
SECTION_LIMIT = 3_000
BUTTON_LIMIT = 75  # characters on a button


def size(content: object) -> int:
    """How much of a message's room this takes."""
    return len(json.dumps(content, ensure_ascii=False))


def section(text: str) -> Block:
    return {"type": "section", "text": _mrkdwn(text)}


def context(text: str) -> Block:
    return {"type": "context", "elements": [_mrkdwn(text)]}


def header(text: str) -> Block:
    return {"type": "header", "text": plain_text(truncate(text, 150))}


def plain_text(text: str) -> Block:
    return {"type": "plain_text", "text": text}


def _mrkdwn(text: str) -> Block:
    return {"type": "mrkdwn", "text": truncate(text, SECTION_LIMIT)}


def actions(*buttons: Block) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def button(text: str, action: str, value: str) -> Block:
    return {
        "type": "button",
        "action_id": action,
        "text": plain_text(truncate(text, BUTTON_LIMIT)),
        "value": value,
    }


def image(file_id: str, alt_text: str) -> Block:
    """A picture that was uploaded to Slack.

    docs.slack.dev/reference/block-kit/composition-objects/slack-file-object
    """
    return {"type": "image", "slack_file": {"id": file_id}, "alt_text": truncate(alt_text, 2_000)}


def rich(*texts: Block) -> Block:
    """Text that means nothing but itself, whatever is in it: rich text has no markup to escape."""
    content = {"type": "rich_text_section", "elements": list(texts)}
    return {"type": "rich_text", "elements": [content]}


def preformatted(text: str) -> Block:
    content = {"type": "rich_text_preformatted", "elements": [plain(text)]}
    return {"type": "rich_text", "elements": [content]}


def plain(text: str, **style: bool) -> Block:
    """A run of rich text; `strike`, `bold` or `italic`."""
    run: Block = {"type": "text", "text": text}
    if style:
        run["style"] = style
    return run


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
