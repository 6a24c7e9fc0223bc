"""Revisions of the index, each with a mark of its own, and the epoch that they are counted in.

Whoever holds a cache of the index remembers the revision that it was made from. After a restore the
same number may stand for something else. So every revision gets a random mark, and the database
remembers the marks of the last ones: a cache that is of none of them is of another history. It is
told by a new epoch, the index's `identity`, which all caches go by.
"""

from __future__ import annotations

import secrets

from sqlmodel import Session, col, delete, update

from core.storage.database import Database, take_turns
from core.storage.index_tables import IndexRow, RevisionRow
from core.storage.tables import new_id

KEPT = 10_000  # marks; a cache that is further behind is made anew, which takes hardly longer


def locked_state(session: Session) -> IndexRow:
    """The index's row, which nobody else can change before this transaction ends."""
    take_turns(session, "index")  # of two who find no row both would add one
    state = session.get(IndexRow, 1, with_for_update=True) or IndexRow()
    state.identity = state.identity or new_id()
    session.add(state)
    return state


def next_revision(session: Session) -> IndexRow:
    """The index's row, locked, at a new revision: whatever this transaction changes is of that."""
    state = locked_state(session)
    state.revision += 1
    state.mark = secrets.token_hex(8)
    session.add(RevisionRow(revision=state.revision, mark=state.mark))
    session.exec(delete(RevisionRow).where(col(RevisionRow.revision) <= state.revision - KEPT))
    return state


def is_of_this_history(session: Session, revision: int, mark: str) -> bool:
    """Whether the index was once at this revision, as far as is remembered."""
    row = session.get(RevisionRow, revision)
    return (row.mark if row else "") == mark


def new_epoch(session: Session) -> None:
    """Have every cache of the index made anew, and the vectors: for a database that was restored.

    Does nothing before the first sync.
    """
    if session.get(IndexRow, 1):
        next_revision(session).identity = new_id()


def leave_epoch(database: Database, identity: str) -> None:
    """A new epoch, unless somebody else has noticed the same and begun one."""
    known = update(IndexRow).where(col(IndexRow.identity) == identity)
    with database.session() as session:
        session.exec(known.values(identity=new_id()))
