"""The migration that drops columns which nobody read: old rows keep everything else."""

from __future__ import annotations

from old_tables import upgraded
from sqlmodel import select

from core.manner import Length
from core.policy import preferences
from core.storage.index_tables import SpaceRow
from core.storage.tables import ThreadRow

OLD_ROWS = (
    "INSERT INTO thread (id, team, channel, thread_ts, created_at)"
    " VALUES ('t', 'T1', 'C1', '1.0', 5.0)",
    "INSERT INTO preferences (team, owner, record, changed_by, changed_at)"
    """ VALUES ('T1', 'C1', '{"length": "long"}', 'U1', 5.0)""",
    "INSERT INTO space (key, name, readers, read_at) VALUES ('ENG', 'Engineering', '[]', 5.0)",
)


def test_rows_of_before_survive_without_them(empty_url: str) -> None:
    with upgraded(empty_url, "0008", OLD_ROWS) as database:
        with database.reading() as session:
            (thread,) = session.exec(select(ThreadRow)).all()
            (space,) = session.exec(select(SpaceRow)).all()
        chosen = preferences.load(database, "T1", "C1")
    assert (thread.id, thread.thread_ts) == ("t", "1.0")
    assert (space.key, space.name, space.readers) == ("ENG", "Engineering", [])
    assert chosen.length is Length.LONG
