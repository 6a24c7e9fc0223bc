"""Whose token Slack takes it for, and what it may do: asked once, for the doctor's checks."""

from __future__ import annotations

import time
from dataclasses import dataclass

from slack_sdk import WebClient

from bot.slack_api.calls import slack_call

TIMEOUT_S = 6


@dataclass(frozen=True)
class TokenOwner:
    """What `auth.test` answers, in its body and beside it."""

    workspace: str
    team: str
    scopes: frozenset[str] | None  # None: Slack did not say
    date: str  # the header, by Slack's clock
    sent_at: float  # seconds since 1970, by ours
    heard_at: float


def token_owner(token: str, api_url: str) -> TokenOwner:
    """docs.slack.dev/reference/methods/auth.test; the scopes stand in a header of every reply.

    Raises:
        SlackError: Slack refuses the token, or does not answer.
    """
    sent_at = time.time()
    with slack_call():
        reply = _client(token, api_url).auth_test()
    headers = {str(name).lower(): str(value) for name, value in reply.headers.items()}
    granted = headers.get("x-oauth-scopes")
    return TokenOwner(
        workspace=str(reply.get("team") or ""),
        team=str(reply.get("team_id") or ""),
        scopes=None if granted is None else frozenset(granted.replace(",", " ").split()),
        date=headers.get("date", ""),
        sent_at=sent_at,
        heard_at=time.time(),
    )


def open_connection(app_token: str, api_url: str) -> None:
    """Ask for an address of Socket Mode, and leave it unused.

    Raises:
        SlackError: Slack refuses the token, or does not answer.
    """
    with slack_call():
        _client(app_token, api_url).apps_connections_open(app_token=app_token)


def _client(token: str, api_url: str) -> WebClient:
    """Without retries: somebody waits, and wants to know what is."""
    web = WebClient(token, base_url=api_url, timeout=TIMEOUT_S)
    web.retry_handlers = []
    return web
