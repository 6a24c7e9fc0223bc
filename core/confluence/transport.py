"""HTTP transport to Confluence: a session per thread, one rate limit, listings read to the end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import ReadTimeoutError
from urllib3.util import Retry

from core import logs
from core.confluence.files.download import Download
from core.confluence.pace import AT_ONCE, TIMEOUT_S, RequestPace, Slowing
from core.confluence.reply import Reply, as_json, is_full, next_query, results
from core.errors import SourceNotUnderstood, SourceOverloaded, SourceUnreachable
from core.logs import tracing
from core.settings.values import words

log = logs.get(__name__)


class Transport:
    """Sends requests through the library's client of the calling thread."""

    def __init__(
        self,
        make_client: Callable[[requests.Session], Any],
        *,
        per_second: float,
        retry: Retry,
        timeout_s: int = TIMEOUT_S,
        file_hosts: str = "",
    ) -> None:
        """`timeout_s`: for one request, and for all that are sent before an answer together.

        `file_hosts`: further hosts that downloads may be redirected to, separated by commas.
        """
        self.timeout_s = timeout_s
        self._file_hosts = words(file_hosts)
        # Kept, since each thread has its own connection to the site.
        self.pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="confluence")
        self._make_client = make_client
        self._pace = RequestPace(per_second)
        self._retry = Slowing.of(retry, self._pace)
        self._local = threading.local()
        self._counting = threading.Lock()
        self.requests = 0

    def get(self, path: str, **params: object) -> Reply:
        """A JSON object; `params` with the value None are left out."""
        return as_json(self.send(path, params))

    def post(self, path: str, body: Mapping[str, object]) -> Reply:
        return as_json(self.send_json(path, body))

    def send_json(self, path: str, body: Mapping[str, object]) -> requests.Response:
        data = dict(body)
        return self._sent(lambda client: client.post(path, json=data, advanced_mode=True))

    def send(self, path: str, params: Mapping[str, object]) -> requests.Response:
        given = {name: value for name, value in params.items() if value is not None}
        return self._sent(lambda client: client.get(path, params=given, advanced_mode=True))

    def download(self, path: str, *, limit: int) -> bytes:
        """A file, as long as it has at most `limit` bytes and comes within DOWNLOAD_S."""
        # Past the library's client, which would follow redirects anywhere and read it all at once.
        client = self._client
        download = Download(client._session, client.url, self._file_hosts, limit=limit)
        with _our_errors(self.timeout_s), self._pace:
            self._count()
            return download.read(path, timeout_s=self.timeout_s)

    def listing(
        self,
        path: str,
        *,
        limit: int,
        by: str = "id",
        **params: object,
    ) -> Iterator[Reply]:
        """Every page of a listing to its end, with the items that no page before had.

        `by` names what tells items apart. A page that is too heavy is asked for in halves. One
        that brings nothing new and still leads on is an error: some versions of Data Center go on
        like that for ever (CONFSERVER-95396).
        """
        seen: set[str] = set()
        places: set[str] = set()
        asked: dict[str, object] = dict(params)
        while True:
            reply, limit = self._page(path, limit, asked)
            new = _unseen(results(reply), by, seen)
            yield reply | {"results": new}
            place = _following(asked, reply)
            if place is None:
                return
            if not new or not place or not places.isdisjoint(place.values()):
                raise SourceNotUnderstood(f"{path}: the listing turns in a circle")
            places.update(place.values())
            asked |= place

    def items(
        self,
        path: str,
        *,
        limit: int,
        by: str = "id",
        **params: object,
    ) -> Iterator[Reply]:
        """Every item of a listing, each once."""
        for reply in self.listing(path, limit=limit, by=by, **params):
            yield from results(reply)

    def _page(
        self,
        path: str,
        limit: int,
        params: Mapping[str, object],
    ) -> tuple[Reply, int]:
        while True:
            try:
                return self.get(path, limit=str(limit), **params), limit
            except SourceOverloaded:
                if limit == 1:
                    raise
                limit //= 2
                log.warning("listing.halved", path=path, limit=limit)

    def _sent(self, request: Callable[[Any], requests.Response]) -> requests.Response:
        client = self._client
        with tracing.span("confluence"), self._pace, _our_errors(self.timeout_s):
            self._count()
            return request(client)

    def _count(self) -> None:
        with self._counting:
            self.requests += 1

    @property
    def _client(self) -> Any:
        if not hasattr(self._local, "client"):
            session = requests.Session()
            for scheme in ("http://", "https://"):
                session.mount(scheme, HTTPAdapter(max_retries=self._retry))
            self._local.client = self._make_client(session)
        return self._local.client


def _unseen(
    items: list[Reply],
    by: str,
    seen: set[str],
) -> list[Reply]:
    """The items not seen before, noted as seen; one without a name passes, to be refused later."""
    new = []
    for item in items:
        name = item.get(by)
        if name is None or str(name) not in seen:
            new.append(item)
            seen.add(str(name))
    return new


def _following(asked: Mapping[str, object], reply: Reply) -> dict[str, str] | None:
    """Where the next page begins, None after the last one, empty when a link leads nowhere.

    Offsets advance by what came, not by what was asked for: a server may show less. Some leave the
    link out: a page that is full by its own account is not taken for the last one.
    """
    query = next_query(reply)
    if query is None and not is_full(reply):
        return None
    if query and query.get("cursor"):
        return {"cursor": query["cursor"]}
    if query is not None and "start" not in query:
        return {}
    start = int(str(asked.get("start", 0)))
    return {"start": str(start + len(results(reply)))}


@contextmanager
def _our_errors(timeout_s: int) -> Iterator[None]:
    """Connection errors as our own; their text may hold a token, so it stays out."""
    try:
        yield
    except requests.RequestException as error:
        raise _named(error, timeout_s) from error


def _named(error: requests.RequestException, timeout_s: int) -> SourceUnreachable:
    """A site that took the request and said nothing may do with a smaller one."""
    cause = error.args[0] if error.args else None
    cause = getattr(cause, "reason", cause)
    if isinstance(error, requests.ReadTimeout) or isinstance(cause, ReadTimeoutError):
        return SourceOverloaded(f"Confluence took longer than {timeout_s} s to answer")
    kind = type(error).__name__
    return SourceUnreachable(f"Confluence does not answer; is CONFLUENCE_URL right? ({kind})")
