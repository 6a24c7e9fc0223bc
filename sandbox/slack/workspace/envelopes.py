"""What is sent over Socket Mode: docs.slack.dev/apis/events-api/using-socket-mode."""

from __future__ import annotations

import uuid

from sandbox.slack.workspace.values import APP_ID, Json


def hello(connections: int) -> Json:
    debug = {"host": "sandbox", "build_number": 1, "approximate_connection_time": 18060}
    return {
        "type": "hello",
        "num_connections": connections,
        "connection_info": {"app_id": APP_ID},
        "debug_info": debug,
    }


def envelope_of(kind: str, payload: Json, attempts: int) -> Json:
    """A payload on its way; `attempts` is how often it was sent before."""
    envelope = {"envelope_id": str(uuid.uuid4()), "type": kind, "payload": payload}
    if kind != "events_api":
        return {**envelope, "accepts_response_payload": True}
    return {
        **envelope,
        "accepts_response_payload": False,
        "retry_attempt": attempts,
        "retry_reason": "timeout" if attempts else "",
    }
