"""Wires Bolt: what it needs to know, what it listens to, and what happens to an error. Both transports run the app that is built here."""

from __future__ import annotations

import time
from typing import Any

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.error import BoltUnhandledRequestError

from bot.listeners import questions
from bot.slack_api.parts import BotParts
from core import logs, metrics

log = logs.get(__name__)


def build(parts: BotParts) -> App:
    """The app; `process_before_response` makes Slack deliver again what a listener could not write down."""
    app = _Timed(
        client=parts.client,
        signing_secret=parts.settings.slack_signing_secret.get_secret_value()
        if parts.settings.slack_signing_secret
        else None,
        process_before_response=True,
        raise_error_for_unhandled_request=True,
    )
    questions.register(app, parts)
    app.error(_settle)
    return app


class _Timed(App):
    """Measures how long Slack waits for each acknowledgement, whichever way the request came."""

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        began = time.perf_counter()
        response = super().dispatch(req)
        metrics.ACKNOWLEDGED.labels(
            kind(req.body) if response.status != 401 else "", response.status
        ).observe(time.perf_counter() - began)
        return response


def _settle(error: Exception, body: dict[str, Any]) -> BoltResponse | None:
    """Acknowledge what nobody listens to, or Slack would take the bot for broken; after a failure it shall deliver again (Bolt's 500)."""
    if isinstance(error, BoltUnhandledRequestError):
        metrics.UNHANDLED.labels(kind(body)).inc()
        log.info("unhandled", kind=kind(body))
        return BoltResponse(status=200)
    log.error("listener.failed", event_id=body.get("event_id"), kind=kind(body), exc_info=error)
    return None


def kind(body: dict[str, Any]) -> str:
    """What Slack sends: the event's type, or that of the interaction.

    >>> kind({"type": "event_callback", "event": {"type": "app_mention"}}), kind({"type": "block_actions"}), kind({"command": "/ask"})
    ('app_mention', 'block_actions', 'command')
    """
    event = body.get("event")
    if isinstance(event, dict):
        return str(event.get("type", ""))
    return "command" if "command" in body else str(body.get("type", ""))
