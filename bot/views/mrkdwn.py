"""Escapes, sanitizes and truncates text for Slack's two formats, mrkdwn and Markdown.

Facts: docs.slack.dev/messaging/formatting-message-text (mrkdwn, the three characters to escape),
docs.slack.dev/reference/block-kit/blocks/markdown-block (Markdown, 12,000 characters in all).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.language.sentences import Sentences
from core.models import Since, Source

_TAG = re.compile(
    r"<(?=!(?:channel|here|everyone|subteam|date)|[@#][A-Z0-9]|(?:https?|mailto|tel|slack):)"
)
_CALL = re.compile(r"(?<!\w)@(?=(?:here|channel|everyone)\b)")
# `](`, `]: https:` and `]: //host` are what every hidden link needs, however its text is nested.
_LINK = re.compile(r"\](?=\(|:\s*<?(?:\w+:|//))")
# What `sanitize` cannot judge before more text has come: the beginning of a tag, a call or a link.
_UNDECIDED = re.compile(r"(?:<[!@#]?\w{0,9}|@\w{0,8}|\](?::\s*<?(?:\w*|/))?)\Z")
_CITATION = re.compile(r"(?P<code>```.*?(?:```|\Z)|`[^`\n]+`)|\[(?P<number>\d+)\](?!\()", re.DOTALL)


def escape(text: str) -> str:
    """Text that mrkdwn shows as it is: no link, no mention, no formatting tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link(text: str, url: str) -> str:
    """A mrkdwn link; `|` and `>` would end it early."""
    return f"<{escape(url).replace('|', '%7C')}|{escape(text).replace('|', '¦')}>"


def moment(say: Sentences, seconds: float, form: str) -> str:
    """A time in each reader's own time zone; in UTC where Slack does not show that.

    docs.slack.dev/messaging/formatting-message-text#date-formatting
    """
    return f"<!date^{seconds:.0f}^{form}|{say.moment(seconds)}>"


def sanitize(markdown: str) -> str:
    """Markdown from pages or models that calls nobody and hides no address; its code still works.

    >>> sanitize("<!channel> see [this](https://evil.example) @here")
    '‹!channel> see [this] (https://evil.example) ＠here'
    """
    text = _LINK.sub("] ", markdown)
    text = _TAG.sub("‹", text)
    return _CALL.sub("＠", text)


def sanitize_partial(markdown: str) -> str:
    """The part of a growing text with which `sanitize` of the whole text will begin.

    >>> sanitize_partial("Ask <!chan"), sanitize_partial("Ask <!channel> now")
    ('Ask ', 'Ask ‹!channel> now')
    """
    undecided = _UNDECIDED.search(markdown)
    return sanitize(markdown[: undecided.start()] if undecided else markdown)


def with_source_links(markdown: str, sources: Sequence[Source], room: int) -> str:
    """Each citation [n] outside of code becomes a link to source n, unless that is gone.

    The text grows by no more than `room` characters.
    """
    urls = {}
    for source in sources:
        if source.since is not Since.GONE:
            urls[str(source.number)] = source.url
    return with_links(markdown, urls, room)


def with_links(markdown: str, urls: Mapping[str, str], room: int) -> str:
    """The same by the addresses of the citations, each under its number."""

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


def truncate(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis, within `limit` characters."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rstrip() + "…"


def one_line(text: str, limit: int) -> str:
    """The same with every run of white space as one space."""
    return truncate(" ".join(text.split()), limit)


def truncate_bytes(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis, within `limit` bytes of UTF-8."""
    encoded = text.encode()
    if len(encoded) <= limit:
        return text
    kept = encoded[: limit - 3]  # the ellipsis is 3 bytes
    return kept.decode(errors="ignore").rstrip() + "…"


def _markdown_url(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
