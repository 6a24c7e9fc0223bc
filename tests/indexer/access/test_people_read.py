"""People read: whoever has left a group is asked about again for what they were shown."""

from __future__ import annotations

from closable import Closable
from sqlmodel import select
from wiki import key

from core.access import confirmations
from core.page_source import Account
from core.pages import CONFLUENCE
from core.policy import acl
from core.storage.access_tables import ConfirmationRow, TurnPageRow
from core.storage.database import Database
from core.storage.tables import ThreadRow, TurnRow
from indexer.access.permissions import read_people

PEOPLE = "group:people"
INES, BEN = Account("user:ines", "Ines"), Account("user:ben", "Ben")


class Grouped(Closable):
    """A source with one group."""

    def __init__(self) -> None:
        super().__init__()
        self.people = [INES, BEN]

    def members(self, group: str) -> list[Account]:
        return self.people if group == PEOPLE else []

    def accounts(self, principals: object) -> list[Account]:
        del principals
        return []


def shown(database: Database, audience: str) -> None:
    with database.session() as session:
        thread = ThreadRow(team="T1", channel="D1", thread_ts=audience)
        session.add(thread)
        session.flush()
        turn = TurnRow(
            thread_id=thread.id, team="T1", channel="D1", ts=audience, user="U1", question="?"
        )
        session.add(turn)
        session.flush()
        row = TurnPageRow(turn_id=turn.id, source=CONFLUENCE, page_id="7", audience=audience)
        session.add(row)


def test_what_somebody_was_shown_who_left_a_group_is_in_doubt(database: Database) -> None:
    with database.session() as session:
        acl.save(session, frozenset({frozenset({PEOPLE})}))
    source = Grouped()
    read_people(source, database)  # type: ignore[arg-type]
    for account in (INES, BEN):
        shown(database, account.id)
    read_people(source, database)  # type: ignore[arg-type]
    assert confirmations.of_pages(database, BEN.id, [key("7")]) == {}
    source.people = [INES]
    read_people(source, database)  # type: ignore[arg-type]
    with database.reading() as session:
        rows = session.exec(select(ConfirmationRow)).all()
    assert [(row.audience, row.allowed) for row in rows] == [(BEN.id, False)]
