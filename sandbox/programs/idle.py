"""`python -m sandbox.programs.idle`: a Bolt app that listens and does nothing, as a control.

What it takes to acknowledge is what Bolt, the transport, the stand-in and this machine take.
"""

from __future__ import annotations

import argparse
import sys
import threading

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from bot.http_server import slack_route
from core.http.server import listen, server
from sandbox.slack.workspace.values import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET


def main() -> None:
    """Listen until stopped."""
    parser = argparse.ArgumentParser(prog="python -m sandbox.programs.idle")
    parser.add_argument("slack_url")
    parser.add_argument("transport", choices=["socket", "http"])
    parser.add_argument("port", type=int)
    asked = parser.parse_args()
    app = _app(asked.slack_url)
    if asked.transport == "http":
        listener = listen("127.0.0.1", asked.port)
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        route = slack_route(app.dispatch, SIGNING_SECRET)
        server([route]).run(sockets=[listener])
    else:
        SocketModeHandler(app, APP_TOKEN).connect()  # type: ignore[no-untyped-call]
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        threading.Event().wait()


def _app(slack_url: str) -> App:
    web = WebClient(BOT_TOKEN, base_url=f"{slack_url}/api/")
    app = App(client=web, signing_secret=SIGNING_SECRET, process_before_response=True)
    for name in ("message", "app_mention", "app_home_opened"):
        app.event(name)(_nothing)
    return app


def _nothing() -> None:
    return None


if __name__ == "__main__":
    main()
