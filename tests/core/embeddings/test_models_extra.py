"""Embedders of the extra `models`, each loaded for real from a tiny model of its kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import embeddings
from core.embeddings import Embedder
from core.errors import SettingsError
from core.settings import Settings

TEXTS = ["25 days of leave", "a hotel in porto", "25 days of leave"]


def load(name: str | Path) -> Embedder:
    return embeddings.load(Settings(embedder=str(name)))


def holds_what_an_embedder_promises(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (3, 16)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert vectors[0] == pytest.approx(vectors[2], abs=1e-5)
    assert vectors[0] @ vectors[1] < 0.99
    assert embedder.embed(TEXTS[1:2])[0] == pytest.approx(vectors[1], abs=1e-4)


@pytest.mark.models
def test_a_sentence_transformers_model_is_loaded_by_its_path(tiny: Any, tmp_path: Path) -> None:
    embedder = load(tiny.encoder(tmp_path / "tiny"))
    assert embedder.name == str(tmp_path / "tiny")
    holds_what_an_embedder_promises(embedder)


@pytest.mark.models
def test_a_bge_m3_model_is_known_by_its_name_and_loaded_through_flagembedding(
    tiny: Any, tmp_path: Path
) -> None:
    embedder = load(tiny.m3(tmp_path / "tiny-bge-m3"))
    assert type(embedder).__module__ == "core.embeddings.flag"
    holds_what_an_embedder_promises(embedder)


@pytest.mark.models
def test_a_model_is_loaded_through_flagembedding_when_the_setting_says_so(
    tiny: Any, tmp_path: Path
) -> None:
    holds_what_an_embedder_promises(load(f"flag:{tiny.m3(tmp_path / 'tiny')}"))


@pytest.mark.models
@pytest.mark.parametrize("kind", ["", "flag:"])
def test_a_model_that_does_not_exist_is_a_wrong_setting(
    tiny: Any, tmp_path: Path, kind: str
) -> None:
    with pytest.raises(SettingsError, match=f"^EMBEDDER={kind}{tmp_path}/none cannot be loaded: "):
        load(f"{kind}{tmp_path}/none")


@pytest.mark.parametrize("name", ["some/model", "BAAI/bge-m3"])
def test_a_model_that_cannot_be_had_is_a_wrong_setting_that_names_itself(name: str) -> None:
    with pytest.raises(
        SettingsError, match=rf"^EMBEDDER={name} (needs the extra `models`|cannot be loaded)"
    ):
        load(name)
