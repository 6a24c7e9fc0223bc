"""Words and sentences of plain text: how long it is, and where it may be cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Chinese and Japanese have no spaces: a character counts as a word
_WORD = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
# After a full stop and before what starts a sentence; "e.g. this" and "v. 2" are not ends.
_SENTENCE_END = re.compile(r"(?<=[.!?…])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[^\sa-z])|(?<=[。！？])|\n")

LINE_BREAK = (
    "\u2028"  # a line break that the author set; newlines in the markup are only white space
)
LEAD_IN_WORDS = 30
TOLERANCE = 1.25  # a piece may grow by a quarter rather than leave a short tail


def count(text: str) -> int:
    """How many words a text has."""
    return len(_WORD.findall(text))


def collapse_whitespace(text: str) -> str:
    """One space between words, one newline per line break, no empty lines."""
    lines = [" ".join(line.split()) for line in text.split(LINE_BREAK)]
    return "\n".join(filter(None, lines))


def cut(
    paragraphs: Iterable[str],
    size: int,
) -> list[list[str]]:
    """Groups of paragraphs of about `size` words.

    A longer paragraph is cut between sentences, and a longer sentence between words.
    """
    all_parts: list[str] = []
    for paragraph in paragraphs:
        all_parts += parts(paragraph, size)
    return grouped(all_parts, size)


def parts(paragraph: str, size: int) -> list[str]:
    """A paragraph in parts of about `size` words."""
    if count(paragraph) <= size * TOLERANCE:
        return [paragraph]
    short: list[str] = []
    for sentence in sentences(paragraph):
        short += _split_words(sentence, size)
    return [" ".join(group) for group in grouped(short, size)]


def sentences(paragraph: str) -> list[str]:
    """A paragraph's sentences and lines."""
    stripped = map(str.strip, _SENTENCE_END.split(paragraph))
    return list(filter(None, stripped)) or [paragraph]


def announcement(paragraph: str) -> str:
    """What a paragraph says of what follows it: all of it, or its last sentence; or nothing."""
    if count(paragraph) <= LEAD_IN_WORDS:
        return paragraph
    sentence = sentences(paragraph)[-1]
    is_short = count(sentence) <= 2 * LEAD_IN_WORDS
    return sentence if is_short and sentence.endswith(":") else ""


def _split_words(sentence: str, size: int) -> list[str]:
    if count(sentence) <= size * TOLERANCE:
        return [sentence]
    words = [match.start() for match in _WORD.finditer(sentence)]
    starts = words[::size]
    bounds = pairwise([*starts, len(sentence)])
    return [sentence[start:end].strip() for start, end in bounds]


def grouped(
    texts: Sequence[str],
    size: int,
) -> list[list[str]]:
    """Neighbouring texts together, up to `size` words; a short tail joins the group before it."""
    groups: list[list[str]] = []
    length = 0
    for number, text in enumerate(texts):
        own = count(text)
        limit = size * TOLERANCE if number == len(texts) - 1 else size
        if groups and length + own <= limit:
            groups[-1].append(text)
            length += own
        else:
            groups.append([text])
            length = own
    return groups
