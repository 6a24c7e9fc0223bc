"""The passage that a claim is read beside: of all that is cited, what lies nearest to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np

from core.embeddings import Vectors
from worker.support.nearness import Nearness
from worker.support.statements import PageStatement

MOST = 720  # characters: as much as the reader of claims reads
# How much nearer a statement is that has the claim's numbers, which meaning hardly sees.
HAS_NUMBERS = 0.15
_NUMBER = re.compile(r"\d+")


def passage(claim: str, near: Nearness) -> str:
    """The nearest statements in the order of the pages, under the titles and headings they have.

    Several, since a claim may join what stands in two places, and since what a statement means is
    often said by those beside it.
    """
    if not near.statements:
        return ""
    chosen: list[int] = []
    for place in np.argsort(-_nearness(claim, near), kind="stable"):
        if _is_among(near.statements[place], [near.statements[each] for each in chosen]):
            continue
        more = sorted([*chosen, place])
        if chosen and len(_written([near.statements[each] for each in more])) > MOST:
            break
        chosen = more
    return _written([near.statements[each] for each in chosen])


def _nearness(claim: str, near: Nearness) -> Vectors:
    wanted = frozenset(_NUMBER.findall(claim))
    found = near.of(claim)
    if not wanted:
        return found
    shares = [len(wanted & frozenset(_NUMBER.findall(each.whole))) for each in near.statements]
    return found + np.array(shares, np.float32) * np.float32(HAS_NUMBERS / len(wanted))


def _is_among(one: PageStatement, others: Sequence[PageStatement]) -> bool:
    """Whether it is there already: a piece has the ends of the pieces beside it, cut to fit."""
    bare = one.text.strip("… ")
    return not bare or any(bare in other.text for other in others)


def _written(statements: Sequence[PageStatement]) -> str:
    return " ".join(_lines(statements))


def _lines(statements: Sequence[PageStatement]) -> Iterator[str]:
    """Each under what stands above it and not above the one before."""
    above: list[str] = []
    for each in statements:
        own = each.context.split(". ")
        is_new = False
        for part, known in zip_longest(own, above):
            is_new = is_new or part != known
            if is_new and part:
                yield f"{part}."
        above = own
        yield each.text
