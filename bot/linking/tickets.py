"""Tickets: what lets a browser go on for one person in Slack, once and for ten minutes.

Sealed with the operator's token keys, so that several processes know them and nobody else makes
one; SQL remembers those that were used.
"""

from __future__ import annotations

import secrets
from enum import StrEnum
from hashlib import sha256

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete

from core.access.token_keys import TokenKeys, Unreadable
from core.storage import clock
from core.storage.access_tables import UsedTicketRow
from core.storage.database import Database
from core.value import Value

VALID_S = 600


class LinkStep(StrEnum):
    """What a ticket lets a browser do; none is good for another step."""

    START = "start"  # from Home
    FORM = "form"  # from our page, in the same browser
    CALLBACK = "callback"  # from Atlassian, in the same browser: the `state` of OAuth 2.0
    INSTALL = "install"  # from Slack, in the same browser; it is for nobody in particular


class Ticket(Value):
    """For whom an account is to be linked."""

    step: LinkStep
    team: str
    user: str
    id: str
    browser: str = ""  # a hash of its cookie


class TicketRefused(Exception):
    """It is none of ours, too old, used, for another step, or of another browser."""


class Tickets:
    """Makes tickets and takes them back."""

    def __init__(self, database: Database, keys: TokenKeys) -> None:
        self._database = database
        self._keys = keys

    def start(self, team: str, user: str) -> str:
        """For the button in Home."""
        return self._sealed(Ticket(step=LinkStep.START, team=team, user=user, id=new_id()))

    def next(self, ticket: Ticket, step: LinkStep, cookie: str) -> str:
        """For the next step, in this browser; it is used up together with the ticket before."""
        browser = hashed(cookie)
        return self._sealed(ticket.model_copy(update={"step": step, "browser": browser}))

    def after(self, ticket: Ticket, step: LinkStep, cookie: str) -> str:
        """For the next step, after this one was used up."""
        return self.next(ticket.model_copy(update={"id": new_id()}), step, cookie)

    def install(self, cookie: str) -> str:
        """For the way back from Slack's consent, in this browser."""
        nobody = Ticket(step=LinkStep.INSTALL, team="", user="", id=new_id())
        return self.next(nobody, LinkStep.INSTALL, cookie)

    def read(self, text: str, step: LinkStep, cookie: str = "") -> Ticket:
        """What a browser shows, which may be used later.

        Raises:
            TicketRefused: see there.
        """
        try:
            opened = self._keys.open(text.encode(), within_s=VALID_S)
            ticket = Ticket.model_validate_json(opened)
        except (Unreadable, ValueError) as error:
            raise TicketRefused from error
        is_here = step is LinkStep.START or secrets.compare_digest(ticket.browser, hashed(cookie))
        if ticket.step is not step or not is_here or self._is_used(ticket):
            raise TicketRefused
        return ticket

    def use(self, ticket: Ticket) -> None:
        """Let nobody use it again.

        Raises:
            TicketRefused: somebody was faster.
        """
        now = clock.now()
        try:
            with self._database.session() as session:
                session.exec(delete(UsedTicketRow).where(col(UsedTicketRow.until) < now))
                session.add(UsedTicketRow(id=hashed(ticket.id), until=now + 2 * VALID_S))
        except IntegrityError as error:
            raise TicketRefused from error

    def _is_used(self, ticket: Ticket) -> bool:
        with self._database.reading() as session:
            return session.get(UsedTicketRow, hashed(ticket.id)) is not None

    def _sealed(self, ticket: Ticket) -> str:
        return self._keys.seal(ticket.model_dump_json()).decode()


def new_id() -> str:
    return secrets.token_urlsafe(24)


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()
