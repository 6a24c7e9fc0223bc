"""Slack's two text formats, and how page text is kept from meaning anything in them.

Facts: docs.slack.dev/messaging/formatting-message-text (mrkdwn, the three characters to escape),
docs.slack.dev/reference/block-kit/blocks/markdown-block (Markdown, 12,000 characters in all).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models import Source

_MENTION = re.compile(r"<(?=[!@#])|@(?=(?:here|channel|everyone)\b)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CITATION = re.compile(r"\[(\d+)\](?!\()")


def escape(text: str) -> str:
    """Text that mrkdwn shows as it is: no link, no mention, no formatting tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link(text: str, url: str) -> str:
    """A mrkdwn link; `|` and `>` would end it early."""
    return f"<{escape(url).replace('|', '%7C')}|{escape(text).replace('|', '¦')}>"


def quiet(markdown: str) -> str:
    """Markdown from pages or models that calls nobody: mentions lose their sign, links keep only their text.

    >>> quiet("<!channel> see [this](https://evil.example) @here")
    '‹!channel> see this ＠here'
    """
    no_links = _LINK.sub(r"\1", markdown)
    return _MENTION.sub(lambda match: "‹" if match.group() == "<" else "＠", no_links)


def with_source_links(markdown: str, sources: Sequence[Source]) -> str:
    """Each citation [n] becomes a link to source n."""
    urls = {source.number: source.url for source in sources}

    def linked(match: re.Match[str]) -> str:
        url = urls.get(int(match.group(1)))
        return f"[\\[{match.group(1)}\\]]({_markdown_url(url)})" if url else match.group()

    return _CITATION.sub(linked, markdown)


def within(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis, within `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _markdown_url(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
