"""Access to the evidence of saved answers: who may still see every piece of it."""

from __future__ import annotations

from collections.abc import Sequence

from core.access.authorizer import OF_HISTORY
from core.models import Record
from core.pages import PageKey
from core.policy.acl import Reader
from core.turns import turn_store
from core.turns.turn import Turn
from worker.bootstrap import WorkerParts
from worker.question.rewrite import Past


def open_pages(
    parts: WorkerParts,
    turns: Sequence[Turn],
    reader: Reader,
) -> frozenset[PageKey]:
    """The pages behind these turns' answers that the reader may be shown now.

    Without a witness only a few can be asked about: the first source of the last answers first.
    """
    first: list[PageKey] = []
    others: list[PageKey] = []
    for turn in reversed(turns):
        if turn.record:
            past = Past.of(turn.question, turn.record)
            first += sorted(past.page | past.origin | turn.question_shows.pages)
            others += sorted(turn.record.pages)
    return parts.authorizer.check([*first, *others], reader, most=OF_HISTORY).allowed


def may_see_evidence(
    parts: WorkerParts,
    turn: Turn,
    record: Record,
    user: str,
) -> bool:
    """Whether every piece is still there for this person, and for all who will read it."""
    reader = parts.readers.of(turn, user)
    if not parts.evidence.all_readable(record.hits, reader):
        return False
    return record.pages <= parts.authorizer.check_all(record.pages, reader).allowed


def may_be_told(
    parts: WorkerParts,
    turn: Turn,
    user: str,
) -> bool:
    """Whether somebody who is asked for help with this turn may read all of its pages.

    Also in private, where the author of the question has it handed over.
    """
    return turn.record is not None and may_see_evidence(parts, turn, turn.record, user)


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
    if completed.context or completed.is_changed:
        turns += turn_store.earlier(parts.database, turn)
    for each in turns:
        if each.record and not may_see_evidence(parts, each, each.record, user):
            return False
    return True
