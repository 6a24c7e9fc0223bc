"""The readable text of a message's blocks, for a terminal."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandbox.slack.render.emoji import with_emoji

Json = dict[str, Any]

LINK = re.compile(r"<(?P<target>[^<>|]+)(?:\|(?P<label>[^<>]*))?>")

_MARKDOWN_LINK = re.compile(r"\[(?P<label>(?:\\.|[^\]\\])*)\]\([^()\s]*\)")


def plain(text: str, blocks: Sequence[Json]) -> str:
    """The blocks, one under the other; a message without blocks is its text."""
    if not blocks:
        return readable(text)
    return "\n".join(filter(None, (block_text(block) for block in blocks)))


def readable(mrkdwn: str) -> str:
    """`<https://a.b|this> &amp; :mag:` becomes `this (https://a.b) & 🔍`."""
    return with_emoji(html.unescape(LINK.sub(_link, mrkdwn)))


def block_text(block: Json) -> str:
    return TEXTS.get(block["type"], _nothing)(block)


def _link(match: re.Match[str]) -> str:
    target, label = match["target"], match["label"]
    if target.startswith(
        "!date^"
    ):  # docs.slack.dev/messaging/formatting-message-text: the fallback where it cannot be shown
        return label or ""
    return f"{label} ({target})" if label else target


def _label(match: re.Match[str]) -> str:
    """A link's words without its address, which would interrupt a sentence in a terminal."""
    return re.sub(r"\\(.)", r"\1", match["label"])


def _text(text: Json | None) -> str:
    if not text:
        return ""
    if text.get("type") == "mrkdwn":
        return readable(text["text"])
    return with_emoji(text.get("text", ""))


def _section(block: Json) -> str:
    fields, accessory = block.get("fields") or [], block.get("accessory") or {}
    lines = [_text(block.get("text")), *map(_text, fields), _element(accessory)]
    return "\n".join(filter(None, lines))


def _context(block: Json) -> str:
    return " ".join(element.get("alt_text") or _text(element) for element in block["elements"])


def _buttons(block: Json) -> str:
    return " ".join(filter(None, map(_element, block["elements"])))


def _element(element: Json) -> str:
    if element.get("type") == "feedback_buttons":
        buttons = (element["positive_button"], element["negative_button"])
        return " ".join(f"[{_text(button['text'])}]" for button in buttons)
    return f"[{_text(element['text'])}]" if "text" in element else ""


def _rich(block: Json) -> str:
    return "".join(_rich_pieces(block)).strip()


def _rich_pieces(element: Json) -> Iterator[str]:
    kind = element.get("type", "")
    yield _marked(element)
    if kind == "emoji":
        yield with_emoji(f":{element['name']}:")
    for child in element.get("elements", []):
        yield "• " if kind == "rich_text_list" else ""
        yield from _rich_pieces(child)
        yield "\n" if kind in ("rich_text", "rich_text_list") else ""


def _marked(element: Json) -> str:
    """What is struck out or bold stays recognizable: `~gone~ *new*`."""
    style, text = element.get("style") or {}, element.get("text") or element.get("url") or ""
    if not isinstance(style, dict):  # of a list: ordered or bullet
        return str(text)
    if style.get("strike"):
        return f"~{text}~"
    return f"*{text}*" if style.get("bold") else str(text)


def _nothing(block: Json) -> str:
    return ""


TEXTS: dict[str, Callable[[Json], str]] = {
    "section": _section,
    "header": lambda block: _text(block["text"]),
    "context": _context,
    "actions": _buttons,
    "context_actions": _buttons,
    "divider": lambda block: "────",
    "markdown": lambda block: with_emoji(_MARKDOWN_LINK.sub(_label, str(block["text"]))),
    "image": lambda block: f"[image: {block['alt_text']}]",
    "rich_text": _rich,
}
