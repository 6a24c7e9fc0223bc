"""Sorts hits with a cross-encoder, which reads question and evidence together; the setting RERANKER names it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Protocol

import httpx

from core import logs
from core.errors import SettingsError
from core.models import Hit
from core.settings import Settings

TIMEOUT_S = 10.0

log = logs.get(__name__)


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
        return _sorted(hits, self._model.compute_score([(question, _text(hit)) for hit in hits]))


class HttpReranker:
    """A reranker behind HTTP: the call that Text Embeddings Inference, vLLM, Jina and Cohere have in common, /rerank."""

    def __init__(self, url: str, key: str, timeout_s: float) -> None:
        self._url = url
        self._client = httpx.Client(
            timeout=timeout_s, headers={"Authorization": f"Bearer {key}"} if key != "none" else {}
        )

    def rerank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """In the order of the endpoint, or as they were when it does not answer: an answer from them is better than none."""
        if not hits:
            return ()
        try:
            return _sorted(hits, self._scores(question, [_text(hit) for hit in hits]))
        except (httpx.HTTPError, KeyError, TypeError, ValueError, IndexError) as error:
            log.warning("rerank.unavailable", error=str(error))
            return tuple(hits)

    def _scores(self, question: str, texts: list[str]) -> list[float]:
        """By place; TEI wants `texts` and answers with a list, the others want `documents` and answer with `results`."""
        reply = self._client.post(
            self._url, json={"query": question, "texts": texts, "documents": texts}
        )
        said = reply.raise_for_status().json()
        results = said["results"] if isinstance(said, dict) else said
        scores = [float("-inf")] * len(texts)
        for each in results:
            scores[int(each["index"])] = float(
                each["relevance_score"] if "relevance_score" in each else each["score"]
            )
        return scores


def _text(hit: Hit) -> str:
    return f"{hit.page.title}\n{hit.evidence.text}"


def _sorted(hits: Sequence[Hit], scores: Sequence[float]) -> tuple[Hit, ...]:
    """Best first. Each place keeps the search's score: who reads scores behind this knows their scale, not the cross-encoder's."""
    order = sorted(range(len(hits)), key=lambda place: (-scores[place], place))
    kept = sorted((hit.score for hit in hits), reverse=True)
    return tuple(
        hits[place].model_copy(update={"score": score})
        for place, score in zip(order, kept, strict=True)
    )


def load(settings: Settings) -> Reranker | None:
    """The reranker that RERANKER names; None for `none`.

    Raises:
        SettingsError: the model needs the extra `models`, or cannot be loaded.
    """
    if settings.reranker == "none":
        return None
    if settings.reranker.startswith(("http://", "https://")):
        return HttpReranker(settings.reranker, settings.reranker_key.get_secret_value(), TIMEOUT_S)
    try:
        return FlagCrossEncoder(settings.reranker)
    except ModuleNotFoundError as error:
        cure = f"needs the extra `models` (no module {error.name}): scripts/install models"
        raise SettingsError(f"RERANKER={settings.reranker} {cure}") from error
    except (OSError, ValueError) as error:
        raise SettingsError(f"RERANKER={settings.reranker} cannot be loaded: {error}") from error
