"""A stranger's slow, endless and many requests: each ends, and none keeps another one out."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from raw_http import PATIENCE_S, connected, first_line, reply, served_routes, status, status_of
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.http import bounded_connection
from core.http.bounded_body import MOST_BYTES
from core.http.bounded_connection import MOST_CONNECTIONS, MOST_HEADER_BYTES

GOOD = b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served_routes([Route("/echo", echo, methods=["POST"])]) as url:
        yield url


def test_a_good_request_is_served(url: str) -> None:
    assert status(url, GOOD) == 200


HOSTILE = {
    "a length that is too large is refused before its body": (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (MOST_BYTES + 1),
        413,
    ),
    "a length of astronomic size": (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        413,
    ),
    "chunks without end": (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"10000\r\n%s\r\n" % (b"x" * 65536) * 17,
        413,
    ),
    "a negative length": (b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
    "two lengths": (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
        400,
    ),
    # What a proxy and we could take for different requests.
    "chunks and a length go by the chunks": (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\nhi\r\n0\r\n\r\n",
        200,
    ),
    "a chunk whose size is no number": (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n",
        400,
    ),
    "headers without end": (
        b"POST /echo HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * MOST_HEADER_BYTES,
        400,
    ),
    "a line without end": (b"POST /" + b"x" * 3 * MOST_HEADER_BYTES, 400),
    "no HTTP at all": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", 400),
    "NUL in a header": (b"POST /echo HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n", 400),
    "HTTP/1.1 without a host": (b"POST /echo HTTP/1.1\r\n\r\n", 400),
    "HTTP/1.0": (b"POST /echo HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi", 200),
    "HTTP/2 by prior knowledge": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404),
    "another method": (b"DELETE /echo HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    "a method of nobody": (b"BREW /echo HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    "another path": (b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "a path that climbs": (b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "an upgrade to what nobody speaks": (
        b"GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        405,
    ),
}


@pytest.mark.parametrize("request_and_status", HOSTILE.values(), ids=HOSTILE)
def test_what_no_client_would_send_gets_an_answer_and_the_next_one_is_served(
    url: str, request_and_status: tuple[bytes, int], caplog: pytest.LogCaptureFixture
) -> None:
    request, expected = request_and_status
    with caplog.at_level(logging.WARNING):
        assert status(url, request) == expected
        assert status(url, GOOD) == 200
    assert not caplog.records, "a stranger fills no log"


def test_requests_in_one_piece_are_answered_in_turn(url: str) -> None:
    last = GOOD.replace(b"Host: x", b"Host: x\r\nConnection: close")
    with connected(url) as sent:
        sent.sendall(GOOD * 20 + last)
        assert reply(sent).count(b"200 OK") == 21


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"POST /echo HTTP/1.1\r\nHost: x\r\n",
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhi",
        b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        GOOD + b"POST /echo HTTP/1.1\r\n",
    ],
    ids=["silence", "half of the headers", "half of a body", "half of the chunks", "the second"],
)
def test_a_request_that_does_not_come_to_its_end_is_closed(url: str, begun: bytes) -> None:
    with connected(url) as sent:
        sent.sendall(begun)
        come = reply(sent)  # ends when the server closes, or the test fails by its own patience
    assert come.count(b"200 OK") == begun.count(GOOD)


def test_a_connection_that_is_kept_for_the_next_request_has_more_time(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a caller that sends on it meets our goodbye: Slack does not send a form again."""
    monkeypatch.setattr(bounded_connection, "REQUEST_S", 0.3)
    with connected(url) as sent:
        for _ in range(3):
            sent.sendall(GOOD)
            assert status_of(first_line(sent)) == 200
            sent.settimeout(1.0)
            with pytest.raises(TimeoutError):
                while sent.recv(4096):
                    pass
            sent.settimeout(PATIENCE_S)
        sent.sendall(b"POST /echo HTTP/1.1\r\n")
        assert reply(sent) == b"", "the next one has as long as the first"


def test_a_body_that_comes_drop_by_drop_is_closed(url: str) -> None:
    with connected(url) as sent:
        sent.sendall(b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
        sent.settimeout(0.2)
        drops = 0
        while drops < 300:
            try:
                sent.sendall(b"x")
                if sent.recv(1) == b"":
                    break
            except TimeoutError:
                drops += 1
            except ConnectionError:
                break
    assert drops < 300


def test_silent_connections_make_room_for_one_that_speaks(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_connection, "REQUEST_S", 3600.0)  # so that none is closed for that
    with ExitStack() as open_ones:
        silent = [open_ones.enter_context(connected(url)) for _ in range(MOST_CONNECTIONS + 50)]
        assert status(url, GOOD) == 200
        assert first_line(silent[0]) == b"", "the one that was silent for longest is gone"
        silent[-1].sendall(GOOD)
        assert status_of(first_line(silent[-1])) == 200
