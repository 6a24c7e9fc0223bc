"""Sorts hits with a cross-encoder, which reads question and evidence together; the setting RERANKER names it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Protocol

from core.errors import SettingsError
from core.models import Hit
from core.settings import Settings


class Reranker(Protocol):
    """Puts the hits that answer the question first."""

    def rerank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]: ...


class FlagCrossEncoder:
    """A FlagEmbedding reranker such as bge-reranker-v2-m3, by name or path."""

    def __init__(self, name: str) -> None:
        # Imported here and not above: FlagEmbedding brings torch, which nobody loads who did not ask for a reranker.
        self._model = importlib.import_module("FlagEmbedding").FlagReranker(name, use_fp16=False)

    def rerank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        if not hits:
            return ()
        scores = self._model.compute_score([(question, f"{hit.page.title}\n{hit.evidence.text}") for hit in hits])
        order = sorted(zip(scores, range(len(hits)), strict=True), key=lambda pair: (-pair[0], pair[1]))
        return tuple(hits[i].model_copy(update={"score": float(score)}) for score, i in order)


def load(settings: Settings) -> Reranker | None:
    """The reranker that RERANKER names; None for `none`.

    Raises:
        SettingsError: the model needs the extra `models`, or cannot be loaded.
    """
    if settings.reranker == "none":
        return None
    try:
        return FlagCrossEncoder(settings.reranker)
    except ModuleNotFoundError as error:
        cure = f"needs the extra `models` (no module {error.name}): pip install 'groundwire[models]'"
        raise SettingsError(f"RERANKER={settings.reranker} {cure}") from error
    except (OSError, ValueError) as error:
        raise SettingsError(f"RERANKER={settings.reranker} cannot be loaded: {error}") from error
