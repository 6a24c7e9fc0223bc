"""Downloads: where redirects may lead, what travels along, how much is read and for how long."""

from __future__ import annotations

import asyncio
import gzip
import socketserver
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

import pytest
import requests
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from wiki_site import client

from core.confluence.files.download import Download
from core.confluence.files.public import PublicAdapter, is_public
from core.errors import SourceError, SourceNotUnderstood, SourceOverloaded, SourceUnreachable
from core.page_source import Attachment
from sandbox.http.server import running

FILE = Attachment("1", "a.txt", "", 4, 1, "/download/a")


@contextmanager
def site(reply: Callable[[Request], Response]) -> Iterator[str]:
    async def answer(request: Request) -> Response:
        return reply(request)

    with running(Starlette(routes=[Route("/{any:path}", answer)])) as url:
        yield url


def download(url: str, *, limit: int = 1000, seconds: float = 30.0, hosts: str = "") -> bytes:
    session = requests.Session()
    session.headers["Authorization"] = "Bearer secret"
    return Download(session, url, [hosts], limit=limit, seconds=seconds).read(
        FILE.download, timeout_s=5
    )


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://10.0.0.7:8080/admin",
        "http://localhost/",
        "http://2130706433/",
        "https://example.com/file",
        "https://other.atlassian.net/file",
        "https://api.media.atlassian.com.example.com/file",
        "https://xapi.media.atlassian.com/file",
        "http://api.media.atlassian.com/file",
        "https://api.media.atlassian.com:8443/file",
        "file:///etc/passwd",
        "//example.com/file",
        "https://example.com\\@{site}/file",
        "https://example.com#@{site}/file",
        "https://{site}@example.com/file",
        "https://[/file",
    ],
)
def test_a_redirect_leads_to_no_strange_host(target: str) -> None:
    def reply(request: Request) -> Response:
        to = target.replace("{site}", request.url.netloc)
        return Response(status_code=302, headers={"location": to})

    with (
        site(reply) as url,
        pytest.raises(SourceNotUnderstood, match="redirected to"),
    ):
        download(url)


def test_another_port_of_the_sites_own_host_is_another_host() -> None:
    asked: list[str] = []

    def other(request: Request) -> Response:
        asked.append(request.url.path)
        return Response(b"admin")

    with (
        site(other) as inside,
        site(lambda _: RedirectResponse(f"{inside}/admin", 302)) as url,
        pytest.raises(SourceNotUnderstood, match="CONFLUENCE_FILE_HOSTS"),
    ):
        download(url)
    assert not asked


def test_a_name_whose_address_is_private_is_not_connected_to() -> None:
    asked: list[str] = []

    def inside(request: Request) -> Response:
        asked.append(request.url.path)
        return Response(b"admin")

    with site(inside) as url, requests.Session() as session:
        session.trust_env = False
        session.mount("http://", PublicAdapter(max_retries=0))
        for host in ("localhost", "127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"):
            with pytest.raises(requests.ConnectionError, match=r"not public|not known"):
                session.get(url.replace("127.0.0.1", host), timeout=5)
    assert not asked


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "224.0.0.1",
        "ff02::1",
    ],
)
def test_an_address_of_no_public_host_is_none(address: str) -> None:
    assert not is_public(address)


def test_a_redirect_within_the_site_keeps_the_token() -> None:
    seen: list[str | None] = []

    def reply(request: Request) -> Response:
        seen.append(request.headers.get("authorization"))
        return Response(b"file") if "end" in request.url.path else RedirectResponse("/end", 302)

    with site(reply) as url:
        assert download(url) == b"file"
    assert seen == ["Bearer secret"] * 2


def test_a_host_that_the_operator_names_gets_no_token_and_no_cookie() -> None:
    seen: list[tuple[str | None, str | None]] = []

    def other(request: Request) -> Response:
        seen.append((request.headers.get("authorization"), request.headers.get("cookie")))
        return Response(b"file")

    def reply(_: Request) -> Response:
        response = RedirectResponse(f"{media}/file", 302)
        response.set_cookie("session", "secret")
        return response

    with site(other) as media, site(reply) as url:
        assert download(url, hosts=media.rpartition("/")[2]) == b"file"
    assert seen == [(None, None)]


def test_redirects_in_a_circle_end() -> None:
    with (
        site(lambda _: RedirectResponse("/again", 302)) as url,
        pytest.raises(SourceNotUnderstood, match="more than 5 times"),
    ):
        download(url)


def test_an_endless_body_is_read_up_to_the_limit() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 10_000
            yield b"x" * 10_000
            await asyncio.sleep(0)

    with (
        site(lambda _: StreamingResponse(endless())) as url,
        pytest.raises(SourceNotUnderstood, match="larger than the 50000 bytes"),
    ):
        download(url, limit=50_000)
    assert sent < 50_000_000


def test_the_body_of_a_redirect_is_not_read() -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 10_000
            await asyncio.sleep(0)

    def reply(request: Request) -> Response:
        if "end" in request.url.path:
            return Response(b"file")
        return StreamingResponse(endless(), status_code=302, headers={"location": "/end"})

    with site(reply) as url:
        assert download(url) == b"file"


@pytest.mark.parametrize("length", [None, 1_000_000])
def test_a_body_that_drips_ends_at_its_deadline(length: int | None) -> None:
    """Each byte comes well within the time that a read may take."""

    async def drip() -> AsyncIterator[bytes]:
        while True:
            yield b"x"
            await asyncio.sleep(0.05)

    headers = {"content-length": str(length)} if length else {}
    with (
        site(lambda _: StreamingResponse(drip(), headers=headers)) as url,
        pytest.raises(SourceOverloaded, match="in time"),
    ):
        download(url, seconds=0.5, limit=10_000_000)


class Lying(socketserver.StreamRequestHandler):
    """Sends what the server's `reply` says, whatever its Content-Length."""

    def handle(self) -> None:
        while self.rfile.readline().strip():
            pass
        self.wfile.write(self.server.reply)  # type: ignore[attr-defined]


@contextmanager
def raw(reply: bytes) -> Iterator[str]:
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Lying)
    server.reply = reply  # type: ignore[attr-defined]
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_body_shorter_than_it_says_is_no_file() -> None:
    with (
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\nhalf") as url,
        pytest.raises(SourceUnreachable, match="broke off"),
    ):
        download(url)


def test_of_a_body_longer_than_it_says_the_rest_is_not_read() -> None:
    with raw(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfile" + b"x" * 100_000) as url:
        assert download(url) == b"file"


def test_a_body_that_unpacks_to_more_is_read_up_to_the_limit() -> None:
    packed = gzip.compress(b"\0" * 50_000_000)
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n"
    with (
        raw(head.encode() + packed) as url,
        pytest.raises(SourceNotUnderstood, match="larger than"),
    ):
        download(url, limit=100_000)


def test_what_a_download_says_goes_through_the_client_as_an_error_of_ours() -> None:
    with (
        site(lambda _: RedirectResponse("http://169.254.169.254/", 302)) as url,
        pytest.raises(SourceError, match=r"169\.254\.169\.254"),
    ):
        client(url, confluence_flavor="cloud").download(FILE, limit=10)
