"""`python -m bot`: the bot, in Socket Mode; with `--http`, Slack calls it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.error import URLError

import typer
from slack_bolt import App
from slack_bolt.error import BoltError
from slack_sdk.errors import SlackApiError
from starlette.routing import BaseRoute, Route

from bot.app import build
from bot.catching_up.hearing import Hearing
from bot.health import Health
from bot.http_server import slack_route
from bot.installing.cli import program as installations
from bot.slack_api.calls import code
from bot.slack_api.client import client
from bot.sockets import Hears, Sockets
from bot.wiring.ears import build_hearing
from bot.wiring.installed import Installed, install_routes, workspaces
from bot.wiring.links import link_routes
from bot.workspaces import Hearings, Workspaces
from core import logs
from core.dialogue import likely
from core.errors import SettingsError
from core.http.server import listen, serve_in_background, server
from core.settings import Settings, or_exit, settings
from core.storage.database import Database, open_database

# Typer's own tracebacks show the values of variables, and one of them is a token.
program = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


program.add_typer(installations, name="installations")


@program.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    http: Annotated[
        bool,
        typer.Option(
            "--http", help="Slack calls the bot at /slack/events, instead of the bot calling Slack."
        ),
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="With --http: where to listen.")] = 3000,
) -> None:
    """Listen to Slack until stopped."""
    if context.invoked_subcommand:
        return
    with or_exit():
        chosen = settings()
        logs.configure(chosen)
        token = "slack_oauth_client_id" if chosen.slack_oauth_client_id else "slack_bot_token"
        chosen.require(token, "slack_signing_secret" if http else "slack_app_token")
        try:
            if http:
                _serve(chosen, host, port)
            else:
                _stay_connected(chosen)
        except URLError as error:
            where = chosen.slack_api_url
            sys.exit(f"groundwire: Slack does not answer at {where} ({error.reason})")


def _serve(chosen: Settings, host: str, port: int) -> None:
    """Signed HTTP; health is never shown where Slack calls."""
    database = open_database(chosen.sql_url)
    bot = _bot(chosen, database)
    secret = chosen.slack_signing_secret
    assert secret
    slack = slack_route(bot.app.dispatch, secret.get_secret_value())
    routes: list[BaseRoute] = [slack, *bot.pages]
    health_listener = _health_listener(chosen)
    listener = _listener(host, port)
    if health_listener:
        health = Health(database, chosen.redis_url, connected=lambda: True, refused=bot.refused)
        serve_in_background(health.routes, health_listener)
    bot.hearing.connected_anew()
    bot.hearing.begin(connected=lambda: True)
    logs.get(__name__).info("listening", transport="http", host=host, port=port)
    server(routes).run(sockets=[listener])


def _stay_connected(chosen: Settings) -> None:
    """Socket Mode."""
    database = open_database(chosen.sql_url)
    health_listener = _health_listener(chosen)
    bot = _bot(chosen, database)
    _serve_pages(chosen, bot.pages)
    sockets = _connected(bot, chosen)
    bot.hearing.begin(connected=sockets.is_connected)
    if health_listener:
        health = Health(
            database, chosen.redis_url, connected=sockets.is_connected, refused=bot.refused
        )
        serve_in_background(health.routes, health_listener)
    logs.get(__name__).info("listening", transport="socket")
    stop = threading.Event()
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, lambda *_: stop.set())
    stop.wait()
    sockets.close()


@dataclass(frozen=True)
class _Bot:
    """For one workspace, or for several."""

    app: Hears
    hearing: Hearing | Hearings
    pages: list[Route]
    refused: Callable[[], dict[str, str]] = dict  # by team, of several


def _bot(chosen: Settings, database: Database) -> _Bot:
    found = workspaces(chosen, database)
    pages = link_routes(chosen, database, lambda team: client(chosen, found.of(team)))
    if isinstance(found, Installed):
        hearings = Hearings(chosen, database, found)
        pages += install_routes(chosen, database, found)
        threading.Thread(target=likely.prepare, daemon=True).start()
        return _Bot(Workspaces(chosen, database, found), hearings, pages, hearings.refused)
    hearing = build_hearing(chosen, database)
    return _Bot(_app(chosen, database), hearing, pages)


def _serve_pages(chosen: Settings, routes: list[Route]) -> None:
    """Browsers reach the pages on a port of their own: in Socket Mode nobody calls the bot."""
    if routes:
        chosen.require("link_port")
        listener = _listener(chosen.link_host, chosen.link_port or 0)
        serve_in_background(routes, listener, name="links")


def _app(chosen: Settings, database: Database) -> App:
    # Beside the connection to Slack, so that no message has to wait for it.
    threading.Thread(target=likely.prepare, daemon=True).start()
    try:
        return build(chosen, database)
    except BoltError as error:  # Bolt asks Slack about the bot's token as soon as it has it
        raise SettingsError(f"Slack refuses SLACK_BOT_TOKEN: {error}") from error


def _connected(bot: _Bot, chosen: Settings) -> Sockets:
    """Connections of Socket Mode; a token that Slack does not know is a wrong setting."""
    token = chosen.slack_app_token
    assert token
    try:
        sockets = Sockets(
            bot.app,
            token.get_secret_value(),
            chosen.slack_connections,
            opened=bot.hearing.connected_anew,
        )
        sockets.connect()
    except SlackApiError as error:
        raise SettingsError(f"Slack refuses SLACK_APP_TOKEN: {code(error) or error}") from error
    return sockets


def _health_listener(chosen: Settings) -> socket.socket | None:
    host, port = chosen.health_host, chosen.health_port
    return _listener(host, port) if port else None


def _listener(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise SettingsError(f"cannot listen on {host}:{port}: {reason}") from error


if __name__ == "__main__":
    program()
