"""Entries, spaces and people as Data Center's REST API v1 shows them: functions to JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request

from sandbox.confluence.api.lookup import content_of
from sandbox.confluence.site.content import Comment, Content, Entry, File, Person, space_id

BASE = "/confluence"
Json = dict[str, Any]


def content_json(request: Request, entry: Entry) -> Json:
    """With what `expand` asks for; everything else is left out, as the real one does."""
    content, expand = content_of(request), request.query_params.get("expand", "").split(",")
    more: Json = {}
    for name in expand:
        if name in EXPANSIONS:
            more[name.partition(".")[0]] = EXPANSIONS[name](content, entry)
    links = {"webui": f"/pages/viewpage.action?pageId={entry.id}", "base": base_of(request)}
    return {
        "id": entry.id,
        "type": entry.kind,
        "status": entry.status,
        "title": entry.title,
        "_links": links,
        **more,
    }


def _ancestors(content: Content, entry: Entry, *, restricted: bool = False) -> list[Json]:
    shown: list[Json] = []
    for above in content.ancestors(entry):
        told = {"id": above.id, "type": above.kind, "title": above.title}
        more = {"restrictions": {"read": restrictions_json(content, above)}} if restricted else {}
        shown.append(told | more)
    return shown


def _labels(_content: Content, entry: Entry) -> Json:
    return {"labels": {"results": [{"prefix": "global", "name": name} for name in entry.labels]}}


def _history(content: Content, entry: Entry) -> Json:
    owner = content.people.get(entry.owner, Person(entry.owner, ""))
    known = {"userKey": owner.key, "username": owner.username} if entry.owner else {}
    return {"createdBy": {"displayName": owner.name} | known}


def restrictions_json(content: Content, entry: Entry) -> Json:
    users = [{"type": "known", **person_json(content, user)} for user in entry.users]
    groups = [{"type": "group", "name": name} for name in entry.groups]
    return {
        "operation": "read",
        "restrictions": {"user": {"results": users}, "group": {"results": groups}},
    }


def comment_json(content: Content, comment: Comment) -> Json:
    version = {"number": comment.version, "by": {"userKey": key_of(content, comment.author)}}
    return {"id": comment.id, "version": version, "body": {"storage": {"value": comment.body}}}


def attachment_json(entry: Entry, file: File) -> Json:
    link = f"/download/attachments/{entry.id}/{file.name}?version={file.version}"
    return {
        "id": file.id,
        "title": file.name,
        "version": {"number": file.version},
        "extensions": {"mediaType": file.media_type, "fileSize": len(file.data)},
        "_links": {"download": link},
    }


def space_json(content: Content, key: str) -> Json:
    return {
        "id": int(space_id(key)),
        "key": key,
        "name": content.space_names.get(key, key),
        "type": "global",
    }


def person_json(content: Content, account: str) -> Json:
    person = content.people.get(account, Person(account, account))
    return {
        "type": "known",
        "username": person.username,
        "userKey": person.key,
        "displayName": person.name,
    }


def key_of(content: Content, account: str) -> str:
    return content.people.get(account, Person(account, account)).key


def base_of(request: Request) -> str:
    return str(request.base_url).rstrip("/") + BASE


EXPANSIONS: dict[str, Callable[[Content, Entry], Any]] = {
    "version": lambda _, entry: {"number": entry.version, "when": entry.updated_at},
    "ancestors": _ancestors,
    # Expansions nest; whoever asks for this has asked for `ancestors` before.
    "ancestors.restrictions.read.restrictions.user": partial(_ancestors, restricted=True),
    "metadata.labels": _labels,
    "body.storage": lambda _, entry: {
        "storage": {"value": entry.body, "representation": "storage"}
    },
    "space": lambda content, entry: space_json(content, entry.space),
    "history": _history,
    "restrictions.read.restrictions.user": lambda content, entry: {
        "read": restrictions_json(content, entry)
    },
}
