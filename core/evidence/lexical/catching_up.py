"""Brings the lexical index of a process to what SQL has now."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, select

from core import logs
from core.evidence.lexical.entries import entries
from core.evidence.lexical.index import LexicalIndex, revision_of
from core.evidence.lexical.snapshot import Snapshot
from core.pages import PageKey
from core.settings.values import EvidenceEngine
from core.storage.database import Database
from core.storage.index_epoch import is_of_this_history, leave_epoch
from core.storage.index_tables import IndexRow, PageRow

log = logs.get(__name__)


def catch_up(database: Database, lexical: LexicalIndex) -> IndexRow | None:
    """Bring the lexical index of this process to the revision of SQL.

    Returns what SQL says of the index; None before the first sync.
    """
    with database.reading() as session:
        state = session.get(IndexRow, 1)
        if state is None or state.engine != EvidenceEngine.HOST:
            return state  # another engine has the words where it is in force
        since = lexical.revision(state.identity)
        is_lost = since >= 0 and not is_of_this_history(session, since, lexical.snapshot.mark)
    if is_lost:
        leave_epoch(database, state.identity)
    elif since >= 0 and lexical.lacks_codes(state):
        lexical.beside(lambda: _recode(database, lexical))
        return _caught_up(database, lexical)
    elif lexical.is_at(state):
        return state
    elif since >= 0:
        return _caught_up(database, lexical)
    with lexical.building():
        return _caught_up(database, lexical)


def _caught_up(database: Database, lexical: LexicalIndex) -> IndexRow:
    exchanged = lexical.exchanged()
    with database.reading() as session:
        state = session.get_one(IndexRow, 1)
        start = _start(session, state, exchanged)
        if start is None and lexical.is_at(state):
            return state
        since = start.revision if start else lexical.revision(state.identity)
        coder = (start or lexical.snapshot).coder if since >= 0 else lexical.coder(state)
        lexical.catch_up(
            entries(session, _changed(session, since), coder),
            identity=state.identity,
            since=since,
            revision=state.revision,
            mark=state.mark,
            coder=coder,
            start=start,
        )
    return state


def _recode(database: Database, lexical: LexicalIndex) -> None:
    """Codes of other vectors, beside those in use: until then pieces are found by words alone."""
    try:
        with database.reading() as session:
            state = session.get_one(IndexRow, 1)
            pages = entries(session, _changed(session, -1), lexical.coder(state))
            lexical.make_anew(pages, state)
    except SQLAlchemyError as error:  # the next search tries it again
        log.warning("lexical.not_recoded", error=str(error))


def _changed(session: Session, since: int) -> list[PageKey]:
    query = select(PageRow.source, PageRow.id).where(PageRow.revision > since)
    return [PageKey(*found) for found in session.exec(query).all()]


def _start(session: Session, state: IndexRow, exchanged: Snapshot | None) -> Snapshot | None:
    """What another process has made, where it is of this index."""
    if exchanged is None or revision_of(exchanged, state.identity) < 0:
        return None
    is_ours = is_of_this_history(session, exchanged.revision, exchanged.mark)
    return exchanged if is_ours else None
