"""Embedders: the bundled one, and one behind an endpoint."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from core import embeddings
from core.embeddings import Vectors, unit
from core.embeddings.bundled import BATCH, Bundled
from core.embeddings.openai import BATCH as REQUEST
from core.errors import SettingsError, StoreUnavailable
from core.settings import Settings
from sandbox.llm.client import ScriptedModel

NOBODY = "http://127.0.0.1:1/v1"


def similar(vectors: Vectors) -> Vectors:
    return np.asarray(vectors @ vectors.T)


def test_vectors_have_length_one_and_one_row_per_text(embedder: Bundled) -> None:
    vectors = embedder.embed(["leave", "Wie viel Urlaub gibt es?", ""])
    assert vectors.shape == (3, 512)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_no_text_gives_no_vector(embedder: Bundled) -> None:
    assert embedder.embed([]).shape == (0, 512)


@pytest.mark.parametrize(
    ("german", "english", "unrelated"),
    [
        (
            "Wie viele Urlaubstage habe ich?",
            "How many days of vacation do I have?",
            "The printer is out of paper.",
        ),
        (
            "Der Server startet nicht mehr.",
            "The server does not start any more.",
            "We had lunch at the sea.",
        ),
    ],
)
def test_the_same_meaning_in_two_languages_is_nearer_than_something_unrelated(
    embedder: Bundled, german: str, english: str, unrelated: str
) -> None:
    cosines = similar(embedder.embed([german, english, unrelated]))
    assert cosines[0, 1] > cosines[0, 2] + 0.2
    assert cosines[0, 1] > cosines[1, 2] + 0.2


def test_a_text_has_the_same_vector_alone_and_among_many(embedder: Bundled) -> None:
    texts = [f"text number {n}" for n in range(BATCH + 1)]
    assert embedder.embed(texts)[-1] == pytest.approx(embedder.embed(texts[-1:])[0], abs=1e-4)


def test_a_row_of_zeros_stays_zeros() -> None:
    assert unit(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)).tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        [0.0, 0.0],
    ]


def test_the_bundled_embedder_is_the_default() -> None:
    assert isinstance(embeddings.load(Settings()), Bundled)


def remote(url: str, name: str = "openai:some-model") -> embeddings.Embedder:
    return embeddings.load(Settings(embedder=name, llm_base_url=url, llm_timeout_s=5))


def test_an_endpoint_gives_unit_vectors_under_the_models_name(
    llm_url: str, model: ScriptedModel
) -> None:
    endpoint = remote(llm_url)
    cosines = similar(endpoint.embed(["days of leave", "days of leave", "hotel"]))
    assert endpoint.name == "some-model"
    assert cosines.shape == (3, 3)
    assert cosines[0, :2] == pytest.approx(1.0)
    assert cosines[0, 2] < 0.5


def test_many_texts_are_sent_in_several_requests_and_keep_their_order(
    llm_url: str, model: ScriptedModel
) -> None:
    texts = [f"number {n}" for n in range(REQUEST + 1)]
    vectors = remote(llm_url).embed(texts)
    assert [len(request["body"]["input"]) for request in model.received()] == [REQUEST, 1]
    assert vectors[-1] == pytest.approx(remote(llm_url).embed(texts[-1:])[0])


def test_an_endpoint_that_is_away_is_said_so() -> None:
    with pytest.raises(StoreUnavailable, match="LLM_BASE_URL"):
        remote(NOBODY).embed(["leave"])


@pytest.mark.parametrize(
    "fault", [{"status": 400}, {"garbage": True}, {"login_page": True}, {"truncate": True}]
)
def test_an_endpoint_that_answers_something_else_is_said_so(
    llm_url: str, model: ScriptedModel, fault: dict[str, object]
) -> None:
    model.fault(times=9, **fault)
    with pytest.raises(StoreUnavailable, match="LLM_BASE_URL"):
        remote(llm_url).embed(["leave"])


def test_an_endpoint_without_an_address_is_a_wrong_setting() -> None:
    with pytest.raises(SettingsError, match="LLM_BASE_URL not set"):
        embeddings.load(Settings(embedder="openai:some-model"))


def test_a_text_without_end_takes_no_memory_without_end(embedder: Bundled) -> None:
    """Each sign of it is a token; uncut, these take 12 GB."""
    tracemalloc.start()
    try:
        vectors = embedder.embed(["[" * 700_000, *["(" * 8_000] * 10])
        assert tracemalloc.get_traced_memory()[1] < 2_000_000_000
    finally:
        tracemalloc.stop()
    assert vectors.shape == (11, 512)
