"""Wires Bolt: what it needs to know, what it listens to, and what happens to an error."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot import listeners
from bot.parts import Parts
from core import logs

log = logs.get(__name__)


def build(parts: Parts) -> App:
    """The app; `process_before_response` makes Slack deliver again what a listener could not write down."""
    app = App(
        client=parts.client,
        signing_secret=parts.settings.slack_signing_secret.get_secret_value() if parts.settings.slack_signing_secret else None,
        process_before_response=True,
    )
    listeners.register(app, parts)
    app.error(_log)
    return app


def _log(error: Exception, body: dict[str, Any]) -> None:
    """Leave a traceback for the operator; the reply stays Bolt's 500, so Slack delivers the event again."""
    log.error("listener.failed", event_id=body.get("event_id"), kind=body.get("type"), exc_info=error)
