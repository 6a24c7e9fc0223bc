"""The HTTP server: what Slack may post, what is refused, what nobody listens to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import redis
from desk import NOBODY, Speaker, a_speaker, settings
from raw_http import served_routes
from sqlmodel import func, select
from starlette.applications import Starlette
from structlog.testing import capture_logs

from bot import http_server
from bot.app import build
from bot.starting.health import bot_works
from core.outages.health import Health
from core.settings import Settings
from core.states import Vote, VoteBy
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import feedback, turn_store
from core.turns.turn import Address, NewQuestion
from sandbox.http.server import running as serving
from sandbox.slack.workspace import events
from sandbox.slack.workspace.signed_http import CHALLENGE, signed
from sandbox.slack.workspace.values import BOT_USER_ID, SIGNING_SECRET, TEAM_ID, Json, Message

QUESTION = "Which berth is free for the Lumo SkyLift?"
MENTION = events.callback(
    events.mentioned(
        Message("C0GENERAL", "1790000000.000100", "U0ALICE", f"<@{BOT_USER_ID}> {QUESTION}")
    )
)
JSON = "application/json"


@pytest.fixture
def bot(
    slack_url: str, redis_url: str, queues: redis.Redis, tmp_path: Path, database: Database
) -> Speaker:
    queues.flushdb()
    return a_speaker(
        settings(tmp_path, slack_url, redis_url, slack_signing_secret=SIGNING_SECRET), database
    )


@pytest.fixture
def http(bot: Speaker) -> Iterator[httpx.Client]:
    """A client of the bot's web server, all of it."""
    slack = http_server.slack_route(build(bot.settings, bot.database).dispatch, SIGNING_SECRET)
    health = Health()
    bot_works(health, bot.database, bot.settings, connected=lambda: True)
    routes = [slack, *health.routes]
    with served_routes(routes) as url, httpx.Client(base_url=url, trust_env=False) as client:
        yield client


def post(http: httpx.Client, payload: Json, **how: str) -> httpx.Response:
    """What Slack would send now."""
    body = json.dumps(payload)
    return http.post(http_server.PATH, content=body, headers=signed(body, JSON) | how)


def turns(database: Database) -> int:
    with database.reading() as session:
        return session.exec(select(func.count()).select_from(TurnRow)).one()


def test_a_signed_mention_is_written_down_and_acknowledged(
    http: httpx.Client, database: Database, queues: redis.Redis
) -> None:
    assert post(http, MENTION).status_code == 200
    assert turns(database) == 1
    queued = [json.loads(raw)["headers"]["task"] for raw in queues.lrange("speak", 0, -1)]
    assert queued[-1] == "bot.deliver"
    assert queues.llen("answer") == 0  # Slack has not said yet who asks


def test_the_challenge_of_a_request_url_is_answered(http: httpx.Client) -> None:
    answer = post(http, {"token": "t", "type": "url_verification", "challenge": CHALLENGE})
    assert (answer.status_code, answer.json()) == (200, {"challenge": CHALLENGE})


@pytest.mark.parametrize(
    ("body", "more"),
    [
        (None, {}),
        (json.dumps(MENTION), {"secret": "another-secret"}),
        (json.dumps(MENTION) + " ", {}),
        (json.dumps(MENTION), {"age": 310}),
        (json.dumps(MENTION), {"age": -310}),
    ],
    ids=["unsigned", "another secret", "another body", "too old", "from the future"],
)
def test_what_slack_has_not_signed_is_refused(
    http: httpx.Client, database: Database, body: str | None, more: Json
) -> None:
    secret, now = more.get("secret", SIGNING_SECRET), time.time() - more.get("age", 0)
    headers = {"Content-Type": JSON} if body is None else signed(body, JSON, secret=secret, now=now)
    assert (
        http.post(http_server.PATH, content=json.dumps(MENTION), headers=headers).status_code == 401
    )
    assert turns(database) == 0


def test_the_signature_is_that_of_the_bytes_that_came(
    http: httpx.Client, database: Database
) -> None:
    body = json.dumps(MENTION, indent=2, ensure_ascii=False)
    assert (
        http.post(http_server.PATH, content=body.encode(), headers=signed(body, JSON)).status_code
        == 200
    )
    assert turns(database) == 1


def test_a_first_delivery_that_carries_the_header_of_a_retry_is_not_skipped(
    http: httpx.Client, database: Database
) -> None:
    again = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    assert post(http, MENTION, **again).status_code == 200
    assert post(http, MENTION, **again).status_code == 200
    assert turns(database) == 1


@pytest.mark.parametrize(
    "payload",
    [
        events.callback({"type": "team_join", "user": "U0DEV"}),
        {"type": "message_action", "callback_id": "unknown"},
    ],
    ids=["event", "shortcut"],
)
def test_what_nobody_listens_to_is_acknowledged(http: httpx.Client, payload: Json) -> None:
    assert post(http, {"team": {"id": TEAM_ID}, **payload}).status_code == 200


