"""Confluence Cloud over atlassian-python-api: the library carries and signs the requests, the reading is ours and strict.

Its high-level methods are not used: they drop the context path on the second page of a listing, stop early when the server caps
a page, and read a login page as an empty list. Here a listing is complete or it is an error.
API: developer.atlassian.com/cloud/confluence/rest/v2, and v1 for restrictions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import requests
from atlassian import ConfluenceV2
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from core.errors import ConfluenceNotUnderstood, ConfluenceUnreachable, SettingsError
from core.models import Page
from core.settings import Settings
from indexer.reply import Reply, as_json, next_cursor, results

LISTING = 250  # most items in one page of a listing
BODIES = 50  # most bodies in one request
NAMES = 200  # most accounts in one bulk look-up

RETRY = Retry(
    total=6,
    connect=2,
    read=2,
    status=5,
    backoff_factor=1,
    backoff_jitter=0.5,
    backoff_max=60,
    retry_after_max=300,
    status_forcelist={429, 500, 502, 503, 504},
    allowed_methods={"GET", "POST"},  # the only POST asks for names in bulk
    raise_on_status=False,
)


@dataclass(frozen=True)
class Space:
    """A space: the API asks for its id, people know its key."""

    id: str
    key: str


@dataclass(frozen=True)
class Whereabouts:
    """What became of a page that is not in its space's listing."""

    status: str  # current | archived | trashed | draft | gone
    space_id: str = ""


class Pace:
    """Spreads requests evenly; one for all threads, since the limit is the site's and not a thread's."""

    def __init__(self, per_second: float) -> None:
        self._gap = 1 / per_second
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            self._next = max(now, self._next + self._gap)
            delay = self._next - now
        time.sleep(delay)


