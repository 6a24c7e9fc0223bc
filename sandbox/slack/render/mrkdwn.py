"""Slack's mrkdwn as sanitized HTML: styles, code, quotes, bullets, links, mentions, emoji.

Follows docs.slack.dev/messaging/formatting-message-text. Everything is escaped here, piece by
piece; no HTML comes in from outside.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from itertools import groupby

from markupsafe import Markup, escape

from sandbox.slack.render.emoji import named

FENCE = re.compile(r"```\n?(.+?)\n?```", re.DOTALL)
QUOTE = re.compile(r"^(?:&gt;|>) ?")
BULLET = re.compile(r"^\s*[•◦▪-] +")
INLINE = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|<(?P<target>!date\^[^<>|]+|[^<>|\s]+)(?:\|(?P<label>[^<>]*))?>"
    r"|:(?P<emoji>[a-z0-9_+-]+):"
    r"|(?<![\w*])\*(?P<bold>\S(?:[^*\n]*\S)?)\*(?![\w*])"
    r"|(?<![\w_])_(?P<italic>\S(?:[^_\n]*\S)?)_(?![\w_])"
    r"|(?<![\w~])~(?P<strike>\S(?:[^~\n]*\S)?)~(?![\w~])"
)
STYLES = {"bold": "strong", "italic": "em", "strike": "s"}


def render(text: str, names: Mapping[str, str]) -> Markup:
    """The HTML of a mrkdwn text; `names` gives what to show for a user or channel id."""
    pieces = FENCE.split(text)  # outside, inside, outside, …
    return Markup("").join(
        _pre(piece) if index % 2 else _lines(piece, names) for index, piece in enumerate(pieces)
    )


def is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def link(url: str, label: Markup | str) -> Markup:
    """A link that opens in a new tab; anything but the web is shown as text."""
    if not is_web(url):
        return escape(label)
    return Markup('<a href="{}" target="_blank" rel="noopener noreferrer">{}</a>').format(
        url, label
    )


def _pre(code: str) -> Markup:
    return Markup("<pre>{}</pre>").format(html.unescape(code))


def _lines(text: str, names: Mapping[str, str]) -> Markup:
    groups = groupby(text.strip("\n").split("\n"), key=_kind)
    return Markup("").join(_group(kind, list(lines), names) for kind, lines in groups)


def _kind(line: str) -> str:
    if QUOTE.match(line):
        return "quote"
    return "list" if BULLET.match(line) else "text"


def _group(kind: str, lines: list[str], names: Mapping[str, str]) -> Markup:
    if kind == "quote":
        return Markup("<blockquote>{}</blockquote>").format(
            _broken([QUOTE.sub("", line) for line in lines], names)
        )
    if kind == "list":
        items = (
            Markup("<li>{}</li>").format(_inline(BULLET.sub("", line), names)) for line in lines
        )
        return Markup("<ul>{}</ul>").format(Markup("").join(items))
    return (
        Markup("<p>{}</p>").format(_broken(lines, names))
        if any(line.strip() for line in lines)
        else Markup("")
    )


def _broken(lines: list[str], names: Mapping[str, str]) -> Markup:
    return Markup("<br>").join(_inline(line, names) for line in lines)


def _inline(text: str, names: Mapping[str, str]) -> Markup:
    done, position = Markup(""), 0
    for match in INLINE.finditer(text):
        done += escape(html.unescape(text[position : match.start()])) + _token(match, names)
        position = match.end()
    return done + escape(html.unescape(text[position:]))


def _token(match: re.Match[str], names: Mapping[str, str]) -> Markup:
    kind = match.lastgroup or ""
    if kind == "code":
        return Markup("<code>{}</code>").format(html.unescape(match["code"]))
    if kind == "emoji":
        return escape(named(match["emoji"]))
    if kind in STYLES:
        return Markup(f"<{STYLES[kind]}>{{}}</{STYLES[kind]}>").format(_inline(match[kind], names))
    return _reference(match["target"], match["label"], names)


def _reference(target: str, label: str | None, names: Mapping[str, str]) -> Markup:
    if target.startswith("!date^"):
        return escape(html.unescape(label or ""))
    if target[0] in "@#!":
        known = names.get(target[1:]) or label or target[1:].partition("^")[0]
        return Markup('<span class="mention">{}{}</span>').format(
            "#" if target[0] == "#" else "@", known
        )
    return link(html.unescape(target), html.unescape(label or target))
