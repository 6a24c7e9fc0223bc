"""Sanitize a page's own markup: known tags, harmless attributes, and ids for headings."""

from __future__ import annotations

import re
from html import escape

from lxml import etree

PLAIN = {
    "p",
    "br",
    "hr",
    "em",
    "strong",
    "b",
    "i",
    "u",
    "s",
    "del",
    "sub",
    "sup",
    "small",
    "span",
    "div",
    "pre",
    "code",
    "blockquote",
    "a",
}
PLAIN |= {"ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6"}
PLAIN |= {"table", "thead", "tbody", "tfoot", "tr", "th", "td", "colgroup", "col"}
VOID = {"br", "hr", "col"}
DROPPED = {
    "script",
    "style",
    "iframe",
    "object",
    "embed",
    "ac:parameter",
    "ac:placeholder",
    "ac:adf-attribute",
    "ac:adf-fallback",
}
SAFE_LINK = re.compile(r"(https?:|mailto:|/|#)", re.IGNORECASE)
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-z]+")


def attributes(element: etree._Element) -> str:
    """The harmless attributes: spans of cells, safe links and the colour of a cell."""
    kept = {}
    for name in ("colspan", "rowspan"):
        value = element.get(name) or ""
        if value.isdecimal():
            kept[name] = value
    href, colour = element.get("href") or "", element.get("data-highlight-colour") or ""
    if SAFE_LINK.match(href):
        kept["href"] = href
    if COLOUR.fullmatch(colour):
        kept["style"] = f"background:{colour};color:#172b4d"
    return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())


class Anchors:
    """Ids of the headings of one page: the text hyphenated, repeated ones numbered (`Notes.1`)."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def give(self, element: etree._Element, tag: str) -> str:
        """The id attribute of a heading; nothing for other elements."""
        if not re.fullmatch("h[1-6]", tag):
            return ""
        name = re.sub(r"\s+", "-", text_of(element).strip())
        count = self._given.get(name, 0)
        self._given[name] = count + 1
        return f' id="{escape(f"{name}.{count}" if count else name)}"'


def text_of(element: etree._Element) -> str:
    return "".join(str(piece) for piece in element.itertext())
