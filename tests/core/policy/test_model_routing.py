"""Text routing: which pages may reach which endpoint, and what the settings say of that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from wiki import key, page

from core.errors import SettingsError, StoreUnavailable
from core.evidence.dense.collections import configured
from core.policy.acl import OPEN_ID, Reader
from core.policy.model_routing import ModelRouting, leaving
from core.settings import Settings
from core.settings.endpoints import Endpoint, endpoint
from core.settings.values import EndpointPlace
from core.storage.database import Database
from core.storage.index_tables import PageRow

OWN, OUTSIDE = "http://10.1.2.3:8000/v1", "https://api.example.com/v1"
FEW = Reader(frozenset({OPEN_ID, "few"}), "user:1")


@pytest.mark.parametrize(
    ("url", "outside"),
    [
        ("http://localhost:11434/v1", False),
        ("http://127.0.0.1/v1", False),
        ("http://[::1]:8000/v1", False),
        ("http://[fe80::1%25eth0]/v1", False),
        ("http://192.168.1.4/v1", False),
        ("http://[fd00::1]/v1", False),
        ("http://ollama:11434/v1", False),
        ("http://gpu.local/v1", False),
        ("http://llm.corp.internal./v1", False),
        ("https://api.openai.com/v1", True),
        ("https://internal.example.com/v1", True),
        ("http://8.8.8.8/v1", True),
        ("http://100.64.0.1/v1", True),  # shared by many customers of a provider: RFC 6598
        ("http://0.0.0.0/v1", True),
        ("http://2130706433/v1", True),
        ("http://own@api.example.com/v1", True),
        ("https://evillocal/v1", False),
        ("https://evil.local.example/v1", True),
    ],
)
def test_an_endpoint_is_ones_own_by_its_address_alone(url: str, outside: bool) -> None:
    assert endpoint(url).outside is outside


def test_the_operator_may_say_whose_it_is() -> None:
    assert endpoint(OUTSIDE, EndpointPlace.OWN).outside is False
    assert endpoint(OWN, EndpointPlace.OUTSIDE).outside is True


@pytest.fixture
def routed(database: Database) -> Database:
    """Open pages of HR and ENG, one with a label, and one that only some may read."""
    add(database, "1", "HR")
    add(database, "2", "ENG")
    add(database, "3", "ENG", labels=("secret",))
    add(database, "4", "ENG", acl="few")
    return database


def add(
    database: Database,
    number: str,
    space: str,
    *,
    acl: str = OPEN_ID,
    labels: tuple[str, ...] = (),
) -> None:
    record = page(number, space=space, labels=labels).model_dump(mode="json")
    with database.session() as session:
        session.add(PageRow(id=number, space=space, record=record, acl_id=acl))


def routing(database: Database, url: str = OUTSIDE, **more: Any) -> ModelRouting:
    chosen = Settings(llm_base_url=url, **more)
    assert chosen.model_endpoint is not None
    return ModelRouting.to(chosen.model_endpoint, chosen, database)


ALL = [key(number) for number in "1234"]


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ({"url": OWN}, ""),
        ({}, "4"),
        ({"llm_restricted": True}, ""),
        ({"llm_endpoint": "own"}, ""),
        ({"url": OWN, "llm_endpoint": "outside"}, "4"),
        ({"llm_spaces": "HR"}, "234"),
        ({"url": OWN, "llm_spaces": "ENG"}, "1"),
        ({"url": OWN, "llm_excluded_labels": "Secret, other"}, "3"),
        ({"llm_spaces": "ENG", "llm_excluded_labels": "secret"}, "134"),
    ],
)
def test_the_settings_say_which_pages_are_kept(
    routed: Database, chosen: dict[str, Any], kept: str
) -> None:
    assert routing(routed, **chosen).kept(ALL) == {key(number) for number in kept}


def test_a_page_that_nobody_knows_is_kept_where_any_is(routed: Database) -> None:
    assert routing(routed).kept([key("9")]) == {key("9")}
    assert routing(routed, url=OWN).kept([key("9")]) == set()


def test_a_page_that_is_hidden_now_does_not_reach_an_endpoint_outside(routed: Database) -> None:
    with routed.session() as session:
        session.get_one(PageRow, key("2")).visible = False
    assert routing(routed).kept([key("2")]) == {key("2")}


def test_names_are_told_of_what_may_be_told_alone(routed: Database) -> None:
    assert routing(routed, url=OWN).tellable(FEW) == FEW
    outside = routing(routed).tellable(FEW)
    assert outside == Reader(frozenset({OPEN_ID}))
    assert routing(routed, url=OWN, llm_spaces="HR").tellable(FEW) is None
    assert routing(routed, url=OWN, llm_excluded_labels="secret").tellable(FEW) is None


@pytest.mark.parametrize(
    ("chosen", "refused"),
    [
        ({}, ""),
        ({"permission_mode": "aware"}, "LLM_RESTRICTED"),
        ({"permission_mode": "aware", "llm_restricted": True}, ""),
        ({"permission_mode": "aware", "llm_base_url": OWN}, ""),
        ({"llm_spaces": "HR", "llm_base_url": OWN}, "LLM_SPACES"),
        ({"llm_excluded_labels": "secret"}, "LLM_EXCLUDED_LABELS"),
    ],
)
def test_an_embedder_that_gets_all_pages_is_refused_where_some_are_kept(
    chosen: dict[str, Any], refused: str
) -> None:
    settings = Settings(**({"embedder": "openai:small", "llm_base_url": OUTSIDE} | chosen))
    if not refused:
        configured(settings)
        return
    with pytest.raises(SettingsError, match=f"EMBEDDER=openai:small .*{refused} keep"):
        configured(settings)


def test_the_embedder_of_an_older_index_gets_nothing_more_either() -> None:
    dense = configured(Settings(embedder="bundled", llm_base_url=OUTSIDE, llm_spaces="HR"))
    with pytest.raises(StoreUnavailable, match="LLM_SPACES"):
        dense.embedder("openai:small")


def test_what_leaves_is_told_by_endpoint(tmp_path: Path) -> None:
    assert leaving(Settings()).model is None
    facts = leaving(
        Settings(
            llm_base_url=OUTSIDE,
            llm_spaces="HR, ENG",
            embedder="openai:small",
            reranker="http://ranker:9000/rerank",
        )
    )
    assert facts.model == facts.embedder == Endpoint("api.example.com", outside=True)
    assert facts.reranker == Endpoint("ranker", outside=False)
    assert facts.spaces == ("HR", "ENG")


def test_what_the_operator_says_of_the_models_endpoint_counts_for_a_reranker_there() -> None:
    same = Settings(
        llm_base_url=OUTSIDE, llm_endpoint="own", reranker="https://api.example.com/rerank"
    )
    assert leaving(same).reranker == Endpoint("api.example.com", outside=False)
    other = same.model_copy(update={"reranker": "https://other.example.com/rerank"})
    assert leaving(other).reranker == Endpoint("other.example.com", outside=True)
