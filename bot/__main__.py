"""`python -m bot`: the bot, in Socket Mode; with `--http`, Slack calls it."""

from __future__ import annotations

import signal
import threading
from typing import Annotated

import typer
from starlette.routing import BaseRoute

from bot.http_server import slack_route
from bot.installing.cli import program as installations
from bot.starting import parts, pool
from bot.starting.health import bot_works
from core import logs
from core.http.server import serve_in_background, server
from core.logs import tracing
from core.settings import Settings, or_exit, settings

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
        tracing.configure(chosen, "bot")
        token = "slack_oauth_client_id" if chosen.slack_oauth_client_id else "slack_bot_token"
        chosen.require(token, "slack_signing_secret" if http else "slack_app_token")
        if http:
            _serve(chosen, host, port)
        else:
            _stay_connected(chosen)


@program.command("pool")
def speak() -> None:
    """Deliver answers and explanations until stopped."""
    with or_exit():
        pool.run()


def _serve(chosen: Settings, host: str, port: int) -> None:
    """Signed HTTP; health is never shown where Slack calls."""
    health = parts.serve_health(chosen)
    database, bot = parts.start(chosen, health)
    listener = parts.listener(host, port)
    secret = chosen.slack_signing_secret
    assert secret
    slack = slack_route(bot.app.dispatch, secret.get_secret_value())
    routes: list[BaseRoute] = [slack, *bot.pages]
    bot_works(health, database, chosen, connected=lambda: True, refused=bot.refused)
    bot.hearing.connected_anew()
    bot.hearing.begin(connected=lambda: True)
    logs.get(__name__).info("listening", transport="http", host=host, port=port)
    server(routes).run(sockets=[listener])


def _stay_connected(chosen: Settings) -> None:
    """Socket Mode: browsers reach the pages on a port of their own, since nobody calls the bot."""
    health = parts.serve_health(chosen)
    database, bot = parts.start(chosen, health)
    if bot.pages:
        chosen.require("link_port")
        listener = parts.listener(chosen.link_host, chosen.link_port or 0)
        serve_in_background(bot.pages, listener, name="links")
    sockets = parts.connect(bot, chosen, health)
    bot.hearing.begin(connected=sockets.is_connected)
    bot_works(
        health,
        database,
        chosen,
        connected=sockets.is_connected,
        refused=bot.refused,
    )
    logs.get(__name__).info("listening", transport="socket")
    stop = threading.Event()
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, lambda *_: stop.set())
    stop.wait()
    sockets.close()


if __name__ == "__main__":
    program()
