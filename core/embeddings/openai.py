"""An embedding model behind an OpenAI-compatible endpoint (LLM_BASE_URL, LLM_API_KEY)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import openai
from openai.types import CreateEmbeddingResponse

from core.embeddings import Vectors, unit
from core.errors import StoreUnavailable
from core.settings import Settings

BATCH = 128  # texts per request, below every known endpoint's limit


class OpenAI:
    """Sends texts to /embeddings."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self._client = openai.OpenAI(
            base_url=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            timeout=settings.llm_timeout_s,
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            rows += self._request(texts[start : start + BATCH])
        return unit(np.asarray(rows, dtype=np.float32))

    def _request(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            reply = self._client.embeddings.create(
                model=self.name,
                input=list(texts),
                encoding_format="float",
            )
        except (openai.OpenAIError, ValueError) as error:  # ValueError: a reply that is no JSON
            raise StoreUnavailable(
                f"the embedding endpoint at LLM_BASE_URL does not answer: {error}"
            ) from error
        # A login page: the client hands over its text.
        if not isinstance(reply, CreateEmbeddingResponse):
            raise StoreUnavailable(
                "the endpoint at LLM_BASE_URL answers with something else than embeddings"
            )
        return [item.embedding for item in reply.data]


def load(argument: str, settings: Settings) -> OpenAI:
    settings.require("llm_base_url")
    return OpenAI(argument, settings)
