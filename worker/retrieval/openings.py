"""Brings in the opening of a page where a question asks only what the thing of its title is."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence.blocks import Blocks
from core.models import Hit
from core.policy.acl import Reader
from worker.text.openings import asks_what_it_is, opening


class Openings:
    """Puts the opening of the best page before what was found of it."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def before(self, hits: Sequence[Hit], question: str, reader: Reader) -> tuple[Hit, ...]:
        """The hits as they are where something else is asked, or the page has no opening."""
        if not hits or not asks_what_it_is(question, hits[0].page):
            return tuple(hits)
        first = hits[0]
        pieces = self._blocks.pieces([first.page.key], reader)[first.page.key]
        found = opening(pieces)
        if found is None:
            return tuple(hits)
        known = [hit for hit in hits if hit.evidence.id == found.id]
        put = first.model_copy(update={"evidence": found, "copies": (), "block": ()})
        others = [hit for hit in hits if hit.evidence.id != found.id]
        return (*(known or [put]), *others)
