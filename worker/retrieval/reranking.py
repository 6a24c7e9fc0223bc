"""Reranks hits with a cross-encoder, which reads question and evidence together (RERANKER)."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Sequence
from typing import Protocol

import httpx

from core import logs
from core.errors import SettingsError
from core.models import Hit
from core.pages import PageKey
from core.policy.model_routing import ModelRouting, reranker_endpoint
from core.settings import Settings
from core.storage.database import Database

TIMEOUT_S = 10.0

log = logs.get(__name__)


class Reranker(Protocol):
    """Puts the hits that answer the question first."""

    def rerank(
        self,
        question: str,
        hits: Sequence[Hit],
        *,
        pages: Collection[PageKey] = (),
    ) -> tuple[Hit, ...]:
        """`pages` are those that the question gives away."""


class FlagCrossEncoder:
    """A FlagEmbedding reranker such as bge-reranker-v2-m3, by name or path."""

    def __init__(self, name: str) -> None:
        # Imported only here: FlagEmbedding brings torch, which only a reranker of this kind needs.
        self._model = importlib.import_module("FlagEmbedding").FlagReranker(name, use_fp16=False)

    def rerank(
        self,
        question: str,
        hits: Sequence[Hit],
        *,
        pages: Collection[PageKey] = (),
    ) -> tuple[Hit, ...]:
        if not hits:
            return ()
        pairs = [(question, _text(hit)) for hit in hits]
        return _sorted(hits, self._model.compute_score(pairs))


class HttpReranker:
    """A reranker behind HTTP: /rerank, as in Text Embeddings Inference, vLLM, Jina, Cohere."""

    def __init__(
        self,
        url: str,
        key: str,
        timeout_s: float,
        routing: ModelRouting | None = None,
    ) -> None:
        self._url = url
        self._routing = routing
        headers = {} if key == "none" else {"Authorization": f"Bearer {key}"}
        self._client = httpx.Client(timeout=timeout_s, headers=headers)

    def rerank(
        self,
        question: str,
        hits: Sequence[Hit],
        *,
        pages: Collection[PageKey] = (),
    ) -> tuple[Hit, ...]:
        """In the endpoint's order; unchanged when it fails: any order is better than no answer.

        What may not reach the endpoint keeps its place, and the others are sorted around it.
        """
        kept = self._kept(frozenset(pages).union(*(hit.pages for hit in hits)))
        sent = [hit for hit in hits if kept.isdisjoint(hit.pages)]
        if not sent or not kept.isdisjoint(pages):
            return tuple(hits)
        try:
            scores = self._scores(question, [_text(hit) for hit in sent])
            ranked = iter(_sorted(sent, scores))
            return tuple(next(ranked) if kept.isdisjoint(hit.pages) else hit for hit in hits)
        except (httpx.HTTPError, KeyError, TypeError, ValueError, IndexError) as error:
            log.warning("rerank.unavailable", error=str(error))
            return tuple(hits)

    def _kept(self, pages: frozenset[PageKey]) -> frozenset[PageKey]:
        return self._routing.kept(pages) if self._routing else frozenset()

    def _scores(
        self,
        question: str,
        texts: list[str],
    ) -> list[float]:
        """By place.

        TEI wants `texts` and replies with a list; others want `documents` and reply with `results`.
        """
        request = {"query": question, "texts": texts, "documents": texts}
        response = self._client.post(self._url, json=request)
        reply = response.raise_for_status().json()
        results = reply["results"] if isinstance(reply, dict) else reply
        scores = [float("-inf")] * len(texts)
        for each in results:
            name = "relevance_score" if "relevance_score" in each else "score"
            scores[int(each["index"])] = float(each[name])
        return scores


def _text(hit: Hit) -> str:
    return f"{hit.page.title}\n{hit.evidence.text}"


def _sorted(
    hits: Sequence[Hit],
    scores: Sequence[float],
) -> tuple[Hit, ...]:
    """Best first. Each place keeps the search's score: later steps know that scale alone."""
    order = sorted(range(len(hits)), key=lambda place: (-scores[place], place))
    kept = sorted((hit.score for hit in hits), reverse=True)
    reranked: list[Hit] = []
    for place, score in zip(order, kept, strict=True):
        hit = hits[place]
        reranked.append(hit.model_copy(update={"score": score}))
    return tuple(reranked)


def load(settings: Settings, database: Database) -> Reranker | None:
    """The reranker that RERANKER names; None for `none`.

    Raises:
        SettingsError: the model needs the extra `models`, or cannot be loaded.
    """
    name = settings.reranker
    if name == "none":
        return None
    if there := reranker_endpoint(settings):
        routing = ModelRouting.to(there, settings, database)
        return HttpReranker(name, settings.reranker_key.get_secret_value(), TIMEOUT_S, routing)
    try:
        return FlagCrossEncoder(name)
    except ModuleNotFoundError as error:
        cure = f"needs the extra `models` (no module {error.name}): scripts/install models"
        raise SettingsError(f"RERANKER={name} {cure}") from error
    except (OSError, ValueError) as error:
        raise SettingsError(f"RERANKER={name} cannot be loaded: {error}") from error
