"""Webhooks over real HTTP: signed ones tell, everything else is refused; and the whole way."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from raw_http import served_routes
from test_indexer_commands import indexer, refused, said, start, wait_until
from wiki_site import HOME, LEAVE, LEAVE_BODY, OPS, TRAVEL, Wiki, content, environment

from core.access import page_news
from core.evidence import EvidenceStore
from core.http.bounded_body import MOST_BYTES
from core.pages import CONFLUENCE
from core.storage.database import Database
from indexer.news.loop import Pause
from indexer.news.webhooks import PATH, Webhooks
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running
from sandbox.programs.processes import Programs, free_port

SECRET = "a secret of a webhook"
EVENT = {"event": "page_updated", "page": {"id": int(LEAVE)}}


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    return Wiki(url, site, store)


class Listening:
    """Webhooks on a free port."""

    def __init__(self, url: str, database: Database) -> None:
        self.url = url + PATH
        self.database = database
        self.hurried = threading.Event()

    def waiting(self) -> set[str]:
        return set(page_news.waiting(self.database, CONFLUENCE, most=99))

    def post(self, body: bytes, signature: str | None = None) -> int:
        right = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        sent = f"sha256={right}" if signature is None else signature
        headers = {"X-Hub-Signature": sent}
        return httpx.post(self.url, content=body, headers=headers, trust_env=False).status_code


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Listening]:
    database = Database(f"sqlite:///{tmp_path / 'g.db'}")
    database.migrate()
    hurried = threading.Event()
    with served_routes(Webhooks(database, CONFLUENCE, SECRET, hurried.set).routes) as url:
        made = Listening(url, database)
        made.hurried = hurried
        yield made


def test_a_signed_event_tells_its_page(listening: Listening) -> None:
    assert listening.post(json.dumps(EVENT).encode()) == 200
    assert listening.waiting() == {LEAVE}
    assert not listening.hurried.is_set()


@pytest.mark.parametrize(
    "signature", ["", "sha256=", "sha256=" + "0" * 64, "sha1=0", "sha256=\xe4", "Bearer x"]
)
def test_an_event_that_is_not_signed_with_the_secret_is_refused(
    listening: Listening, signature: str
) -> None:
    headers = {b"X-Hub-Signature": signature.encode("latin-1")}
    body = json.dumps(EVENT).encode()
    sent = httpx.post(listening.url, content=body, headers=headers, trust_env=False)
    assert sent.status_code == 401
    assert httpx.post(listening.url, content=body, trust_env=False).status_code == 401
    assert listening.waiting() == set()


def test_a_signature_is_of_the_body_as_it_came(listening: Listening) -> None:
    body = json.dumps(EVENT).encode()
    right = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    assert listening.post(body + b" ", f"sha256={right}") == 401
    assert listening.waiting() == set()


def test_a_test_of_the_connection_and_events_of_nothing_are_accepted(listening: Listening) -> None:
    assert listening.post(b'{"test": true}') == 200
    assert listening.post(b'{"event": "user_created", "user": {"id": 3}}') == 200
    assert listening.waiting() == set()


def test_what_is_no_event_or_too_large_is_refused(listening: Listening) -> None:
    assert listening.post(b"not json") == 400
    assert listening.post(b" " * (MOST_BYTES + 1)) == 413
    assert httpx.get(listening.url, trust_env=False).status_code == 405
    assert listening.waiting() == set()


def test_permissions_of_a_space_bring_the_next_sync_forward(listening: Listening) -> None:
    assert listening.post(b'{"event": "space_permissions_updated", "space": {"id": 7}}') == 200
    assert listening.hurried.is_set()
    assert listening.waiting() == set()


def test_a_pause_ends_early_when_somebody_is_in_a_hurry() -> None:
    pause = Pause(600, earliest_s=0.2)
    pause.hurry()
    begun = time.monotonic()
    pause.wait()
    assert 0.2 <= time.monotonic() - begun < 60
    unhurried = Pause(0.3, earliest_s=0.1)
    begun = time.monotonic()
    unhurried.wait()
    assert time.monotonic() - begun >= 0.3


@pytest.mark.parametrize("flavor", ["datacenter", "forge"])
def test_the_stand_in_tells_of_every_change_of_a_page(
    listening: Listening, wiki: Wiki, flavor: str
) -> None:
    wiki.site.webhooks(listening.url, SECRET, flavor=flavor)
    changes: list[tuple[Callable[[], Any], str]] = [
        (lambda: wiki.site.edit(LEAVE, "<p>x</p>"), LEAVE),
        (lambda: wiki.site.rename(TRAVEL, "Trips"), TRAVEL),
        (lambda: wiki.site.move(TRAVEL, parent_id=LEAVE), TRAVEL),
        (lambda: wiki.site.restrict(OPS, groups=["people"]), OPS),
        (lambda: wiki.site.unrestrict(OPS), OPS),
        (lambda: wiki.site.labels(HOME, ["x"]), HOME),
        (lambda: wiki.site.trash(LEAVE), LEAVE),
        (lambda: wiki.site.restore(LEAVE), LEAVE),
        (lambda: wiki.site.purge(LEAVE), LEAVE),
    ]
    for change, page_id in changes:
        change()
        told = page_news.waiting(listening.database, CONFLUENCE, most=9)
        assert set(told) == {page_id}
        page_news.strike(listening.database, CONFLUENCE, told)
    wiki.site.space_readers("DOC", groups=["people"])
    assert listening.hurried.is_set()


def test_webhooks_without_a_secret_or_a_port_end_the_indexer(
    wiki: Wiki, tmp_path: Path, chroma_url: str
) -> None:
    port = free_port()
    settings = environment(wiki.url, tmp_path, chroma_url) | {"WEBHOOK_PORT": str(port)}
    done = indexer(settings, "sync", "--every", "1h")
    assert "WEBHOOK_SECRET" in refused(done)
    with running(build_app(content())) as url:
        taken = settings | {"WEBHOOK_SECRET": SECRET, "WEBHOOK_PORT": url.rpartition(":")[2]}
        done = indexer(taken, "sync", "--every", "1h")
    assert "WEBHOOK_PORT: cannot listen" in refused(done)


def following(wiki: Wiki, tmp_path: Path, chroma_url: str, **more: str) -> dict[str, str]:
    """The settings of an indexer that syncs once an hour, and is told in between."""
    told = {"WEBHOOK_PORT": str(free_port()), "WEBHOOK_SECRET": SECRET, "CONFLUENCE_NEWS_S": "0"}
    return environment(wiki.url, tmp_path, chroma_url) | told | more


def webhook(settings: dict[str, str]) -> str:
    return f"http://127.0.0.1:{settings['WEBHOOK_PORT']}{PATH}"


def unread(wiki: Wiki) -> set[str]:
    return set(page_news.waiting(wiki.store.database, CONFLUENCE, most=9))


def test_a_webhook_is_enough_between_two_syncs(wiki: Wiki, tmp_path: Path, chroma_url: str) -> None:
    settings = following(wiki, tmp_path, chroma_url)
    with Programs(tmp_path / "logs") as programs:
        running_indexer = start(programs, settings, "indexer", "sync", "--every", "1h")
        wait_until(lambda: OPS in wiki.visible())
        wiki.site.webhooks(webhook(settings), SECRET)
        wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
        wait_until(lambda: "31 days" in "".join(wiki.evidence(LEAVE)))
        wiki.site.restrict(LEAVE, groups=["people"])
        wait_until(lambda: LEAVE not in wiki.visible())
        assert "Leave" not in wiki.all_evidence()
        wait_until(lambda: not unread(wiki))
        wait_until(lambda: len(said(running_indexer.log.read_text(), "news.read")) == 2)
        log = running_indexer.log.read_text()
    assert len(said(log, "synced")) == 2, "each space once: no sync was waited for"
    assert [line["read"] for line in said(log, "news.read")] == [1, 1]


def test_without_webhooks_the_fast_path_is_enough_for_edits(
    wiki: Wiki, tmp_path: Path, chroma_url: str
) -> None:
    settings = environment(wiki.url, tmp_path, chroma_url) | {"CONFLUENCE_NEWS_S": "1"}
    with Programs(tmp_path / "logs") as programs:
        start(programs, settings, "indexer", "sync", "--every", "1h")
        wait_until(lambda: OPS in wiki.visible())
        wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
        wait_until(lambda: "31 days" in "".join(wiki.evidence(LEAVE)))


def test_what_was_told_to_an_indexer_that_was_killed_is_read_by_the_next(
    wiki: Wiki, tmp_path: Path, chroma_url: str
) -> None:
    settings = following(wiki, tmp_path, chroma_url)
    with Programs(tmp_path / "logs") as programs:
        killed = start(programs, settings, "killed", "sync", "--every", "1h")
        wait_until(lambda: OPS in wiki.visible())
        wiki.site.webhooks(webhook(settings), SECRET)
        wiki.site.fault(path_contains="/restriction/", delay_s=30)  # Given one that dies reading
        wiki.site.restrict(LEAVE, groups=["people"])
        wait_until(lambda: "/restriction/" in str(wiki.site.received()[-3:]))
        killed.kill()
        assert unread(wiki) == {LEAVE}
        assert LEAVE in wiki.visible()
        start(programs, settings, "next", "sync", "--every", "1h")  # When the next one comes
        wait_until(lambda: not unread(wiki))
    assert LEAVE not in wiki.visible()  # Then it has read what the other was told
