"""A judge of Markdown: a reader of CommonMark that knows more than ours.

It reads HTML, reference links and underlines, too.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

JUDGE = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])
FOREIGN = {"link_open", "image", "html_inline", "html_block"}
SPECIAL = "channel|here|everyone|subteam|date"
SLACK_TAG = re.compile(rf"<(?:!(?:{SPECIAL})|[@#][A-Z0-9]|[A-Za-z][\w+.-]*:(?!:))")
CALL = re.compile(r"(?<!\w)@(?:here|channel|everyone)\b")


def tokens(markdown: str) -> list[Token]:
    found = []
    for block in JUDGE.parse(markdown):
        found += [block, *(block.children or ())]
    return found


def code_of(markdown: str) -> list[str]:
    kinds = {"fence", "code_block", "code_inline"}
    return [each.content.rstrip("\n") for each in tokens(markdown) if each.type in kinds]


def text_of(markdown: str) -> str:
    return " ".join(each.content for each in tokens(markdown) if each.type == "text")


def is_harmless(markdown: str) -> bool:
    text = text_of(markdown)
    foreign = {each.type for each in tokens(markdown)} & FOREIGN
    return not foreign and not SLACK_TAG.search(text) and not CALL.search(text)
