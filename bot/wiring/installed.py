"""Wires the workspaces: the one of the bot token, or those that install the app."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.routing import Route

from bot.installing.install_pages import InstallPages, SlackApp
from bot.linking.tickets import Tickets
from bot.slack_api.installed.installations import Installations
from bot.slack_api.installed.rotation import Rotation, StoredToken
from bot.slack_api.installed.workspace import THE_ONLY, Workspace
from core.access.sites import check_public_url
from core.access.token_keys import TokenKeys
from core.errors import SettingsError
from core.settings import Settings
from core.storage.database import Database


class OneWorkspace:
    """That of SLACK_BOT_TOKEN, whatever its team is."""

    def of(self, team: str) -> Workspace:
        return THE_ONLY


@dataclass(frozen=True)
class Installed:
    """Those that install the app."""

    installations: Installations
    rotation: Rotation

    def of(self, team: str) -> Workspace:
        """Also when it is not installed there: then every call raises PlaceGone."""
        return Workspace(team, self.token(team))

    def token(self, team: str) -> StoredToken:
        return StoredToken(team, self.installations, self.rotation)


def install_routes(chosen: Settings, database: Database, installed: Installed) -> list[Route]:
    """The pages on which a workspace installs the app."""
    tickets = Tickets(database, TokenKeys.of(chosen))
    return InstallPages(database, SlackApp.of(chosen), installed.installations, tickets).routes


def workspaces(chosen: Settings, database: Database) -> OneWorkspace | Installed:
    """Raises SettingsError: a setting is missing, or contradicts another one."""
    if not chosen.slack_oauth_client_id:
        if chosen.slack_workspaces or chosen.slack_oauth_client_secret:
            raise SettingsError(
                "SLACK_WORKSPACES and SLACK_OAUTH_CLIENT_SECRET count only beside "
                "SLACK_OAUTH_CLIENT_ID, with which several workspaces install the app"
            )
        chosen.require("slack_bot_token")
        return OneWorkspace()
    if chosen.slack_bot_token:
        raise SettingsError(
            "SLACK_BOT_TOKEN and SLACK_OAUTH_CLIENT_ID are both set: the first is for one "
            "workspace, the second for several that install the app; leave one of them empty"
        )
    chosen.require("slack_oauth_client_secret", "slack_workspaces", "public_url", "token_keys")
    check_public_url(chosen.public_url)
    installations = Installations.of(chosen, database)
    return Installed(installations, Rotation(database, installations, chosen))
