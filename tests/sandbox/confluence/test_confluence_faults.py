"""What goes wrong on order: the stand-in for Confluence answers as a bad day does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from atlassian import ConfluenceV2

from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.app import TOKEN, USERNAME, build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.load import load
from sandbox.http.server import running

# The client warns of its own old methods whenever it is made, whichever are called.
pytestmark = pytest.mark.filterwarnings("ignore:V1 methods are deprecated:DeprecationWarning")


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with running(build_app(load(SAMPLE))) as url:
        yield url


@pytest.fixture
def site(base_url: str) -> Iterator[Site]:
    with Site(base_url) as site:
        site.reset()
        yield site


@pytest.fixture
def http(base_url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{base_url}/wiki", auth=(USERNAME, TOKEN), trust_env=False) as http:
        yield http


def test_an_ordered_status_comes_as_often_as_ordered(site: Site, base_url: str) -> None:
    site.fault(path_contains="/pages", status=429, retry_after=3, times=2)
    with ConfluenceV2(
        f"{base_url}/wiki", username=USERNAME, password=TOKEN, timeout=60, retry_with_header=False
    ) as api:
        replies = [api.get("api/v2/pages", advanced_mode=True) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [429, 429, 200]
    assert replies[0].headers["Retry-After"] == "3"


def test_a_fault_leaves_other_paths_and_the_control_api_alone(
    site: Site, http: httpx.Client
) -> None:
    site.fault(path_contains="/pages", status=500)
    assert http.get("/api/v2/spaces").status_code == 200
    site.received()
    assert http.get("/api/v2/pages").status_code == 500


def test_a_login_page_is_html_with_status_200(site: Site, http: httpx.Client) -> None:
    site.fault(login_page=True)
    reply = http.get("/api/v2/pages")
    assert (reply.status_code, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_a_delay_passes_before_the_answer(site: Site, http: httpx.Client) -> None:
    site.fault(delay_s=0.2)
    began = time.monotonic()
    assert http.get("/api/v2/spaces").status_code == 200
    assert time.monotonic() - began >= 0.2


def test_a_truncated_answer_looks_complete_and_is_half(site: Site, http: httpx.Client) -> None:
    whole = http.get("/api/v2/pages").content
    site.fault(truncate=True)
    assert http.get("/api/v2/pages").content == whole[: len(whole) // 2]


def test_a_dropped_connection_ends_in_the_middle(site: Site, http: httpx.Client) -> None:
    site.fault(drop=True)
    with pytest.raises(httpx.RemoteProtocolError):
        http.get("/api/v2/pages")


@pytest.mark.parametrize(
    ("verb", "sent"),
    [("faults", {"explode": True}), ("edit", {"id": "3002"}), ("create", {"name": "x"})],
)
def test_an_order_that_cannot_be_read_is_refused(
    site: Site, base_url: str, verb: str, sent: dict[str, Any]
) -> None:
    reply = httpx.post(f"{base_url}/sandbox/{verb}", json=sent, trust_env=False)
    assert reply.status_code == 400


def test_a_verb_on_a_page_that_is_not_there_is_404(site: Site) -> None:
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        site.edit("999", "<p/>")
