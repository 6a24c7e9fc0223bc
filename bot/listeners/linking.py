"""The linked account in Home, and its buttons; the linking itself happens in a browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from slack_bolt import App, BoltContext

from bot import voices
from bot.linking.link_pages import START
from bot.linking.tickets import Tickets
from bot.listeners.app_home import publish_home
from bot.slack_api.payloads import Payload, user_id
from bot.views.block_kit import Block
from bot.views.linking import LINK_ACTION, UNLINK_ACTION, build_account
from core.access.linked_accounts import LinkedAccounts
from core.policy import audit, people
from core.policy.audit import Act
from core.policy.people import Standing
from core.storage.database import Database

OUTSIDERS = (Standing.GUEST, Standing.EXTERNAL)  # they read what everybody may


class AccountSection:
    """What Home says of the account that somebody has linked, or could link."""

    def __init__(
        self, database: Database, accounts: LinkedAccounts, tickets: Tickets, public_url: str
    ) -> None:
        self._database = database
        self._accounts = accounts
        self._tickets = tickets
        self._start = f"{public_url.rstrip('/')}{START}"

    def blocks(self, team: str, user: str) -> list[Block]:
        """With a ticket of this person's: only this person may see them."""
        if people.standing(self._database, team, user) in OUTSIDERS:
            return []
        ticket = urlencode({"ticket": self._tickets.start(team, user)})
        link = self._accounts.find(team, user)
        return build_account(voices.to(self._database, team, user), link, f"{self._start}?{ticket}")


class LinkListeners:
    """The buttons of that section."""

    def __init__(
        self,
        database: Database,
        accounts: LinkedAccounts,
    ) -> None:
        self._database = database
        self._accounts = accounts

    def register(self, app: App) -> None:
        app.action(LINK_ACTION)(self.link_button)
        app.action(UNLINK_ACTION)(self.unlink_button)

    def link_button(self, ack: Any) -> None:
        """The button opens an address, and Slack tells us of it all the same."""
        ack()

    def unlink_button(self, body: Payload, context: BoltContext, ack: Any) -> None:
        """Slack has asked for confirmation."""
        team, user = context.team_id or "", user_id(body)
        self._accounts.unlink(team, user)
        audit.write(self._database, Act.UNLINKED, team=team, actor=user, subject=user)
        publish_home(self._database, team, user)
        ack()
