"""The conversation of a turn: what was asked and answered before it, as far as it may be used."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from core.pages import PageKey
from core.policy.acl import Reader
from core.turns import turn_store
from core.turns.turn import Turn
from worker.bootstrap import WorkerParts
from worker.evidence_access import open_pages
from worker.question.rewrite import Past


def history(
    parts: WorkerParts,
    turn: Turn,
    reader: Reader,
) -> list[Past]:
    """The earlier turns of the thread, for query rewriting.

    Of an answer from pages that are closed now, or that could not be asked about, only the
    question; its title where that page is open.
    """
    turns = turn_store.earlier(parts.database, turn)
    if not turn.filtered:  # the same question once more: it stands where it was first asked
        turns = tuple(takewhile(lambda earlier: earlier.question != turn.question, turns))
    allowed = open_pages(parts, turns, reader)
    past = [_past(parts, earlier, reader, allowed) for earlier in turns]
    # A suggestion that somebody has pressed is a question that names pages.
    return [each for each in past if each.origin <= allowed]


def _past(
    parts: WorkerParts,
    turn: Turn,
    reader: Reader,
    allowed: frozenset[PageKey],
) -> Past:
    record = turn.record
    own = turn.question_shows.pages
    if record is None:
        return Past(turn.question, pages=own, origin=own)
    past = Past.of(turn.question, record).asked_with(own)
    if not past.page <= allowed or not parts.evidence.all_readable(record.hits, reader):
        return Past.closed(turn.question, record).asked_with(own)
    if record.pages <= allowed:
        return past
    return replace(past, answer="", pages=past.page | past.origin)