class Confluence:
    """One Cloud site, seen with the configured account."""

    def __init__(self, settings: Settings, *, retry: Retry = RETRY) -> None:
        settings.require("confluence_url", "confluence_username", "confluence_token", "confluence_spaces")
        if settings.confluence_flavor == "datacenter":
            raise SettingsError("CONFLUENCE_FLAVOR=datacenter is not supported yet: only Confluence Cloud is")
        assert settings.confluence_url and settings.confluence_token
        session = requests.Session()
        for scheme in ("http://", "https://"):
            session.mount(scheme, HTTPAdapter(max_retries=retry))
        self._client = ConfluenceV2(
            settings.confluence_url.rstrip("/"),
            username=settings.confluence_username,
            password=settings.confluence_token.get_secret_value(),
            session=session,
            timeout=60,
            retry_with_header=False,
        )
        self._pace = Pace(settings.confluence_requests_per_second)
        self._names: dict[str, str] = {}
        self.folders_are_open = settings.confluence_folders == "open"
        self.requests = 0

    def spaces(self, keys: Sequence[str]) -> list[Space]:
        """The spaces with these keys; `("*",)` for all.

        Raises:
            SettingsError: the site knows no such space, or hides it from this account.
        """
        wanted = {} if tuple(keys) == ("*",) else {"keys": ",".join(keys)}
        found = [Space(id=str(item["id"]), key=item["key"]) for item in self._listing("api/v2/spaces", **wanted)]
        unknown = set(keys) - {space.key for space in found} - {"*"}
        if unknown:
            raise SettingsError(f"CONFLUENCE_SPACES: {', '.join(sorted(unknown))} not found, or this account may not see it")
        return found

    def manifest(self, space: Space) -> list[Page]:
        """Every current page and blog post of a space, without bodies; complete, or an error."""
        items = [
            (kind, item)
            for kind in ("page", "blogpost")
            for item in self._listing(f"api/v2/{kind}s", **{"space-id": space.id, "status": "current"})
        ]
        owners = self.names({_owner(item) for _, item in items})
        try:
            return [self._page(kind, space, item, owners.get(_owner(item), "")) for kind, item in items]
        except (KeyError, TypeError, ValueError) as error:
            raise ConfluenceNotUnderstood(f"the listing of {space.key} has a page without what every page has: {error!r}") from error

    def bodies(self, kind: str, ids: Sequence[str]) -> dict[str, str]:
        """Storage format by id, of at most BODIES pages; an id that is missing could not be read."""
        reply = self._get(f"api/v2/{kind}s", **{"id": ",".join(ids), "body-format": "storage", "limit": str(LISTING)})
        found = {str(item["id"]): item.get("body", {}).get("storage") for item in results(reply)}
        return {page_id: storage["value"] for page_id, storage in found.items() if storage}

    def whereabouts(self, page: Page) -> Whereabouts:
        """Where a page is that its listing lacks.

        Raises:
            ConfluenceRefused: the account may not see it any more.
        """
        response = self._send(f"api/v2/{page.kind}s/{page.id}", {"status": ["current", "archived", "trashed", "draft"]})
        if response.status_code == 404:
            return Whereabouts("gone")
        item = as_json(response)
        return Whereabouts(str(item.get("status", "")), str(item.get("spaceId", "")))

    def labels(self, page: Page) -> tuple[str, ...]:
        return tuple(sorted(item["name"] for item in self._listing(f"api/v2/{page.kind}s/{page.id}/labels")))

    def is_restricted(self, content_id: str) -> bool:
        """Whether reading this page or folder is restricted to somebody, by itself and not through its ancestors."""
        reply = self._get(f"rest/api/content/{content_id}/restriction/byOperation/read")
        try:
            readers = reply["restrictions"]
            return any(readers[who]["results"] for who in ("user", "group"))
        except (KeyError, TypeError) as error:
            raise ConfluenceNotUnderstood(f"the restrictions of {content_id} lack users or groups") from error

    def ancestors(self, page: Page) -> dict[str, str]:
        """The type (page, folder, …) of every ancestor by id, folders included, which the listing of pages does not name."""
        return {str(item["id"]): str(item.get("type")) for item in self._listing(f"api/v2/{page.kind}s/{page.id}/ancestors")}

    def names(self, account_ids: set[str]) -> dict[str, str]:
        """Display names by account id, of those that Confluence knows; looked up in bulk, and once."""
        unknown = sorted(account_ids - self._names.keys() - {""})
        for start in range(0, len(unknown), NAMES):
            self._names |= self._look_up(unknown[start : start + NAMES])
        return {account_id: self._names[account_id] for account_id in account_ids if account_id in self._names}

    def _page(self, kind: str, space: Space, item: Reply, owner: str) -> Page:
        version = item["version"]
        return Page(
            id=str(item["id"]),
            kind=kind,
            space=space.key,
            title=item["title"],
            url=self._client.url + item["_links"]["webui"],
            version=int(version["number"]),
            status=item["status"],
            parent_id=str(item["parentId"]) if item.get("parentId") else None,
            owner=owner,
            updated_at=version.get("createdAt", ""),
        )

    def _look_up(self, account_ids: list[str]) -> dict[str, str]:
        body = {"accountIds": account_ids}
        response = self._paced(lambda: self._client.post("api/v2/users-bulk", json=body, advanced_mode=True))
        return {user["accountId"]: user.get("displayName", "") for user in results(as_json(response))}

    def _listing(self, path: str, **params: str) -> Iterator[Reply]:
        """Every item of a listing, following its cursor to the end."""
        cursors: set[str] = set()
        while True:
            reply = self._get(path, limit=str(LISTING), **params)
            items = results(reply)
            yield from items
            cursor = next_cursor(reply)
            if cursor is None:
                return
            if cursor in cursors or not items:
                raise ConfluenceNotUnderstood(f"{path}: the listing turns in a circle")
            cursors.add(cursor)
            params["cursor"] = cursor

    def _get(self, path: str, **params: str) -> Reply:
        return as_json(self._send(path, params))

    def _send(self, path: str, params: Mapping[str, object]) -> requests.Response:
        return self._paced(lambda: self._client.get(path, params=dict(params), advanced_mode=True))

    def _paced(self, request: Callable[[], requests.Response]) -> requests.Response:
        self._pace.wait()
        self.requests += 1
        try:
            return request()
        except requests.RequestException as error:
            raise ConfluenceUnreachable(f"Confluence does not answer; is CONFLUENCE_URL right? ({error})") from error


def _owner(item: Reply) -> str:
    """The account that answers for a page; blog posts have only an author."""
    return str(item.get("ownerId") or item.get("authorId") or "")
