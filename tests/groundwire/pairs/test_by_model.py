"""Pairs by the model: it asks about a piece, and only what is answered from that page is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from wiki import page, piece, put

from core.evidence import EvidenceStore
from core.pairs.pairs import Pair
from core.settings import Settings
from core.states import PairOrigin
from evaluation.harness.as_indexed import AsIndexed
from groundwire.pairs import making
from sandbox.llm.client import ScriptedModel
from worker.bootstrap import WorkerParts, build, open_model

SAND = "Sand is kept in nine boxes and refilled on Fridays, and the gritter leaves at four."
ASKED = "Question: How many boxes of sand are there?\nAnswer: nine"


@pytest.fixture
def parts(tmp_path: Path, store: EvidenceStore, chroma_url: str, llm_url: str) -> WorkerParts:
    put(store, page("3", "Winter"), piece(SAND, "3", heading_path=("Icy quays",)))
    chosen = Settings(
        data_dir=tmp_path,
        chroma_url=chroma_url,
        database_url=f"sqlite:///{tmp_path / 'groundwire.db'}",
        llm_base_url=llm_url,
        llm_model="sandbox-toy",
    )
    return build(chosen, AsIndexed())


def made(parts: WorkerParts) -> list[Pair]:
    model = open_model(parts.settings, parts.database)
    assert model
    return list(making.of_model(parts, model, 5, seed=0))


def test_the_model_asks_and_the_product_answers(parts: WorkerParts, model: ScriptedModel) -> None:
    model.say(ASKED, "Sand is kept in nine boxes [1].")
    (pair,) = made(parts)
    assert pair.question == "How many boxes of sand are there?"
    assert pair.answer == "Sand is kept in nine boxes [1]."
    assert (pair.page.id, pair.origin) == ("3", PairOrigin.MODEL)


@pytest.mark.parametrize(
    "says",
    [
        "Sand is kept in ninety boxes [1].",  # no page says that
        "The pages I can read do not answer this.",
    ],
)
def test_an_answer_that_is_no_good_makes_no_pair(
    parts: WorkerParts, model: ScriptedModel, says: str
) -> None:
    model.say(ASKED, says)
    assert made(parts) == []


def test_a_model_that_asks_nothing_makes_no_pair(parts: WorkerParts, model: ScriptedModel) -> None:
    model.say("NONE")
    assert made(parts) == []


def test_a_piece_that_names_another_page_makes_no_pair_by_rules(
    parts: WorkerParts, store: EvidenceStore
) -> None:
    (pair,) = making.of_pages(parts, 5, seed=0)
    assert pair.answer == SAND
    naming = piece(SAND, "3", heading_path=("Icy quays",), names=("4",))
    put(store, page("3", "Winter"), naming)
    assert list(making.of_pages(parts, 5, seed=0)) == []
