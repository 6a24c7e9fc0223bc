"""Slack's two text formats, and how page text is kept from meaning anything in them.

Facts: docs.slack.dev/messaging/formatting-message-text (mrkdwn, the three characters to escape),
docs.slack.dev/reference/block-kit/blocks/markdown-block (Markdown, 12,000 characters in all).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models import Since, Source

_TAG = re.compile(
    r"<(?=!(?:channel|here|everyone|subteam|date)|[@#][A-Z0-9]|(?:https?|mailto|tel|slack):)"
)
_CALL = re.compile(r"(?<!\w)@(?=(?:here|channel|everyone)\b)")
# `](`, `]: https:` and `]: //host` are what every hidden link needs, however its text is nested.
_LINK = re.compile(r"\](?=\(|:\s*<?(?:\w+:|//))")
# What `quiet` cannot judge before more of the text has come: the beginning of a tag, of a call or of a hidden link.
_UNDECIDED = re.compile(r"(?:<[!@#]?\w{0,9}|@\w{0,8}|\](?::\s*<?(?:\w*|/))?)\Z")
_CITATION = re.compile(r"(?P<code>```.*?(?:```|\Z)|`[^`\n]+`)|\[(?P<number>\d+)\](?!\()", re.DOTALL)


def escape(text: str) -> str:
    """Text that mrkdwn shows as it is: no link, no mention, no formatting tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link(text: str, url: str) -> str:
    """A mrkdwn link; `|` and `>` would end it early."""
    return f"<{escape(url).replace('|', '%7C')}|{escape(text).replace('|', '¦')}>"


def quiet(markdown: str) -> str:
    """Markdown from pages or models that calls nobody and hides no address; code in it stays code that works.

    >>> quiet("<!channel> see [this](https://evil.example) @here")
    '‹!channel> see [this] (https://evil.example) ＠here'
    """
    return _CALL.sub("＠", _TAG.sub("‹", _LINK.sub("] ", markdown)))


def quiet_so_far(markdown: str) -> str:
    """The part of a text that grows which is quiet whatever comes next: `quiet` of the whole text begins with it.

    >>> quiet_so_far("Ask <!chan"), quiet_so_far("Ask <!channel> now")
    ('Ask ', 'Ask ‹!channel> now')
    """
    undecided = _UNDECIDED.search(markdown)
    return quiet(markdown[: undecided.start()] if undecided else markdown)


def with_source_links(markdown: str, sources: Sequence[Source], room: int) -> str:
    """Each citation [n] outside of code becomes a link to source n, as long as the text grows by no more than `room` characters."""
    urls = {str(source.number): source.url for source in sources if source.since is not Since.GONE}

    def linked(match: re.Match[str]) -> str:
        nonlocal room
        number = match["number"]
        if number not in urls:
            return match.group()
        link = f"[\\[{number}\\]]({_markdown_url(urls[number])})"
        longer = len(link) - len(match.group())
        if longer > room:
            return match.group()
        room -= longer
        return link

    return _CITATION.sub(linked, markdown)


def within(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis, within `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def within_bytes(text: str, limit: int) -> str:
    """The same within `limit` bytes of UTF-8."""
    encoded = text.encode()
    return (
        text
        if len(encoded) <= limit
        else encoded[: limit - 3].decode(errors="ignore").rstrip() + "…"
    )  # which is 3 bytes


def _markdown_url(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
