"""Markdown that grows: the part of it that more text will leave as it is."""

from __future__ import annotations

import re

from markdown_it.tree import SyntaxTreeNode

from core.markdown.reading import read
from core.markdown.writing import neutral

# A last line that may become the mark of something: a list, a heading, a quote, a fence, a row.
_BEGUN = re.compile(
    r"(?:^|\n)[ \t>]*(?:(?:[-+*]|\d{1,9}[.)]?|#{1,6}|=+|-+|`+|~+)?[ \t]*|\|[^\n]*)\Z"
)
# In the last block: marks that something may still close, and what is not closed itself.
_OPEN = re.compile(
    r"\\[*_~`]"
    r"|\[(?:[^\]\n]{0,80}|[^\]\n]{0,80}\]|[^\]\n]{0,80}\\?\]\([^)\n]*)\Z"
    r"|\\?[<‹][^\s>]*\Z|&#?\w*\Z|@\w{0,8}\Z|\\\Z|[*_~`!]+\Z|\s+\Z"
)


def neutral_so_far(markdown: str) -> str:
    """With this `neutral` of the whole text will begin, if the text goes on as most do.

    Emphasis that is closed much later may change what stands before it.

    >>> neutral_so_far("See **bold** and *ital"), neutral_so_far("Ask <!chan")
    ('See **bold** and ', 'Ask ')
    """
    begun = _BEGUN.search(markdown)
    text = markdown[: begun.start()] if begun else markdown
    last = _last(read(text))
    written = neutral(text)
    if last is None:
        return written
    if last.type in ("fence", "code_block"):
        return _without_fence(written, text)
    if last.type != "inline":
        return written
    start = max(written.rfind("\n\n"), 0)
    if open_ := _OPEN.search(written, start):
        written = written[: open_.start()]
    return written


def _last(tree: SyntaxTreeNode) -> SyntaxTreeNode | None:
    """The block, or the text of one, with which the tree ends."""
    while tree.children and tree.type != "inline":
        tree = tree.children[-1]
    return None if tree.is_root else tree


def _without_fence(written: str, text: str) -> str:
    """Without the mark that closes the code, and without its last line: both may go on."""
    is_closed = re.search(r"\n[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z", text.rstrip("\n"))
    return written if is_closed else written.rpartition("\n")[0]
