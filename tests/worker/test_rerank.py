"""Reranking: off by default, and a real cross-encoder where one is configured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece, put, searching

from core.errors import SettingsError
from core.evidence import EvidenceStore, Query
from core.models import Completed
from core.settings import Settings
from worker import rerank
from worker.rerank import Reranker
from worker.retrieve import Retriever

HITS = [hit(LEAVE, page("1")), hit(HOTEL, page("2")), hit(BACKUP, page("3"))]


def load(name: str) -> Reranker:
    found = rerank.load(Settings(reranker=name))
    assert found is not None
    return found


@pytest.fixture
def reranker(tiny: Any, tmp_path: Path) -> Reranker:
    return load(str(tiny.cross_encoder(tmp_path / "cross-encoder")))


def test_there_is_no_reranker_by_default() -> None:
    assert rerank.load(Settings()) is None


def test_a_reranker_that_cannot_be_had_is_a_wrong_setting_that_names_itself() -> None:
    with pytest.raises(SettingsError, match=r"^RERANKER=some/model (needs the extra `models`|cannot be loaded)"):
        load("some/model")


@pytest.mark.models
def test_hits_are_sorted_by_the_score_of_the_model_whatever_their_order_was(reranker: Reranker) -> None:
    sorted_hits = reranker.rerank("25 days of leave", HITS)
    scores = [hit.score for hit in sorted_hits]
    assert scores == sorted(set(scores), reverse=True)
    assert {hit.evidence for hit in sorted_hits} == {hit.evidence for hit in HITS}
    again = reranker.rerank("25 days of leave", HITS[::-1])
    assert [hit.evidence for hit in again] == [hit.evidence for hit in sorted_hits]


@pytest.mark.models
def test_one_hit_and_no_hit_are_reranked_too(reranker: Reranker) -> None:
    assert [hit.evidence for hit in reranker.rerank("leave", HITS[:1])] == [HITS[0].evidence]
    assert reranker.rerank("leave", []) == ()


@pytest.mark.models
def test_a_search_with_a_reranker_gives_its_best(reranker: Reranker, store: EvidenceStore) -> None:
    pieces = [piece(text) for text in (LEAVE, HOTEL, BACKUP)]
    put(store, page(), *pieces)
    question = Completed(question="25 days of leave", text="25 days of leave")
    best = reranker.rerank(question.text, searching(store).search(Query(question.text), 10).hits)[0]
    assert Retriever(searching(store), reranker).search(question, k=1).hits == (best,)
