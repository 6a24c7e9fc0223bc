"""How requests reach Confluence: a session per thread, one pace for all of them, listings read to their end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import ReadTimeoutError
from urllib3.util import Retry

from core import logs
from core.confluence.reply import Reply, as_json, check_status, next_query, results
from core.errors import ConfluenceNotUnderstood, ConfluenceOverloaded, ConfluenceUnreachable

AT_ONCE = 4  # requests under way, over all threads
SLOWED_S = 60.0  # after a 429, requests come at half the pace for so long

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
    allowed_methods={"GET", "HEAD", "POST"},  # POST only asks: for names in bulk, for a permission
    raise_on_status=False,
)

log = logs.get(__name__)


class Pace:
    """Spreads requests evenly; one for all threads, since the limit is the site's and not a thread's."""

    def __init__(self, per_second: float) -> None:
        self._gap = 1 / per_second
        self._next = 0.0
        self._slow_until = 0.0
        self._lock = threading.Lock()
        self._under_way = threading.Semaphore(AT_ONCE)

    def __enter__(self) -> None:
        self._under_way.acquire()
        with self._lock:
            now = time.monotonic()
            self._next = max(now, self._next + self._gap * (2 if now < self._slow_until else 1))
            delay = self._next - now
        time.sleep(delay)

    def __exit__(self, *_: object) -> None:
        self._under_way.release()

    def slow_down(self, seconds: float) -> None:
        """The site asked for it: nothing is sent for so long, by anybody, and then at half the pace for a while."""
        with self._lock:
            now = time.monotonic()
            self._next = max(self._next, now + seconds)
            self._slow_until = self._next + SLOWED_S


class _Slowing(Retry):
    """urllib3's retries, which tell the pace of a 429."""

    pace: Pace | None = None

    def new(self, **more: Any) -> _Slowing:
        made = super().new(**more)
        made.pace = self.pace
        return made

    def sleep(self, response: Any = None) -> None:
        if response is not None and response.status == 429 and self.pace is not None:
            self.pace.slow_down(self.get_retry_after(response) or 0.0)
        super().sleep(response)


class Transport:
    """Sends requests through the library's client of the calling thread."""

    def __init__(self, make_client: Callable[[requests.Session], Any], *, per_second: float, retry: Retry) -> None:
        self._make_client = make_client
        self._pace = Pace(per_second)
        self._retry = _Slowing(**_arguments(retry))
        self._retry.pace = self._pace
        self._local = threading.local()
        self._counting = threading.Lock()
        self.requests = 0

    def get(self, path: str, **params: object) -> Reply:
        """A JSON object; `params` with the value None are left out."""
        return as_json(self.send(path, params))

    def post(self, path: str, body: Mapping[str, object]) -> Reply:
        return as_json(self._sent(lambda client: client.post(path, json=dict(body), advanced_mode=True)))

    def send(self, path: str, params: Mapping[str, object]) -> requests.Response:
        given = {name: value for name, value in params.items() if value is not None}
        return self._sent(lambda client: client.get(path, params=given, advanced_mode=True))

    def download(self, path: str, *, limit: int) -> bytes:
        """A file, as long as it has at most `limit` bytes."""
        session, base = self._client._session, self._client.url.rstrip("/")  # the library itself would read it all at once
        with self._sent(lambda _: session.get(base + path, stream=True, timeout=60)) as response:
            check_status(response)
            data = bytearray()
            for piece in response.iter_content(1 << 16):
                data += piece
                if len(data) > limit:
                    raise ConfluenceNotUnderstood(f"a file is larger than the {limit} bytes that are read")
        return bytes(data)

    def listing(self, path: str, *, limit: int, **params: object) -> Iterator[Reply]:
        """Every page of a listing, following its cursor or offset to the end; a page that is too heavy is asked for in halves."""
        seen: set[str] = set()
        asked: dict[str, object] = dict(params)
        while True:
            reply, limit = self._page(path, limit, asked)
            yield reply
            following = next_query(reply)
            if following is None:
                return
            place = following.get("cursor") or following.get("start") or ""
            if not place or place in seen or not results(reply):
                raise ConfluenceNotUnderstood(f"{path}: the listing turns in a circle")
            seen.add(place)
            asked |= {"cursor": following["cursor"]} if "cursor" in following else {"start": _offset(asked, reply)}

    def items(self, path: str, *, limit: int, **params: object) -> Iterator[Reply]:
        """Every item of a listing, each once."""
        seen: set[str] = set()
        for reply in self.listing(path, limit=limit, **params):
            for item in results(reply):
                key = str(item.get("id", id(item)))
                if key not in seen:
                    seen.add(key)
                    yield item

    def _page(self, path: str, limit: int, params: Mapping[str, object]) -> tuple[Reply, int]:
        while True:
            try:
                return self.get(path, limit=str(limit), **params), limit
            except ConfluenceOverloaded:
                if limit == 1:
                    raise
                limit //= 2
                log.warning("listing.halved", path=path, limit=limit)

    def _sent(self, request: Callable[[Any], requests.Response]) -> requests.Response:
        client = self._client
        with self._pace:
            self._count()
            try:
                response = request(client)
            except requests.RequestException as error:
                raise _as_ours(error) from error
        return response

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


def _as_ours(error: requests.RequestException) -> ConfluenceUnreachable:
    """A site that took the request and said nothing may do with a smaller one; the error's own text may hold a token, so it stays out."""
    cause = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(error, requests.ReadTimeout) or isinstance(cause, ReadTimeoutError):
        return ConfluenceOverloaded("Confluence took longer than 60 s to answer")
    return ConfluenceUnreachable(f"Confluence does not answer; is CONFLUENCE_URL right? ({type(error).__name__})")


def _offset(asked: Mapping[str, object], reply: Reply) -> str:
    """Offsets advance by what came, not by what was asked for: a server may show less."""
    return str(int(str(asked.get("start", 0))) + len(results(reply)))


def _arguments(retry: Retry) -> dict[str, Any]:
    names = "total connect read redirect status other allowed_methods status_forcelist backoff_factor backoff_max backoff_jitter"
    more = "raise_on_redirect raise_on_status history respect_retry_after_header remove_headers_on_redirect retry_after_max"
    return {name: getattr(retry, name) for name in f"{names} {more}".split()}
