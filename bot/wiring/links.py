"""Wires the pages on which people link an account."""

from __future__ import annotations

from collections.abc import Callable

from slack_sdk import WebClient
from starlette.routing import Route

from bot.access.person_names import PersonNames
from bot.linking.link_pages import Linking, LinkPages
from bot.linking.tickets import Tickets
from bot.slack_api.directory import Directory
from core.access.oauth import AtlassianApp
from core.access.sites import LinkBy, link_by, linked_accounts
from core.access.token_keys import TokenKeys
from core.settings import Settings
from core.storage.database import Database


def link_routes(
    chosen: Settings, database: Database, web: Callable[[str], WebClient]
) -> list[Route]:
    """The pages on which people link accounts; none where nobody can.

    `web` speaks to Slack for a team.

    Raises:
        SettingsError: half of what linking needs is set, or a key is wrong.
    """
    by, accounts = link_by(chosen), linked_accounts(chosen, database)
    if by is None or accounts is None:
        return []
    linking = Linking(
        by=by,
        site=chosen.confluence_url or "",
        public_url=chosen.public_url,
        app=AtlassianApp.of(chosen) if by is LinkBy.CONSENT else None,
    )
    tickets = Tickets(database, TokenKeys.of(chosen))

    def person(team: str, user: str) -> str:
        return PersonNames(Directory(web(team))).of(team, user)

    return LinkPages(database, accounts, linking=linking, tickets=tickets, person=person).routes
