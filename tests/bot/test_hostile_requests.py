"""What strangers and broken proxies post where Slack calls: each is answered, nothing is done."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest
import redis
from desk import Speaker, a_speaker, settings
from raw_http import connected, reply, served_routes, status
from sqlmodel import func, select
from structlog.testing import capture_logs

from bot.app import build
from bot.http_server import PATH, slack_route
from core.storage.database import Database
from core.storage.tables import TurnRow
from sandbox.slack.workspace import events
from sandbox.slack.workspace.signed_http import signed
from sandbox.slack.workspace.values import BOT_USER_ID, SIGNING_SECRET, Message

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
SIGNATURE, TIMESTAMP = "X-Slack-Signature", "X-Slack-Request-Timestamp"
QUESTION = f"<@{BOT_USER_ID}> Which berth is free for the Lumo SkyLift?"
MENTION = json.dumps(
    events.callback(
        events.mentioned(Message("C0GENERAL", "1790000000.000100", "U0ALICE", QUESTION))
    )
)


@pytest.fixture
def bot(
    slack_url: str, redis_url: str, queues: redis.Redis, tmp_path: Path, database: Database
) -> Speaker:
    queues.flushdb()
    chosen = settings(tmp_path, slack_url, redis_url, slack_signing_secret=SIGNING_SECRET)
    return a_speaker(chosen, database)


@pytest.fixture
def url(bot: Speaker) -> Iterator[str]:
    """Where Slack calls, the bot's own server around it."""
    slack = slack_route(build(bot.settings, bot.database).dispatch, SIGNING_SECRET)
    with served_routes([slack]) as url:
        yield url


