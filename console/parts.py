"""What the console is made of: the database, settings, whom to ask who may read a page, an encoder.

Whoever builds it hands in what lives in other programs: the doctor's findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from core.access.authorizer import Authorizer
from core.embeddings import Vectors
from core.manner import Manner
from core.models import Page, Record
from core.pages import PageKey
from core.policy import acl, people
from core.policy.acl import EVERYBODY, Reader
from core.settings import Settings
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page


@dataclass(frozen=True)
class Ailment:
    """Something that is not well, as `groundwire doctor` says it, with its cure."""

    state: str  # ok, warning, wrong, not tried
    says: str
    cure: str


@dataclass(frozen=True)
class ConsoleParts:
    """All that rooms work with."""

    settings: Settings
    database: Database
    control: Authorizer
    embed: Callable[[Sequence[str]], Vectors]
    look: Callable[[], Sequence[Ailment]]  # takes seconds
    # The account that somebody has linked, by workspace and person; empty without one.
    linked: Callable[[str, str], str]
    # Answers a question as everybody may ask it, in this manner, by a model or without one.
    again: Callable[[str, Manner, bool], Record]

    def readable(self, pages: Iterable[PageKey], reader: Reader) -> Mapping[PageKey, Page]:
        """Those of the pages that the reader may read, as their site says now."""
        wanted = set(pages)
        with self.database.reading() as session:
            indexed = select(PageRow).where(
                is_page(wanted), col(PageRow.visible), col(PageRow.acl_id).in_(reader.acls)
            )
            rows = session.exec(indexed).all() if wanted else []
        found = {row.key: Page.model_validate(row.record) for row in rows}
        allowed = self.may_read(found, reader)
        return {key: page for key, page in found.items() if key in allowed}

    def may_read(self, pages: Iterable[PageKey], reader: Reader) -> frozenset[PageKey]:
        """Which of them the reader may read; none of those about which nobody can be asked."""
        wanted = list(pages)
        return self.control.check_all(wanted, reader).allowed if wanted else frozenset()

    def reader(self, who: str) -> Reader:
        """Somebody who has signed in, as TEAM/USER, with the account that they have linked.

        Everybody, for whoever came by a link, has linked none, or is no member by Slack's word.
        """
        team, _, user = who.partition("/")
        is_member = bool(user) and people.is_member(self.database, team, user)
        account = self.linked(team, user) if is_member else ""
        return acl.reader(self.database, account) if account else EVERYBODY
