"""Whole pages as context: the best pieces found, each with the rest of its page.

A finding and its limits stand in different paragraphs of a report, and a fragment has only one of
them. The rest of a page is the block of its best piece, and its other pieces are no hits of their
own: so an ablation takes a page away as a whole. `worker.prompting.context_window` decides how
much of it fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.evidence.blocks import Blocks
from core.models import Evidence, Hit, Kind
from core.pages import PageKey
from core.policy.acl import Reader
from core.question import Completed

PAGES = 3  # read as a whole; what is found on others stays the piece that it is
PIECES = 100  # of a page beside the best one, the nearest: about 8,000 words


class WholePages:
    """Adds the rest of their pages to the best hits."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def expand(self, _completed: Completed, hits: Sequence[Hit], reader: Reader) -> tuple[Hit, ...]:
        """One hit for each of the best pages, in the order of their best pieces."""
        best = _best(hits)
        pages = self._blocks.pieces(best.keys(), reader)
        return tuple(_expanded(hits, best, pages))


def _best(hits: Sequence[Hit]) -> dict[PageKey, Hit]:
    """The best hit of each of the best pages; what is known of people is on no page."""
    found: dict[PageKey, Hit] = {}
    for hit in hits:
        if hit.evidence.kind is not Kind.PLACE and len(found) < PAGES:
            found.setdefault(hit.page.key, hit)
    return found


def _expanded(
    hits: Sequence[Hit],
    best: dict[PageKey, Hit],
    pages: dict[PageKey, list[Evidence]],
) -> Iterator[Hit]:
    for hit in hits:
        if hit.evidence.kind is Kind.PLACE or hit.page.key not in best:
            yield hit
        elif hit is best[hit.page.key]:
            rest = tuple(_rest(hit, pages[hit.page.key]))
            yield hit.model_copy(update={"block": rest, "whole_page": True})


def _rest(hit: Hit, pieces: Sequence[Evidence]) -> list[Evidence]:
    """What else is on the page, in its order; rows stand in their tables already.

    Nothing if the page has changed meanwhile, and no piece that fewer people may read.
    """
    own = hit.evidence
    if own.id not in {piece.id for piece in pieces}:
        return []
    others = [piece for piece in pieces if _adds(piece, own)]
    nearest = sorted(others, key=lambda piece: abs(piece.position - own.position))
    return sorted(nearest[:PIECES], key=lambda piece: piece.position)


def _adds(piece: Evidence, own: Evidence) -> bool:
    is_other = piece.id != own.id and piece.kind is not Kind.ROW
    return is_other and piece.acl_id == own.acl_id