def raw(body: str | bytes, headers: dict[str, str], *more: tuple[str, str]) -> bytes:
    """A request as it goes over the wire; `more` are headers that are there once more."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"{name}: {value}" for name, value in (*headers.items(), *more)]
    head = "\r\n".join([f"POST {PATH} HTTP/1.1", "Host: x", f"Content-Length: {len(data)}", *lines])
    return head.encode("latin-1", "replace") + b"\r\n\r\n" + data


def good(body: str = MENTION, media: str = JSON) -> bytes:
    return raw(body, signed(body, media))


def with_timestamp(value: str) -> bytes:
    return raw(MENTION, signed(MENTION, JSON) | {TIMESTAMP: value})


def without(name: str) -> bytes:
    headers = signed(MENTION, JSON)
    del headers[name]
    return raw(MENTION, headers)


def turns(database: Database) -> int:
    with database.reading() as session:
        return session.exec(select(func.count()).select_from(TurnRow)).one()


NOW = time.time
UNSIGNED: dict[str, Callable[[], bytes]] = {
    "no headers at all": lambda: raw(MENTION, {"Content-Type": JSON}),
    "no timestamp": lambda: without(TIMESTAMP),
    "no signature": lambda: without(SIGNATURE),
    "an empty timestamp": lambda: with_timestamp(""),
    "a timestamp that is a word": lambda: with_timestamp("yesterday"),
    "a timestamp with a fraction": lambda: with_timestamp(f"{NOW():.3f}"),
    "a timestamp that is not finite": lambda: with_timestamp("inf"),
    "a negative timestamp": lambda: with_timestamp(f"-{NOW():.0f}"),
    "a timestamp with a plus": lambda: with_timestamp(f"+{NOW():.0f}"),
    "a timestamp with underscores": lambda: with_timestamp("1_790_000_000"),
    "a timestamp of hexadecimal": lambda: with_timestamp(hex(int(NOW()))),
    "a timestamp of a thousand digits": lambda: with_timestamp("9" * 1000),
    "a timestamp of 5,000 digits, which Python would not read": lambda: with_timestamp("9" * 5000),
    "digits of another script": lambda: with_timestamp("\xb2\xb3\xb9"),
    "a timestamp in milliseconds": lambda: with_timestamp(f"{NOW() * 1000:.0f}"),
    "six minutes old": lambda: raw(MENTION, signed(MENTION, JSON, now=NOW() - 360)),
    "six minutes ahead": lambda: raw(MENTION, signed(MENTION, JSON, now=NOW() + 360)),
    "two timestamps": lambda: raw(MENTION, signed(MENTION, JSON), (TIMESTAMP, f"{NOW():.0f}")),
    "two signatures": lambda: raw(MENTION, signed(MENTION, JSON), (SIGNATURE, "v0=" + "0" * 64)),
    "another scheme": lambda: raw(MENTION, signed(MENTION, JSON) | {SIGNATURE: "v1=" + "0" * 64}),
    "a signature of letters": lambda: raw(
        MENTION, signed(MENTION, JSON) | {SIGNATURE: "\xe4" * 67}
    ),
    "a signature in capitals": lambda: raw(
        MENTION,
        {name: value.upper() for name, value in signed(MENTION, JSON).items() if name == SIGNATURE}
        | {TIMESTAMP: f"{NOW():.0f}"},
    ),
    "another secret": lambda: raw(MENTION, signed(MENTION, JSON, secret="guessed")),
    "a body with a space more": lambda: raw(MENTION + " ", signed(MENTION, JSON)),
    "a body that is no UTF-8": lambda: raw(b"\xff\xfe\x00", signed(MENTION, JSON)),
    "a compressed body": lambda: raw(
        gzip.compress(MENTION.encode()), signed(MENTION, JSON) | {"Content-Encoding": "gzip"}
    ),
    "a challenge that nobody signed": lambda: raw(
        '{"type": "url_verification", "challenge": "x"}', {"Content-Type": JSON}
    ),
    "a check of the certificate that nobody signed": lambda: raw(
        "ssl_check=1&token=x", {"Content-Type": FORM}
    ),
}


@pytest.mark.parametrize("request_of_now", UNSIGNED.values(), ids=UNSIGNED)
def test_what_is_not_signed_is_refused_and_leaves_no_trace(
    url: str, database: Database, request_of_now: Callable[[], bytes]
) -> None:
    with capture_logs() as said:
        assert status(url, request_of_now()) == 401
    assert turns(database) == 0
    assert said == [], "a stranger fills no log"


SIGNED = {
    "JSON that is a list": ("[]", JSON),
    "JSON that is a number": ("1", JSON),
    "JSON that is a text": ('"x"', JSON),
    "JSON that is null": ("null", JSON),
    "JSON cut short": ('{"type": "event_callback"', JSON),
    "JSON 100,000 deep": ('{"a":' * 100_000, JSON),
    "JSON with NUL": ('{"type": "event_callback\x00", "event": "\x00"}', JSON),
    "parts of other types": ('{"type": 1, "event": 2, "authorizations": 3}', JSON),
    "an event that is a list": ('{"type": "event_callback", "event": []}', JSON),
    "a team that is a number": ('{"type": "event_callback", "event": {}, "team": 1}', JSON),
    "nothing": ("", JSON),
    "a form without payload": (urlencode({"token": "x"}), FORM),
    "a form whose payload is no JSON": (urlencode({"payload": "{"}), FORM),
    "a form whose payload is a list": (urlencode({"payload": "[]"}), FORM),
    "a form in place of JSON": (urlencode({"payload": MENTION}), JSON),
    "JSON in place of a form": (MENTION, FORM),
    "a media type of nobody": (MENTION, "text/\xe4"),
}


@pytest.mark.parametrize(("body", "media"), SIGNED.values(), ids=SIGNED)
def test_what_is_signed_and_none_of_slacks_ends_without_a_traceback(
    url: str, body: str, media: str
) -> None:
    with capture_logs() as said:
        assert status(url, good(body, media)) in (200, 400, 404)
        assert status(url, good('{"type": "event_callback", "event": {"type": "x"}}')) in (200, 404)
    assert not [line for line in said if line["log_level"] == "error"]


def test_a_signed_request_behind_one_that_is_not_is_none_of_the_same_connection(
    url: str, database: Database
) -> None:
    """What is refused before its body is read ends the connection: its body is no request."""
    unsigned = raw(good(), {"Content-Type": JSON})  # smuggles a signed one in its body
    with connected(url) as sent:
        sent.sendall(unsigned + good())
        assert reply(sent).count(b"HTTP/1.1") == 1
    assert turns(database) == 0


def test_signed_requests_are_acknowledged_while_strangers_flood_the_port(
    url: str, database: Database
) -> None:
    over = threading.Event()
    refused: list[int] = []

    def flood() -> None:
        while not over.is_set():
            refused.append(status(url, raw("x" * 100_000, {"Content-Type": JSON})))

    with ExitStack() as slow_ones:
        for _ in range(300):
            slow = slow_ones.enter_context(connected(url))
            slow.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Le".encode())
        strangers = [threading.Thread(target=flood) for _ in range(4)]
        for each in strangers:
            each.start()
        try:
            acknowledged = [status(url, good(mention(number))) for number in range(30)]
        finally:
            over.set()
            for each in strangers:
                each.join()
    assert acknowledged == [200] * 30
    assert turns(database) == 30
    assert refused
    assert set(refused) <= {401, 0}, "refused, or closed to make room"


def mention(number: int) -> str:
    said = Message("C0GENERAL", f"179000{number:04}.000100", "U0ALICE", QUESTION)
    return json.dumps(events.callback(events.mentioned(said)))
