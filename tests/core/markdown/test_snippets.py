"""Code goes through unchanged: lines of real programs, and marks in any order.

By hand: SNIPPETS=100000 python -m pytest tests/core/markdown/test_snippets.py
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from markdown_it import MarkdownIt

from core.markdown.writing import neutral

SNIPPETS = int(os.environ.get("SNIPPETS", "2000"))
MARKS = "`~[](){}<>|&!@#*_-+=\\/'\"$:; \tab1"
AROUND = ("{}", "Text [1].\n\n{}\n\nmore", "- a\n\n{}", "1. {}")
JUDGE = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])


def code_of(markdown: str) -> list[str]:
    blocks = JUDGE.parse(markdown)
    tokens = [token for block in blocks for token in (block, *(block.children or ()))]
    kinds = ("fence", "code_block", "code_inline")
    return [token.content.rstrip("\n") for token in tokens if token.type in kinds]


def snippets(chance: random.Random) -> Iterator[str]:
    """Lines of Python's own library, and marks."""
    library = Path(os.__file__).parent
    lines = [
        line.replace("\x0c", "").replace("\0", "")
        for path in sorted(library.glob("*.py"))
        for line in path.read_text(encoding="utf-8", errors="ignore").split("\n")
    ]
    for number in count():
        if number % 2:
            start = chance.randrange(len(lines) - 12)
            yield "\n".join(lines[start : start + chance.randint(1, 10)])
        else:
            yield "".join(chance.choice(MARKS + "\n") for _ in range(chance.randint(1, 90)))


def unused_run(code: str, least: int) -> str:
    runs = {len(run) for run in re.findall("`+", code)}
    return "`" * next(n for n in count(least) if n not in runs)


def in_a_fence(code: str) -> str:
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{code}\n{fence}"


def test_code_in_equals_code_out() -> None:
    chance = random.Random(5)
    for _, code in zip(range(SNIPPETS), snippets(chance), strict=False):
        if chance.random() < 0.5:
            markdown = chance.choice(AROUND[:3]).format(in_a_fence(code))
            assert code_of(neutral(markdown)) == [code.rstrip("\n")], markdown
        else:
            line = " ".join(code.split("\n"))
            mark = unused_run(line, 1)
            markdown = chance.choice(AROUND).format(f"Run {mark} {line} {mark} now [1].")
            assert code_of(neutral(markdown)) == code_of(markdown), markdown
