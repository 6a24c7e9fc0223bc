"""What a request is about: the content of the site, and the entry that its path names."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request

from sandbox.confluence.api.cql import compiled
from sandbox.confluence.site.content import Content, Entry


def content_of(request: Request) -> Content:
    content: Content = request.app.state.content
    return content


def account_of(request: Request) -> str | None:
    """Who asks; None for the account of the indexer, which may administrate."""
    account: str | None = request.state.account
    return account


def found_by_cql(request: Request, kinds: Sequence[str] = ("blogpost", "page")) -> list[Entry]:
    """The current entries of these kinds that match the query and that whoever asks may see.

    As they were a while ago, where the search lags.
    """
    is_meant = compiled(request.query_params.get("cql", ""), kinds)
    content = content_of(request).as_searched()
    entries = [entry for kind in kinds for entry in content.of_kind(kind)]
    current = [entry for entry in entries if entry.status == "current"]
    seen = [entry for entry in current if content.is_shown(account_of(request), entry)]
    return list(filter(is_meant, seen))


def entry_of(request: Request, kind: str | None = None, statuses: list[str] | None = None) -> Entry:
    """The entry named in the path; 404, as Cloud, also where the account may not see it."""
    content, entry_id = content_of(request), request.path_params["id"]
    entry = content.entries.get(entry_id)
    not_found = HTTPException(404, f"Cannot find {kind or 'content'} with id {entry_id}")
    if entry is None or not content.is_shown(account_of(request), entry):
        raise not_found
    if (kind and entry.kind != kind) or (statuses and entry.status not in statuses):
        raise not_found
    return entry
