"""Writes a tree of Markdown again, so that it is read as it was meant and links to nothing.

Text is escaped where a reader would take it for markup, addresses of links stand beside their
words, code stays as it is. What was written is read again: should it say anything else, or link
anywhere, it is written once more without formatting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from markdown_it.tree import SyntaxTreeNode

from core.markdown.escaping import begun, escaped, harmless
from core.markdown.reading import read

_LANGUAGE = re.compile(r"[\w+#.-]*")
_BACKTICKS = re.compile(r"`+")
_EMPHASIS = {"em", "strong", "s"}
_BREAKS = {"softbreak": "\n", "hardbreak": "  \n"}
_LISTS = {"bullet_list", "ordered_list"}
_EDGES = re.compile(r"^`|`$|^ .*\S.* $", re.DOTALL)  # CommonMark, 6.1: one space is taken off


def neutral(markdown: str) -> str:
    """The same text for Slack's `markdown` block: it calls nobody and hides no address.

    >>> neutral("**See** [this](https://evil.example) <!channel>, `f(a)[1](b)`")
    '**See** this (https://evil.example) ‹!channel>, `f(a)[1](b)`'
    """
    tree = read(markdown)
    meant = _said(tree)
    for everything in (False, True):
        text = _Writer(markdown.split("\n"), everything).blocks(tree.children)
        again = read(text)
        if _said(again) == meant and not _links(again):
            break
    return text


def _said(tree: SyntaxTreeNode) -> list[tuple[str, str]]:
    """What is to be read, block by block; of a link its words and address."""
    said = []
    for node in tree.walk():
        if node.type in ("fence", "code_block"):
            said.append(("code", node.content.rstrip("\n")))
        elif node.type == "inline":
            shown = [_shown(piece) for piece in _pieces(node, with_marks=True)]
            said.append(("text", "".join(shown)))
    return said


def _links(tree: SyntaxTreeNode) -> bool:
    return any(node.type in ("link", "image") for node in tree.walk())


class _InlineKind(StrEnum):
    TEXT = "text"
    CODE = "code"
    BREAK = "break"
    MARK = "mark"  # of emphasis


class _Inline(NamedTuple):
    """Of a line: its text, a mark, or code without its backticks."""

    kind: _InlineKind
    content: str


def _pieces(inline: SyntaxTreeNode, *, with_marks: bool) -> Iterator[_Inline]:
    """Text that stands side by side is one: together it may be a tag. Code is kept apart."""
    pieces = [piece for node in inline.children for piece in _of(node)]
    kept = [piece for piece in pieces if with_marks or piece.kind is not _InlineKind.MARK]
    for kind, same in groupby(kept, key=lambda piece: piece.kind):
        if kind is _InlineKind.TEXT:
            yield _Inline(kind, harmless("".join(piece.content for piece in same)))
        else:
            first, *others = same
            yield first
            for piece in others:
                if kind is _InlineKind.CODE:  # backticks that touch would be one run
                    yield _Inline(_InlineKind.TEXT, " ")
                yield piece


def _of(node: SyntaxTreeNode) -> Iterator[_Inline]:
    if node.type == "text":
        yield _Inline(_InlineKind.TEXT, node.content)
    elif node.type == "code_inline":
        yield _Inline(_InlineKind.CODE, node.content)
    elif node.type in _BREAKS:
        yield _Inline(_InlineKind.BREAK, _BREAKS[node.type])
    elif node.type in _EMPHASIS:
        yield _Inline(_InlineKind.MARK, node.markup)
        for child in node.children:
            yield from _of(child)
        yield _Inline(_InlineKind.MARK, node.markup)
    else:
        words = [piece for child in node.children for piece in _of(child)]
        yield from words
        yield _Inline(_InlineKind.TEXT, _address(node, "".join(piece.content for piece in words)))


def _shown(piece: _Inline) -> str:
    if piece.kind is _InlineKind.CODE:
        return f"\0{piece.content}\0"
    return "" if piece.kind is _InlineKind.MARK else piece.content


def _address(node: SyntaxTreeNode, words: str) -> str:
    """What is said of where a link or picture leads, behind its words, unless they say it."""
    address = str(node.attrs.get("href") or node.attrs.get("src") or "")
    if not address or words == address or f"mailto:{words}" == address:
        return ""
    return f" ({address})" if words else address


@dataclass(frozen=True)
class _Writer:
    """Writes the nodes of a text whose lines are given; with `everything` without formatting."""

    lines: Sequence[str]
    everything: bool

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> str:
        """One behind the other: in lists as close as they stood, else with an empty line."""
        text = ""
        before: SyntaxTreeNode | None = None
        for node in nodes:
            if before is not None:
                text += "\n" if self._is_close(before, node) else "\n\n"
            text += self._block(node)
            before = node
        return text

    def _is_close(self, before: SyntaxTreeNode, node: SyntaxTreeNode) -> bool:
        may_be = node.type == "list_item" or (
            before.type == "paragraph" and node.type in _LISTS and node.attrs.get("start", 1) == 1
        )
        if not may_be or node.map is None or node.map[0] == 0:
            return False
        return bool(self.lines[node.map[0] - 1].strip("> \t"))

    def _block(self, node: SyntaxTreeNode) -> str:
        kinds: dict[str, Callable[[SyntaxTreeNode], str]] = {
            "heading": self._heading,
            "paragraph": self._paragraph,
            "blockquote": self._quote,
            "list_item": self._item,
            "table": self._table,
            "fence": _fence,
            "code_block": _fence,
        }
        if node.type == "hr":
            return "---"
        if node.type in _LISTS:
            return self.blocks(node.children)
        return kinds[node.type](node)

    def _heading(self, node: SyntaxTreeNode) -> str:
        text = self._inline(node).replace("\n", " ")
        if text.endswith("#"):
            text = f"{text[:-1]}\\#"
        return f"{'#' * int(node.tag[1:])} {text}"

    def _paragraph(self, node: SyntaxTreeNode) -> str:
        return "\n".join(map(begun, self._inline(node).split("\n")))

    def _quote(self, node: SyntaxTreeNode) -> str:
        lines = self.blocks(node.children).split("\n")
        return "\n".join(f"> {line}" if line else ">" for line in lines)

    def _item(self, node: SyntaxTreeNode) -> str:
        mark = f"{node.info}{node.markup}"
        first, *others = self.blocks(node.children).split("\n")
        indent = " " * (len(mark) + 1)
        return "\n".join(
            [f"{mark} {first}".rstrip(), *(f"{indent}{line}" if line else "" for line in others)]
        )

    def _table(self, node: SyntaxTreeNode) -> str:
        rows = [row for part in node.children for row in part.children]
        head, *body = [self._row(row) for row in rows]
        under = [_alignment(cell) for cell in rows[0].children]
        return "\n".join([head, f"| {' | '.join(under)} |", *body])

    def _row(self, row: SyntaxTreeNode) -> str:
        cells = [self._inline(cell).replace("|", "\\|") for cell in row.children]
        return f"| {' | '.join(cells)} |"

    def _inline(self, node: SyntaxTreeNode) -> str:
        texts: list[str] = []
        for child in node.children:
            if child.type == "inline":
                texts += map(self._written, _pieces(child, with_marks=not self.everything))
        return "".join(texts)

    def _written(self, piece: _Inline) -> str:
        if piece.kind is _InlineKind.TEXT:
            return escaped(piece.content, everything=self.everything)
        return _code_span(piece.content) if piece.kind is _InlineKind.CODE else piece.content


def _fence(node: SyntaxTreeNode) -> str:
    content = node.content.removesuffix("\n")
    mark = "`" * max(3, _longest(content) + 1)
    language = _LANGUAGE.match(node.info.strip())
    return "\n".join(_fenced(mark, language[0] if language else "", content))


def _fenced(mark: str, language: str, content: str) -> Iterator[str]:
    yield f"{mark}{language}"
    if content:
        yield content
    yield mark


def _code_span(content: str) -> str:
    runs = {len(run) for run in _BACKTICKS.findall(content)}
    mark = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    space = " " if _EDGES.search(content) else ""
    return f"{mark}{space}{content}{space}{mark}"


def _longest(content: str) -> int:
    return max(map(len, _BACKTICKS.findall(content)), default=0)


def _alignment(cell: SyntaxTreeNode) -> str:
    style = str(cell.attrs.get("style") or "")
    return {"text-align:right": "--:", "text-align:center": ":-:"}.get(style, "---")
