"""Postings of a term as bytes: all that a score needs of each piece, side by side.

One row of SQL for each piece would take three times as much, and a row of arrays is taken apart
one by one. Bytes that are put together in SQL are one array here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.segments.postings import FIELDS
from core.evidence.lexical.segments.terms import Arrays

# 26 bytes. With the lengths of the piece's fields: so a score asks nothing else of the piece.
RECORD = np.dtype(
    [
        ("page", "<i4"),
        ("place", "<u4"),
        ("counts", "<u2", (FIELDS,)),
        ("lengths", "<u4", (FIELDS,)),
    ]
)
PLACES = 32  # bits of a key that say which piece of its page it is

Records = NDArray[np.void]
Numbers = NDArray[np.int64]


def keys(records: Records) -> Numbers:
    """The page and the place of each piece as one number."""
    numbers: Numbers = records["page"].astype(np.int64) << PLACES | records["place"]
    return numbers


def unpacked(data: bytes | None) -> Records:
    return np.frombuffer(data or b"", RECORD)


def packed(
    found: Arrays, pages: Numbers, places: Numbers, owners: Numbers
) -> Iterator[tuple[int, int, bytes]]:
    """By the number of a term and by owner: the postings of the pieces that the owner has.

    `pages`, `places` and `owners` are those of each piece.
    """
    terms, pieces = found.keys >> 32, found.keys & 0xFFFFFFFF
    records = np.empty(len(pieces), RECORD)
    records["page"] = pages[pieces]
    records["place"] = places[pieces]
    records["counts"] = found.counts
    records["lengths"] = found.lengths[pieces]
    order = np.lexsort((owners[pieces], terms))
    terms, of, records = terms[order], owners[pieces][order], records[order]
    is_next = (np.diff(terms, prepend=-1) != 0) | (np.diff(of, prepend=-1) != 0)
    starts = np.flatnonzero(is_next).tolist()
    for start, end in zip(starts, [*starts[1:], len(records)], strict=True):
        yield int(terms[start]), int(of[start]), records[start:end].tobytes()