def test_what_could_not_be_written_down_is_not_acknowledged(
    http: httpx.Client, database: Database
) -> None:
    with database.session() as session:
        session.connection().exec_driver_sql("ALTER TABLE turn RENAME TO elsewhere")
    with capture_logs() as said:  # the development format of tracebacks takes seconds
        assert post(http, MENTION).status_code == 500
    assert [line["event"] for line in said] == ["listener.failed"]


@pytest.mark.parametrize("body", ["{", "[]", '"x"', "[" * 200_000, "", "payload=%7B"])
def test_a_signed_body_that_is_none_of_slacks_is_refused_and_leaves_no_traceback(
    http: httpx.Client, body: str
) -> None:
    with capture_logs() as said:
        sent = http.post(http_server.PATH, content=body, headers=signed(body, JSON))
    assert sent.status_code in (200, 400), sent.text
    assert not [line for line in said if line["log_level"] == "error"]


def test_what_was_acknowledged_is_not_done_again_when_it_is_played_back(
    http: httpx.Client, database: Database
) -> None:
    body = json.dumps(MENTION)
    headers = signed(body, JSON)
    assert http.post(http_server.PATH, content=body, headers=headers).status_code == 200
    with database.session() as session:
        session.connection().exec_driver_sql("DELETE FROM turn")  # so that SQL forgets it
    assert http.post(http_server.PATH, content=body, headers=headers).status_code == 200
    assert turns(database) == 0


def test_what_failed_is_done_when_slack_sends_it_again(
    http: httpx.Client, database: Database
) -> None:
    body = json.dumps(MENTION)
    headers = signed(body, JSON)
    with database.session() as session:
        session.connection().exec_driver_sql("ALTER TABLE turn RENAME TO elsewhere")
    with capture_logs():
        assert http.post(http_server.PATH, content=body, headers=headers).status_code == 500
    with database.session() as session:
        session.connection().exec_driver_sql("ALTER TABLE elsewhere RENAME TO turn")
    assert http.post(http_server.PATH, content=body, headers=headers).status_code == 200
    assert turns(database) == 1


def test_a_bot_whose_stores_answer_is_ready(http: httpx.Client) -> None:
    assert http.get("/healthz").text == "ok"
    ready = http.get("/readyz")
    assert (ready.status_code, ready.json()) == (
        200,
        {"ready": True, "database": "ok", "redis": "ok", "slack": "ok", "clock": "ok"},
    )


def test_without_redis_and_slack_the_bot_lives_and_is_not_ready(
    database: Database,
) -> None:
    lost = Health()
    bot_works(lost, database, Settings(redis_url=NOBODY), connected=lambda: False)
    with (
        serving(Starlette(routes=[*lost.routes])) as url,
        httpx.Client(base_url=url, trust_env=False) as http,
    ):
        assert http.get("/healthz").status_code == 200
        ready = http.get("/readyz")
        assert ready.status_code == 503
        assert ready.json() == {
            "ready": False,
            "database": "ok",
            "redis": "does not answer",
            "slack": "not connected",
            "clock": "ok",
        }
        assert 'groundwire_open{what="questions"}' in http.get("/metrics").text


def test_the_numbers_tell_what_happened_and_name_nobody(http: httpx.Client, bot: Speaker) -> None:
    post(http, MENTION)
    turn = turn_store.ask(
        bot.database,
        NewQuestion(
            Address(TEAM_ID, "C0HR", "1790000001.000100", "1790000001.000100"),
            user="U0BEN",
            text=QUESTION,
        ),
    )
    assert turn is not None
    feedback.record(bot.database, turn.id, "U0CHLOE", Vote.UP, by=VoteBy.BUTTON)
    bot.client.token = "xoxb-of-nobody"
    with pytest.raises(Exception, match="invalid_auth"):
        bot.client.chat_postMessage(channel="C0HR", text="hello")
    text = http.get("/metrics").text
    for told in (
        'groundwire_slack_request_seconds_count{kind="app_mention",status="200"}',
        'groundwire_questions_total{how="channel"}',
        'groundwire_votes_total{by="button",vote="up"}',
        'groundwire_slack_errors_total{error="invalid_auth",method="chat.postMessage"}',
        'groundwire_queue_length{queue="speak"}',
        'groundwire_open{what="questions"} 2.0',
    ):
        assert told in text
    for secret in (
        "U0ALICE",
        "U0BEN",
        "U0CHLOE",
        "C0GENERAL",
        "C0HR",
        TEAM_ID,
        turn.id,
        "Lumo",
        "1790000",
    ):
        assert secret not in text
