"""Repairs markup that is not well-formed without losing a word.

libxml2's own recovery ends the document at the first closing tag too many; so tags are balanced
here first, and what only looks like markup is kept as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint

# A name must not contain what XML forbids in one; attributes are name="value" pairs only.
_NAME = r"[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?"
_TOKEN = re.compile(
    r"(?P<cdata><!\[CDATA\[.*?(?:\]\]>|$))"
    r"|(?P<instruction><\?[^<]*?\?>)"
    rf"|(?P<close></(?P<closed>{_NAME})(?:\s[^<>]*)?>)"
    rf"|(?P<open><(?P<opened>{_NAME})"
    rf"(?P<attributes>(?:\s+{_NAME}\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*(?P<empty>/?)>)"
    r"|(?P<entity>&(?P<named>\w+|#\d+|#x[0-9A-Fa-f]+);)"
    r"|(?P<stray>[<>&])",
    re.DOTALL,
)
_HIDING = re.compile(r"<!--|<!\[CDATA\[")
_ATTRIBUTE = re.compile(rf"({_NAME})\s*=\s*(\"[^\"]*\"|'[^']*')")
_REFERENCE = re.compile(r"&(?:(\w+|#\d+|#x[0-9A-Fa-f]+);)?")
# libxml2 gives up at 2,048 levels: deeper tags are followed and not written, so that what stands
# behind them stays where it is. Tags whose content nobody sees are written a little deeper.
DEEPEST = 1000
DEEPEST_UNSEEN = 1500
# A closing tag is believed only when its opening one is near, so that the search stays short.
NEAR = 200
LONGEST_NUMBER = 20  # digits of a character: more name none, and Python reads no number of 4,301
_ESCAPED = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
# Settings of macros and of the new editor's nodes, states, hints for authors: never words.
UNSEEN = frozenset(
    {
        *("ac:parameter", "ac:default-parameter", "ac:placeholder", "script", "style"),
        *("ac:task-id", "ac:task-uuid", "ac:task-status"),
        *("ac:adf-attribute", "ac:adf-parameter", "ac:adf-mark"),
    }
)


class _OpenElements:
    """The elements that are open, as many of them written as a reader can take."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._written: list[bool] = []
        self._depth = 0

    def has_room(self, name: str) -> bool:
        return self._depth < (DEEPEST_UNSEEN if name in UNSEEN else DEEPEST)

    def begin(self, name: str, *, written: bool) -> None:
        self.names.append(name)
        self._written.append(written)
        self._depth += written

    def end(self, name: str = "") -> Iterator[str]:
        """Closing tags up to the named element, or of all."""
        ended = ""
        while self.names and (not name or ended != name):
            ended = self.names.pop()
            if self._written.pop():
                self._depth -= 1
                yield f"</{ended}>"


def balanced(storage: str) -> str:
    """The same text with every tag closed in order, and stray brackets and ampersands escaped."""
    out: list[str] = []
    opened = _OpenElements()
    position = 0
    storage = _without_comments(storage)
    for token in _TOKEN.finditer(storage):
        out.append(storage[position : token.start()])
        out.append(_repaired(token, opened))
        position = token.end()
    out.append(storage[position:])
    out.extend(opened.end())
    return "".join(out)


def _without_comments(storage: str) -> str:
    """Without comments and what is in them; one that never ends, or inside CDATA, is text."""
    out: list[str] = []
    position = 0
    while found := _HIDING.search(storage, position):
        closed = "-->" if found[0] == "<!--" else "]]>"
        end = storage.find(closed, found.end())
        if end < 0:
            break
        kept = found.start() if closed == "-->" else end + len(closed)
        out.append(storage[position:kept])
        position = end + len(closed)
    return "".join([*out, storage[position:]])


def _repaired(token: re.Match[str], opened: _OpenElements) -> str:
    text = token[0]
    if token["cdata"]:
        return text if text.endswith("]]>") else text + "]]>"
    if token["instruction"]:
        return ""
    if token["close"]:
        return _closing(token["closed"], opened)
    if token["open"]:
        return _opening(token, opened)
    return _reference(token["named"]) if token["entity"] else _ESCAPED[text]


def _opening(token: re.Match[str], opened: _OpenElements) -> str:
    name = token["opened"]
    has_room = opened.has_room(name)
    if not token["empty"]:
        opened.begin(name, written=has_room)
    return f"<{name}{_attributes(token['attributes'])}{token['empty']}>" if has_room else ""


def _attributes(written: str) -> str:
    """The first attribute of each name, with its references resolved."""
    first: dict[str, str] = {}
    for key, quoted in _ATTRIBUTE.findall(written):
        resolved = _REFERENCE.sub(lambda found: _reference(found[1] or ""), quoted)
        first.setdefault(key, resolved)
    return "".join(f" {key}={quoted}" for key, quoted in first.items())


def _closing(name: str, opened: _OpenElements) -> str:
    """Close everything up to the named element; a closing tag that nothing opened is dropped."""
    return "".join(opened.end(name)) if name in opened.names[-NEAR:] else ""


def _reference(named: str) -> str:
    """The character itself; a name that nobody declared stays as it was written."""
    if named.startswith("#") and len(named) > LONGEST_NUMBER:
        return ""
    if named.startswith("#x"):
        return _character(int(named[2:], 16))
    if named.startswith("#"):
        return _character(int(named[1:]))
    if named in name2codepoint or named == "apos":
        return _character(name2codepoint.get(named, ord("'")))
    return f"&amp;{named};" if named else "&amp;"


def _character(code: int) -> str:
    allowed = (
        code in (9, 10, 13)
        or 32 <= code < 0xD800
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )
    return f"&#{code};" if allowed else ""
