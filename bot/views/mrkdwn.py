"""Escapes, sanitizes and truncates text for Slack's two formats, mrkdwn and Markdown.

Facts: docs.slack.dev/messaging/formatting-message-text (mrkdwn, the three characters to escape),
docs.slack.dev/reference/block-kit/blocks/markdown-block (Markdown, 12,000 characters in all).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.language.sentences import Sentences
from core.markdown.escaping import harmless
from core.markdown.reading import outside
from core.models import Since, Source

# `](`, `]: https:` and `]: //host` are what every hidden link needs, however its text is nested.
_LINK = re.compile(r"\](?=\(|:\s*<?(?:\w+:|//))")
# What ends an address or a link early, in one of the two formats, or begins code.
_NOT_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}]")
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # the direction of what follows
_CITATION = re.compile(r"\[(?P<number>\d+)\](?!\()")


def escape(text: str) -> str:
    """Text that mrkdwn shows as it is: no link, no mention, no formatting tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link(text: str, url: str) -> str:
    """A mrkdwn link, whatever its title and its address hold.

    >>> link("Rates | `2026`", "https://wiki.example/a b|c")
    "<https://wiki.example/a%20b%7Cc|Rates ¦ '2026'>"
    """
    shown = " ".join(_TURNS.sub("", text).split()).replace("`", "'").replace("|", "¦")
    return f"<{escape(_address(url))}|{escape(shown)}>"


def moment(say: Sentences, seconds: float, form: str) -> str:
    """A time in each reader's own time zone; in UTC where Slack does not show that.

    docs.slack.dev/messaging/formatting-message-text#date-formatting
    """
    return f"<!date^{seconds:.0f}^{form}|{say.moment(seconds)}>"


def sanitize(markdown: str) -> str:
    """Text for a line of mrkdwn, before it is escaped: it calls nobody and hides no address.

    >>> sanitize("<!channel> see [this](https://evil.example) @here")
    '‹!channel> see [this] (https://evil.example) ＠here'
    """
    return harmless(_LINK.sub("] ", markdown))


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

    parts = outside(markdown)
    return "".join(part if is_code else _CITATION.sub(linked, part) for part, is_code in parts)


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
    return _address(url).replace("(", "%28").replace(")", "%29")


def _address(url: str) -> str:
    return _NOT_IN_ADDRESS.sub(lambda found: f"%{ord(found[0]):02X}", url)
