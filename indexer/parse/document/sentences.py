"""Words and sentences of plain text: how long it is, and where it may be cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(
    rf"[{_CJK}]|[^\s{_CJK}]+"
)  # Chinese and Japanese have no spaces: a character counts as a word
# After a full stop and before something that starts a sentence; "e.g. this" and "v. 2" are not ends.
_SENTENCE_END = re.compile(r"(?<=[.!?…])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[^\sa-z])|(?<=[。！？])|\n")

BREAK = "\u2028"  # a line break that the author set; newlines in the markup are only white space
SLACK = 1.25  # a piece may grow by a quarter rather than leave a tail behind


def count(text: str) -> int:
    """How many words a text has."""
    return len(_WORD.findall(text))


def tidy(text: str) -> str:
    """One space between words, one newline per line break, no empty lines."""
    lines = [" ".join(line.split()) for line in text.split(BREAK)]
    return "\n".join(filter(None, lines))


def cut(paragraphs: Iterable[str], size: int) -> list[list[str]]:
    """Groups of paragraphs of about `size` words; a longer paragraph is cut between sentences, and a longer sentence between words."""
    return grouped([part for paragraph in paragraphs for part in parts(paragraph, size)], size)


def parts(paragraph: str, size: int) -> list[str]:
    """A paragraph in parts of about `size` words."""
    if count(paragraph) <= size * SLACK:
        return [paragraph]
    chopped = [part for sentence in sentences(paragraph) for part in _chopped(sentence, size)]
    return [" ".join(group) for group in grouped(chopped, size)]


def sentences(paragraph: str) -> list[str]:
    """A paragraph's sentences and lines."""
    return [found for part in _SENTENCE_END.split(paragraph) if (found := part.strip())] or [
        paragraph
    ]


def _chopped(sentence: str, size: int) -> list[str]:
    if count(sentence) <= size * SLACK:
        return [sentence]
    starts = [match.start() for match in _WORD.finditer(sentence)][::size]
    return [
        sentence[start:end].strip()
        for start, end in zip(starts, [*starts[1:], len(sentence)], strict=True)
    ]


def grouped(texts: Sequence[str], size: int) -> list[list[str]]:
    """Neighbouring texts together, as long as they stay within `size` words; a short tail joins the group before it."""
    groups: list[list[str]] = []
    length = 0
    for number, text in enumerate(texts):
        own = count(text)
        limit = size * SLACK if number == len(texts) - 1 else size
        if groups and length + own <= limit:
            groups[-1].append(text)
            length += own
        else:
            groups.append([text])
            length = own
    return groups
