"""Embedders: texts in, unit vectors out, chosen by the setting EMBEDDER.

`bundled` needs nothing but the default install. Everything else is imported only when a setting
asks for it, so that torch is never loaded by accident; that is why `load` imports by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.errors import SettingsError
from core.settings import Settings

Vectors = NDArray[np.float32]  # shape (texts, dimensions), each row of length 1


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their cosine similarity."""

    name: str  # goes into the name of the collection: vectors of two embedders are never mixed

    def embed(self, texts: Sequence[str]) -> Vectors: ...


@runtime_checkable
class QuestionEmbedder(Embedder, Protocol):
    """An embedder that knows what is a question: it comes nearer to its answers then."""

    def embed_questions(self, questions: Sequence[str]) -> Vectors: ...


def embed_questions(embedder: Embedder, questions: Sequence[str]) -> Vectors:
    """The vectors of questions, to be compared with those of texts."""
    if isinstance(embedder, QuestionEmbedder):
        return embedder.embed_questions(questions)
    return embedder.embed(questions)


def load(settings: Settings) -> Embedder:
    """The embedder that EMBEDDER names.

    `bundled`, `openai:MODEL`, `flag:NAME` (FlagEmbedding, for bge-m3) or the name or path of a
    sentence-transformers model.

    Raises:
        SettingsError: the model needs the extra `models`, or cannot be loaded.
    """
    module, argument = _choice(settings.embedder)
    try:
        library = importlib.import_module(f"core.embeddings.{module}")
        embedder: Embedder = library.load(argument, settings)
    except ModuleNotFoundError as error:
        cure = f"needs the extra `models` (no module {error.name}): scripts/install models"
        raise SettingsError(f"EMBEDDER={settings.embedder} {cure}") from error
    except (OSError, ValueError) as error:
        raise SettingsError(f"EMBEDDER={settings.embedder} cannot be loaded: {error}") from error
    return embedder


def load_named(settings: Settings, name: str) -> Embedder:
    """The embedder of this name, with what else the settings say about reaching it."""
    return load(settings.model_copy(update={"embedder": name}))


def _choice(name: str) -> tuple[str, str]:
    if name == "bundled":
        return "bundled", ""
    for prefix in ("openai", "flag"):
        if name.startswith(f"{prefix}:"):
            return prefix, name.removeprefix(f"{prefix}:")
    if "bge-m3" in name.lower():
        return "flag", name
    return "transformers", name


def unit(vectors: Vectors) -> Vectors:
    """Each row divided by its length; a row of zeros stays zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    return np.asarray(vectors / lengths, dtype=np.float32)
