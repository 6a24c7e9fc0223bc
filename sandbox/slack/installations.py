"""Orders about workspaces: one more, consent in one, the end of a token, and of an installation."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from sandbox.slack.web_api import oauth
from sandbox.slack.workspace.grants import Grants
from sandbox.slack.workspace.values import BOT_ID, BOT_USER_ID, HOME, Ids, Json, Refused
from sandbox.slack.workspace.world import Sandbox


def add(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """One more workspace, in which the app is not installed yet.

    Its people and channels have the ids of those in the first. `admins` and `guests` say who is
    which there, by name, `email_domain` where they get their mail.
    """
    name = order["name"]
    ids = Ids(f"T0{name.upper()}", name, f"{BOT_USER_ID}{name.upper()}", f"{BOT_ID}{name.upper()}")
    if not name.isalnum() or any(name.lower() == each.ids.domain for each in _all(sandbox)):
        raise Refused("name_taken_or_wrong")
    made = Sandbox(sandbox.app, ids)
    if "admins" in order or "guests" in order:
        made.team.rank(_names(order, "admins"), _names(order, "guests"))
    made.team.get_mail_at(order.get("email_domain", "example.com"))
    sandbox.changes.tell("team")
    return {"team": ids.team}


def _names(order: Json, rank: str) -> list[str]:
    return [name.lower() for name in order.get(rank, ())]


def _all(sandbox: Sandbox) -> list[Sandbox]:
    return list(sandbox.app.workspaces.values())


def authorize(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """A person answers the page of /oauth/v2/authorize at `url`; where the browser goes then."""
    asked = dict(parse_qsl(urlsplit(order["url"]).query))
    if order.get("deny"):
        return {"url": oauth.refused(asked)}
    return {"url": oauth.allowed(sandbox, asked, order["user"])}


def rotation(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """From now on access tokens live so many seconds; null: for ever."""
    sandbox.app.grants.rotation_s = order["expires_in"]


def expire_tokens(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """Let the time of this workspace's rotating tokens be over."""
    return {"tokens": sandbox.app.grants.expire(sandbox.ids.team)}


def scopes(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """What the app was allowed, in place of all that its manifest asks for."""
    sandbox.app.grants.narrow(sandbox.ids.team, order["scopes"])


def uninstall(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """An administrator removes the app from this workspace."""
    oauth.remove(sandbox)


def reset(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """Back to one empty workspace; the app stays connected."""
    app = sandbox.app
    app.link.forget()
    app.grants = Grants()
    first = app.workspaces[HOME.team]
    first.renew()
    app.workspaces.clear()
    app.workspaces[HOME.team] = first
    app.changes.tell("reset")


ORDERS: dict[str, Any] = {
    "add_team": add,
    "authorize": authorize,
    "rotation": rotation,
    "expire_tokens": expire_tokens,
    "scopes": scopes,
    "uninstall": uninstall,
    "reset": reset,
}
