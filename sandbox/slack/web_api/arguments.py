"""Arguments of a Web API call, as JSON, form or query: docs.slack.dev/apis/web-api/#post-bodies."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from sandbox.slack.workspace.values import Json, Refused


class Arguments:
    """The arguments of one call; in forms, arrays and objects are JSON in a string."""

    def __init__(self, given: Json, token: str = "") -> None:
        self.given, self.token = given, token

    def needed(self, name: str, error: str = "invalid_arguments") -> str:
        if not self.given.get(name):
            raise Refused(error, f"missing required field: {name}")
        return str(self.given[name])

    def text(self, name: str) -> str | None:
        """A string, or None when it was left out."""
        value = self.given.get(name)
        return None if value is None else str(value)

    def flag(self, name: str) -> bool:
        return str(self.given.get(name, "")).lower() in ("1", "true", "t")

    def value(self, name: str, error: str = "invalid_arguments") -> Any:
        """An array or an object, or None when it was left out."""
        value = self.given.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value) if value else None
        except ValueError:
            raise Refused(error, f"not JSON: {name}") from None


async def read(request: Request) -> Json:
    """Everything that was sent, token included, and the app's credentials by HTTP Basic."""
    query = dict(request.query_params) | _credentials(request)
    body = (await request.body()).decode()
    if "application/json" in request.headers.get("content-type", ""):
        try:
            sent = json.loads(body or "{}")
        except ValueError:
            raise Refused("invalid_json") from None
        if not isinstance(sent, dict):
            raise Refused("json_not_object")
        return query | sent
    return query | dict(parse_qsl(body, keep_blank_values=True))


def _credentials(request: Request) -> Json:
    """As oauth.v2.access recommends, and slack_sdk does: RFC 6749, 2.3.1."""
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme != "Basic":
        return {}
    try:
        client_id, _, secret = b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        raise Refused("invalid_auth") from None
    return {"client_id": client_id, "client_secret": secret}
