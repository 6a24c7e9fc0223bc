"""Starts the bot's parts, each as soon as what it needs is there: the stores, then Slack."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from urllib.error import URLError

from slack_bolt import App
from slack_bolt.error import BoltError
from slack_sdk.errors import SlackApiError, SlackClientError
from starlette.routing import Route

from bot.app import build
from bot.catching_up.hearing import Hearing
from bot.slack_api.calls import code
from bot.slack_api.client import client
from bot.slack_api.errors import NEEDS_AN_ADMIN, SlackUnreachable
from bot.sockets import Hears, Sockets
from bot.wiring.ears import build_hearing
from bot.wiring.installed import Installed, install_routes, workspaces
from bot.wiring.links import link_routes
from bot.workspaces import Hearings, Workspaces
from core.dialogue import likely
from core.errors import GroundwireError, SettingsError
from core.http.server import listen, serve_in_background
from core.outages.disk_space import require_room_to_start
from core.outages.health import Health
from core.outages.needs import Need, await_all
from core.outages.stores import open_database_in_time
from core.settings import Settings
from core.storage.database import Database, open_database


@dataclass(frozen=True)
class Bot:
    """For one workspace, or for several."""

    app: Hears
    hearing: Hearing | Hearings
    pages: list[Route]
    refused: Callable[[], dict[str, str]] = dict  # by team, of several


def serve_health(chosen: Settings) -> Health:
    """Shown from the start, so that it says what the bot waits for.

    Raises:
        SettingsError: the port is taken.
    """
    health = Health()
    if chosen.health_port:
        serve_in_background(health.routes, listener(chosen.health_host, chosen.health_port))
    return health


def start(chosen: Settings, health: Health) -> tuple[Database, Bot]:
    """The bot, once the stores and Slack are there; nothing reaches it yet.

    Raises:
        SettingsError: Slack refuses a token, or a setting is wrong.
    """
    made: list[Bot] = []
    stores = [
        Need("disk", partial(require_room_to_start, chosen)),
        Need("database", lambda: open_database_in_time(chosen)),
    ]
    await_all(stores, health)
    database = open_database(chosen.sql_url)
    slack = Need("slack", lambda: made.append(_made(chosen, database)))
    await_all([slack], health)
    # Beside the connection to Slack, so that no message has to wait for it.
    threading.Thread(target=likely.prepare, daemon=True).start()
    return database, made[0]


def connect(bot: Bot, chosen: Settings, health: Health) -> Sockets:
    """Connections of Socket Mode, all of them open.

    Raises:
        SettingsError: Slack refuses SLACK_APP_TOKEN.
    """
    opened: list[Sockets] = []
    await_all([Need("slack", lambda: opened.append(_connected(bot, chosen)))], health)
    return opened[0]


def listener(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        SettingsError: the port is taken, or the host is not one of this machine's.
    """
    try:
        return listen(host, port)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise SettingsError(f"cannot listen on {host}:{port}: {reason}") from error


def _made(chosen: Settings, database: Database) -> Bot:
    found = workspaces(chosen, database)
    pages = link_routes(chosen, database, lambda team: client(chosen, found.of(team)))
    if isinstance(found, Installed):
        hearings = Hearings(chosen, database, found)
        pages += install_routes(chosen, database, found)
        return Bot(Workspaces(chosen, database, found), hearings, pages, hearings.refused)
    app = _app(chosen, database)
    return Bot(app, build_hearing(chosen, database), pages)


def _app(chosen: Settings, database: Database) -> App:
    """Bolt asks Slack about the bot's token as soon as it has it."""
    try:
        return build(chosen, database)
    except BoltError as error:
        cause = error.__context__
        if isinstance(cause, SlackApiError):
            raise _refused(chosen, "SLACK_BOT_TOKEN", cause) from error
        raise SettingsError(f"Slack refuses SLACK_BOT_TOKEN: {error}") from error
    except (SlackClientError, URLError, OSError, HTTPException) as error:
        raise _away(chosen, error) from error


def _connected(bot: Bot, chosen: Settings) -> Sockets:
    token = chosen.slack_app_token
    assert token
    sockets = Sockets(
        bot.app,
        token.get_secret_value(),
        chosen.slack_connections,
        opened=bot.hearing.connected_anew,
    )
    try:
        sockets.connect()
    except SlackApiError as error:
        sockets.close()
        raise _refused(chosen, "SLACK_APP_TOKEN", error) from error
    except (SlackClientError, URLError, OSError, HTTPException) as error:
        sockets.close()
        raise _away(chosen, error) from error
    return sockets


def _refused(chosen: Settings, token: str, error: SlackApiError) -> GroundwireError:
    """A token that Slack does not take is a wrong setting; a Slack that is ill recovers."""
    if (said := code(error)) in NEEDS_AN_ADMIN:
        return SettingsError(f"Slack refuses {token}: {said}")
    return _away(chosen, error)


def _away(chosen: Settings, error: Exception) -> SlackUnreachable:
    reason = getattr(error, "reason", None) or type(error).__name__
    if isinstance(error, SlackApiError):
        reason = code(error) or "a reply that is not Slack's"
    where = chosen.slack_api_url
    return SlackUnreachable(
        f"Slack does not answer at {where} ({reason}): is this machine in the network, "
        "and is SLACK_API_URL right?"
    )
