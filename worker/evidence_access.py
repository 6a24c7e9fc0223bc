"""Access to the evidence of saved answers: who may still see every piece of it."""

from __future__ import annotations

from collections.abc import Iterable

from core.models import Hit, Record
from core.pages import PageKey
from core.policy.acl import Reader
from core.turns import turn_store
from core.turns.turn import Turn
from worker.bootstrap import WorkerParts


def closed_evidence(
    parts: WorkerParts,
    turns: Iterable[Turn],
    reader: Reader,
) -> set[str]:
    """The ids of the evidence of these turns that the reader may not be shown any more."""
    hits: dict[str, Hit] = {}
    for turn in turns:
        for hit in turn.record.hits if turn.record else ():
            hits[hit.evidence.id] = hit
    pages: set[PageKey] = set()
    for hit in hits.values():
        pages |= _pages(hit)
    restricted = parts.evidence.for_some(pages)
    for_some = [hit for hit in hits.values() if not restricted.isdisjoint(_pages(hit))]
    confirmed = parts.pipeline.confirmer.confirmed(for_some, reader)
    return _ids(for_some) - _ids(confirmed)


def may_see_evidence(
    parts: WorkerParts,
    turn: Turn,
    record: Record,
    user: str,
) -> bool:
    """Whether every piece is still there for this person, and for all who will read it."""
    reader = parts.readers.of(turn, user)
    hits = record.hits
    if not parts.evidence.all_readable(hits, reader):
        return False
    return len(parts.pipeline.confirmer.confirmed(hits, reader)) == len(hits)


def may_see_details(
    parts: WorkerParts,
    turn: Turn,
    user: str,
) -> bool:
    """Whether this person may see all that the answer was made from.

    That is who may see each piece of it; what was asked in private is for nobody else.
    """
    if turn.record is None or (turn.private and user != turn.user):
        return False
    turns = [turn]
    completed = turn.record.completed
    # A question rewritten from the turns before it may hold titles of theirs.
    if completed.context or completed.text != completed.question:
        turns += turn_store.earlier(parts.database, turn)
    for each in turns:
        if each.record and not may_see_evidence(parts, each, each.record, user):
            return False
    return True


def _ids(hits: Iterable[Hit]) -> set[str]:
    return {hit.evidence.id for hit in hits}


def _pages(hit: Hit) -> set[PageKey]:
    """The pages that a piece and its copies give away."""
    return set().union(*(copy.pages for copy in hit.everywhere))
