"""Versions: what is said of another one than the question names is quoted later.

The firmware of the tests of 6.0 is no answer to who asks for those of 7.0, although their page has
all of the question's other words.
"""

from __future__ import annotations

import re

from core.evidence.spans import Span

# "7.0", "v1.8.3", "version 5"; not a date, and no figure with a unit of letters.
_VERSION = re.compile(
    r"(?<![\w.,-])(?:(?:version|release|v)\s?(\d+)(?![\w.,]\d)|v?(\d+(?:\.\d+)+))(?!\w|[.,]\d)",
    re.IGNORECASE,
)


def is_of_another(span: Span, question: str) -> bool:
    """Whether the span's title and headings name versions, and none that the question names."""
    asked = _versions(question)
    if not asked:
        return False
    named = _versions(" ".join([span.hit.page.title, *span.hit.evidence.heading_path]))
    return bool(named) and not any(_is_same(one, other) for one in asked for other in named)


def _versions(text: str) -> set[tuple[str, ...]]:
    return {tuple((one or other).split(".")) for one, other in _VERSION.findall(text)}


def _is_same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """`6` may be `6.0.1`."""
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]
