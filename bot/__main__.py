"""`python -m bot`: the bot, in Socket Mode."""

from __future__ import annotations

import signal
import threading

import typer
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk.errors import SlackApiError

from bot.app import build
from bot.parts import parts
from core import logs
from core.errors import SettingsError
from core.settings import or_exit, settings


def main() -> None:
    """Listen to Slack until stopped."""
    with or_exit():
        chosen = settings()
        logs.configure(chosen)
        chosen.require("slack_bot_token", "slack_app_token")
        assert chosen.slack_app_token
        handler = _connected(chosen.slack_app_token.get_secret_value())
    logs.get(__name__).info("listening")
    stop = threading.Event()
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, lambda *_: stop.set())
    stop.wait()
    handler.close()  # type: ignore[no-untyped-call]


def _connected(app_token: str) -> SocketModeHandler:
    """A Socket Mode connection; a token that Slack does not know is a wrong setting like any other."""
    try:
        handler = SocketModeHandler(build(parts()), app_token)
        handler.connect()  # type: ignore[no-untyped-call]
    except SlackApiError as error:
        name = "SLACK_APP_TOKEN" if "apps.connections" in str(error.response.api_url) else "SLACK_BOT_TOKEN"
        raise SettingsError(f"Slack refuses {name}: {error.response['error']}") from error
    return handler


if __name__ == "__main__":
    typer.run(main)
