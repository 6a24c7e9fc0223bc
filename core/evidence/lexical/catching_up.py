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
from core.storage.index_epoch import KEPT, is_of_this_history, leave_epoch
from core.storage.index_tables import IndexRow, PageRow

log = logs.get(__name__)


def catch_up(database: Database, lexical: LexicalIndex) -> IndexRow | None:
    """Bring the lexical index of this process to the revision of SQL, or beyond.

    Returns what SQL says of the index; None before the first sync. What is in memory is looked at
    before SQL is: so SQL knows its revision, whatever another thread brings in meanwhile.
    """
    while True:
        known = lexical.snapshot
        with database.reading() as session:
            state = session.get(IndexRow, 1)
            if state is None or state.engine != EvidenceEngine.HOST:
                if state is not None:
                    lexical.leave()  # another engine has the words where it is in force
                return state
            is_lost = _is_lost(session, state, known)
        if is_lost:
            leave_epoch(database, state.identity)
            continue
        if lexical.lacks_codes(state):
            lexical.beside(lambda: _recode(database, lexical))
        is_behind = not known.is_at(state) or lexical.has_been_exchanged
        if is_behind and not _advanced(database, lexical, may_build=False):
            with lexical.building():
                _advanced(database, lexical, may_build=True)
        if lexical.is_beyond(state):
            lexical.merge_what_is_old()
            return state


def _advanced(database: Database, lexical: LexicalIndex, *, may_build: bool) -> bool:
    """Whether there was something to go on from; where not, it is all made anew if it may be.

    Nothing is brought in where another thread was faster: whoever asks looks again.
    """
    known, exchanged = lexical.snapshot, lexical.exchanged()
    with database.reading() as session:
        state = session.get_one(IndexRow, 1)
        usable = (each for each in (exchanged, known) if each and _is_usable(session, state, each))
        start = next(usable, None)
        if start is None and not may_build:
            return False
        since = start.revision if start else -1
        coder = start.coder if start else lexical.coder(state)
        lexical.catch_up(
            entries(session, _changed(session, since), coder),
            identity=state.identity,
            since=since,
            revision=state.revision,
            mark=state.mark,
            coder=coder,
            start=start,
            known=known,
        )
    return True


def _recode(database: Database, lexical: LexicalIndex) -> None:
    """Codes of other vectors, beside those in use: until then pieces are found by words alone."""
    try:
        with database.reading() as session:
            state = session.get_one(IndexRow, 1)
            pages = entries(session, _changed(session, -1), lexical.coder(state))
            lexical.make_anew(pages, state)
    except SQLAlchemyError as error:  # a later search tries it again
        log.warning("lexical.not_recoded", error=str(error))


def _changed(session: Session, since: int) -> list[PageKey]:
    query = select(PageRow.source, PageRow.id).where(PageRow.revision > since)
    return [PageKey(*found) for found in session.exec(query).all()]


def _is_usable(session: Session, state: IndexRow, snapshot: Snapshot) -> bool:
    """Whether it is of this index, as SQL remembers it."""
    since = revision_of(snapshot, state.identity)
    return since >= 0 and is_of_this_history(session, since, snapshot.mark)


def _is_lost(session: Session, state: IndexRow, known: Snapshot) -> bool:
    """Whether SQL has another history than this: a backup was put back.

    What is too far behind for SQL to remember is only made anew here.
    """
    since = revision_of(known, state.identity)
    if since < 0 or since <= state.revision - KEPT:
        return False
    return not is_of_this_history(session, since, known.mark)
