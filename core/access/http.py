"""Asks over HTTP with somebody's tokens, strictly; no error repeats what was sent or came back."""

from __future__ import annotations

from typing import Any

import requests

from core.errors import SourceNotUnderstood, SourceRefused, SourceUnreachable

TIMEOUT_S = 10.0  # somebody waits for it


def ask(method: str, url: str, **how: Any) -> requests.Response:
    """The reply, whatever its status; redirects are not followed, so that no token travels on.

    Raises:
        SourceUnreachable: there was none.
    """
    try:
        return requests.request(
            method, url, timeout=TIMEOUT_S, allow_redirects=False, auth=_as_it_is, **how
        )
    except requests.RequestException as error:
        kind = type(error).__name__
        raise SourceUnreachable(f"the site does not answer ({kind})") from None


def as_object(response: requests.Response) -> dict[str, Any]:
    """A JSON object, or an error that says what came instead."""
    reply = as_json(response)
    if not isinstance(reply, dict):
        raise SourceNotUnderstood("the site sent JSON that is not an object")
    return reply


def as_json(response: requests.Response) -> Any:
    status = response.status_code
    if status in (401, 403):
        raise SourceRefused(f"the site refuses ({status})")
    if status == 429 or status >= 500:
        raise SourceUnreachable(f"the site answered {status}")
    if status != 200:
        raise SourceNotUnderstood(f"the site answered {status}")
    try:
        return response.json()
    except requests.exceptions.JSONDecodeError:
        raise SourceNotUnderstood("the site sent something else than JSON") from None


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Else a line of .netrc would put another account in place of this one."""
    return request
