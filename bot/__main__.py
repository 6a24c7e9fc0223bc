"""`python -m bot`: the bot, in Socket Mode."""

from __future__ import annotations

import signal
import sys
import threading
from urllib.error import URLError

import typer
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_bolt.error import BoltError
from slack_sdk.errors import SlackApiError

from bot.app import build
from bot.parts import parts
from bot.speak import code
from core import logs
from core.errors import SettingsError
from core.settings import or_exit, settings

# Typer's own tracebacks show the values of variables, and one of them is a token.
program = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@program.command()
def main() -> None:
    """Listen to Slack until stopped."""
    with or_exit():
        chosen = settings()
        logs.configure(chosen)
        chosen.require("slack_bot_token", "slack_app_token")
        assert chosen.slack_app_token
        try:
            handler = _connected(chosen.slack_app_token.get_secret_value())
        except URLError as error:
            sys.exit(f"groundwire: Slack does not answer at {chosen.slack_api_url} ({error.reason})")
    logs.get(__name__).info("listening")
    stop = threading.Event()
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, lambda *_: stop.set())
    stop.wait()
    handler.close()  # type: ignore[no-untyped-call]


def _connected(app_token: str) -> SocketModeHandler:
    """A Socket Mode connection; a token that Slack does not know is a wrong setting like any other."""
    try:
        app = build(parts())
    except BoltError as error:  # Bolt asks Slack about the bot's token as soon as it has it
        raise SettingsError(f"Slack refuses SLACK_BOT_TOKEN: {error}") from error
    try:
        handler = SocketModeHandler(app, app_token)
        handler.connect()  # type: ignore[no-untyped-call]
    except SlackApiError as error:
        raise SettingsError(f"Slack refuses SLACK_APP_TOKEN: {code(error) or error}") from error
    return handler


if __name__ == "__main__":
    program()
