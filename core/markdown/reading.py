"""Reads Markdown as CommonMark does, with tables and strikethrough of GitHub's.

What only hides an address is not read: reference links stay text, HTML too. Underlines make no
heading, since a text that grows would change what it has shown.
Specifications: spec.commonmark.org/0.31.2, github.github.com/gfm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

MOST_NESTED = 60
MAY_HOLD_CODE = re.compile(r"`|~~~|\t|    ")
# A run of backticks, and the next one of the same length: CommonMark, 6.1.
_CODE_SPAN = re.compile(r"(?<![\\`])(`+)(?!`)(?:.*?[^`])\1(?!`)", re.DOTALL)

Range = tuple[int, int]


def read(markdown: str) -> SyntaxTreeNode:
    """The tree of a text."""
    return SyntaxTreeNode(_reader().parse(markdown))


def code_ranges(markdown: str) -> list[Range]:
    """Where code stands, fences and backticks included: first character, and the one behind it.

    >>> code_ranges("run `a[1]` [2]")
    [(4, 10)]
    """
    if not MAY_HOLD_CODE.search(markdown):
        return []
    lines = [len(line) for line in markdown.splitlines(keepends=True)]
    starts = [0, *accumulate(lines)]
    ranges: list[Range] = []
    for token in _reader().parse(markdown):
        if token.map and token.type in ("fence", "code_block", "inline"):
            first, last = (starts[min(line, len(lines))] for line in token.map)
            # The cells of a row have its lines, each of them: what comes next stands behind.
            done = ranges[-1][1] if ranges else 0
            ranges += _of_token(token, markdown, max(first, done), last)
    return ranges


def outside(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text in parts, one behind the other, each with whether it is code."""
    end = 0
    for first, last in code_ranges(markdown):
        yield markdown[end:first], False
        yield markdown[first:last], True
        end = last
    yield markdown[end:], False


def _of_token(token: Token, markdown: str, first: int, last: int) -> Iterator[Range]:
    if token.type != "inline":
        yield first, last
        return
    count = sum(child.type == "code_inline" for child in token.children or ())
    spans = [match.span() for match in _CODE_SPAN.finditer(markdown, first, last)]
    yield from spans[:count]


@cache
def _reader() -> MarkdownIt:
    options = {"html": False, "maxNesting": MOST_NESTED}
    reader = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    return reader.disable(["reference", "lheading"])
