"""Downloads attachments: redirects by hand, to the site's own hosts only, and bounded.

Cloud answers a download with a redirect to a signed address of its media service, which needs no
token (developer.atlassian.com, CHANGE-3007). Whoever could make the site answer with another
address must get neither the token nor a request into the operator's network.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from urllib.parse import urljoin

import requests
from urllib3.exceptions import HTTPError, LocationParseError
from urllib3.util import Url, parse_url

from core.confluence.files.public import PublicAdapter
from core.confluence.reply import check_status
from core.errors import SourceNotUnderstood, SourceOverloaded, SourceUnreachable

DOWNLOAD_S = 120.0  # for a whole file, however slowly it comes
MOST_REDIRECTS = 5
PIECE = 1 << 16
USUAL_PORTS = {"http": 80, "https": 443}
# Where Cloud keeps files.
CLOUD_FILES = {"api.media.atlassian.com", "media-cdn.atlassian.com"}


class Download:
    """One file of a site, through the site's session as long as it is the site that is asked."""

    def __init__(
        self,
        session: requests.Session,
        site: str,
        file_hosts: Collection[str],
        *,
        limit: int,
        seconds: float = DOWNLOAD_S,
    ) -> None:
        """`file_hosts` are named by the operator, who answers for where they are."""
        self._session = session
        self._site = site.rstrip("/")
        self._file_hosts = set(file_hosts)
        self._limit = limit
        self._until = time.monotonic() + seconds

    def read(self, path: str, *, timeout_s: float) -> bytes:
        """The bytes.

        Raises:
            SourceNotUnderstood: there are too many, or a redirect leads where we do not follow.
            SourceOverloaded: they come too slowly.
        """
        url = self._site + path
        for _ in range(MOST_REDIRECTS + 1):
            with self._asked(url, timeout_s) as response:
                if not response.is_redirect:
                    check_status(response)
                    return self._body(response)
                url = self._following(url, response.headers["location"])
        raise SourceNotUnderstood(f"a download is redirected more than {MOST_REDIRECTS} times")

    def _asked(self, url: str, timeout_s: float) -> requests.Response:
        session = self._session if self._is_site(url) else self._stranger(url)
        # Nothing that grows when it is unpacked.
        asked = requests.Request("GET", url, headers={"Accept-Encoding": "identity"})
        prepared = session.prepare_request(asked)
        found = session.merge_environment_settings(url, {}, True, None, None)
        left = max(1.0, min(timeout_s, self._until - time.monotonic()))
        # Past Session.send, which reads the body of a redirect to its end even if it has none.
        return session.get_adapter(url).send(prepared, timeout=left, **found)

    def _stranger(self, url: str) -> requests.Session:
        """A session that knows nothing of ours; of the environment it takes proxy and CA alone."""
        found = self._session.merge_environment_settings(url, {}, True, None, None)
        session = requests.Session()
        session.trust_env = False  # else it looks for a password in ~/.netrc
        session.proxies, session.verify = found["proxies"], found["verify"]
        if place(parse_url(url)) not in self._file_hosts:
            session.mount("https://", PublicAdapter())
        return session

    def _following(self, url: str, location: str) -> str:
        try:
            # The parser of the library that connects: another one may read another host.
            there = parse_url(urljoin(url, location))
        except (LocationParseError, ValueError) as error:
            raise SourceNotUnderstood("a download is redirected to no address") from error
        is_media = there.scheme == "https" and place(there) in CLOUD_FILES
        is_named = there.scheme in USUAL_PORTS and place(there) in self._file_hosts
        if self._is_site(there.url) or is_media or is_named:
            return there.url
        raise SourceNotUnderstood(
            f"a download is redirected to {place(there)[:100]!r}, which is none of the site's "
            "hosts; if it is, name it in CONFLUENCE_FILE_HOSTS"
        )

    def _is_site(self, url: str) -> bool:
        """The same scheme, host and port; or the site's own step from http to https."""
        ours, there = parse_url(self._site), parse_url(url)
        if place(ours) != place(there):
            return False
        return there.scheme in (ours.scheme, "https")

    def _body(self, response: requests.Response) -> bytes:
        data = bytearray()
        try:
            # Whatever has come, at once: a full piece of a body that drips would take for ever.
            while piece := response.raw.read1(PIECE, decode_content=True):
                data += piece
                self._check(len(data))
        except HTTPError as error:
            kind = type(error).__name__
            raise SourceUnreachable(f"a download broke off ({kind})") from error
        return bytes(data)

    def _check(self, size: int) -> None:
        if size > self._limit:
            raise SourceNotUnderstood(
                f"a file is larger than the {self._limit} bytes that are read"
            )
        if time.monotonic() > self._until:
            raise SourceOverloaded("a file did not come to its end in time")


def place(url: Url) -> str:
    """Host, and port where it is not the usual one of its scheme.

    >>> place(parse_url("https://wiki.example:443/x")), place(parse_url("http://wiki.example:8090"))
    ('wiki.example', 'wiki.example:8090')
    """
    host = (url.host or "").rstrip(".").lower()
    return host if url.port in (None, USUAL_PORTS.get(url.scheme or "")) else f"{host}:{url.port}"
