"""Page edges: sentences that stand at the beginning or the end of many pages are boilerplate.

Templates put them there: who keeps a page, whom to ask, under which licence it stands. In the
middle of pages the same words may be what is asked for: sister pages share whole procedures.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.sentence_ends import SENTENCE_END

LINES = 2  # at either end of a page
MANY = 6  # pages: copies and editions of one page are fewer

Keys = tuple[int, ...]


def edges(texts: Sequence[str]) -> Keys:
    """The keys of the sentences at the ends of a page, whose pieces are given in their order."""
    lines: list[str] = []
    for text in (*texts[:LINES], *texts[-LINES:]):
        lines += text.splitlines()[:LINES] + text.splitlines()[-LINES:]
    kept = [*lines[:LINES], *lines[-LINES:]]
    return tuple({key(sentence) for line in kept for sentence in SENTENCE_END.split(line)})


def key(sentence: str) -> int:
    """The same for a sentence wherever it stands."""
    folded = " ".join(sentence.casefold().split())
    return int.from_bytes(blake2b(folded.encode(), digest_size=6).digest())


def repeated(keys: NDArray[np.uint64]) -> frozenset[int]:
    """The keys that stand at the ends of many pages; given are those of each page, each once.

    >>> pages = [edges([f"Page {n}", "Ask the desk."]) for n in range(MANY)]
    >>> repeated(np.concatenate(pages)) == {key("Ask the desk.")}
    True
    """
    found, pages_with = np.unique(keys, return_counts=True)
    return frozenset(found[pages_with >= MANY].tolist())
