"""Arguments of a Web API call, as JSON, form or query: docs.slack.dev/apis/web-api/#post-bodies."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from sandbox.slack.workspace.values import Json, Refused


class Arguments:
    """The arguments of one call; in forms, arrays and objects are JSON in a string."""

    def __init__(self, given: Json) -> None:
        self.given = given

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
    """Everything that was sent, token included."""
    query = dict(request.query_params)
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
