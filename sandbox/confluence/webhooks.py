"""Webhooks of the stand-in: tells of changes, signed, as Data Center or a Forge app does.

Data Center: https://confluence.atlassian.com/doc/managing-webhooks-1021225606.html
Forge: https://developer.atlassian.com/platform/forge/events-reference/confluence; the function of
an app forwards what it is told, see docs/confluence.md.
One delivery each, and no second one when it fails, as on Cloud. Of a change that many pages feel
only the page itself is told.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import Any

import httpx

from sandbox.confluence.site.content import Entry, space_id

Json = dict[str, Any]

# By the verbs of the control API: Data Center's event, and Forge's.
_EVENTS = {
    "create": ("page_created", "created"),
    "edit": ("page_updated", "updated"),
    "rename": ("page_updated", "updated"),
    "move": ("page_moved", "moved"),
    "archive": ("", "archived"),  # Data Center has no such event
    "trash": ("page_trashed", "trashed"),
    "restore": ("page_restored", "restored"),
    "purge": ("page_removed", "deleted"),
    "restrict": ("content_permissions_updated", "permissions_updated"),
    "unrestrict": ("content_permissions_updated", "permissions_updated"),
    "labels": ("label_added", "added"),
}


@dataclass(frozen=True)
class Subscription:
    """Who is told, with which secret, in whose shape."""

    url: str
    secret: str
    flavor: str  # datacenter | forge


async def tell_of_page(subscriptions: list[Subscription], verb: str, entry: Entry) -> None:
    if verb not in _EVENTS:  # nobody is told of what the indexer's account may not see
        return
    for each in subscriptions:
        of_datacenter, of_forge = _EVENTS[verb]
        if each.flavor == "forge":
            await _deliver(each, _forge(of_forge, verb, entry))
        elif of_datacenter:
            await _deliver(each, _datacenter(of_datacenter, verb, entry))


async def tell_of_space(subscriptions: list[Subscription], key: str) -> None:
    space = {"id": int(space_id(key)), "key": key}
    event: Json
    for each in subscriptions:
        if each.flavor == "forge":
            event = {"eventType": "avi:confluence:permissions_updated:space:V2", "space": space}
        else:
            event = {"event": "space_permissions_updated", "timestamp": _now(), "space": space}
        await _deliver(each, event)


def _datacenter(event: str, verb: str, entry: Entry) -> Json:
    kind = "blog" if entry.kind == "blogpost" else "page"
    about = {"id": int(entry.id), "title": entry.title, "spaceKey": entry.space}
    name = event.replace("page_", f"{kind}_")
    said: Json = {"event": name, "timestamp": _now(), "userKey": "key-of-somebody"}
    if verb == "labels":
        return said | {"labeled": about, "label": {"name": next(iter(entry.labels), "")}}
    is_permission = verb in ("restrict", "unrestrict")
    return said | {"content" if is_permission else kind: about}


def _forge(event: str, verb: str, entry: Entry) -> Json:
    about = {
        "id": entry.id,
        "type": entry.kind,
        "status": entry.status,
        "title": entry.title,
        "space": {"id": space_id(entry.space), "key": entry.space},
    }
    kind = "label" if verb == "labels" else entry.kind
    said = {"eventType": f"avi:confluence:{event}:{kind}", "atlassianId": "somebody"}
    return said | {"content": about}


async def _deliver(to: Subscription, event: Json) -> None:
    body = json.dumps(event).encode()
    signature = hmac.new(to.secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {"X-Hub-Signature": f"sha256={signature}", "Content-Type": "application/json"}
    try:
        async with httpx.AsyncClient(timeout=10, trust_env=False) as http:
            await http.post(to.url, content=body, headers=headers)
    except httpx.HTTPError:
        return  # it is not sent again


def _now() -> int:
    return int(time.time() * 1000)
