"""Builds the real parts from the settings, once per process."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from core import embeddings
from core.database import Database, open_database
from core.events import Events
from core.evidence import EvidenceStore
from core.evidence.lexical import LexicalIndex
from core.evidence.vectors import VectorStore
from core.settings import Settings, settings
from worker import rerank
from worker.attribute import Attributor
from worker.complete import Completer
from worker.extract import Extractor
from worker.generate import Generator
from worker.llm import ChatModel
from worker.pipeline import Pipeline
from worker.retrieve import Retriever


@dataclass(frozen=True)
class Parts:
    """What the tasks work with."""

    settings: Settings
    database: Database
    events: Events
    pipeline: Pipeline
    explainer: Generator  # as the pipeline's, with the model that explains where another one is configured
    attributor: Attributor


@cache
def parts() -> Parts:
    """The parts of this process.

    Raises:
        SettingsError: a setting names a model that cannot be loaded, or half of a model's endpoint.
    """
    return build(settings())


def build(chosen: Settings) -> Parts:
    database = open_database(chosen.sql_url)
    embedder = embeddings.load(chosen)
    lexical = LexicalIndex(chosen.data_dir)
    store = EvidenceStore(database, lexical, VectorStore(chosen.chroma_url, embedder.name), embedder)
    extractor = Extractor(embedder, lambda term: rarity(lexical, term))
    model = _model(chosen, chosen.llm_model)
    return Parts(
        settings=chosen,
        database=database,
        events=Events(chosen.redis_url),
        pipeline=Pipeline(Completer(model), Retriever(store, rerank.load(chosen)), Generator(model, extractor)),
        explainer=Generator(_model(chosen, chosen.llm_explain_model or chosen.llm_model), extractor),
        attributor=Attributor(embedder, max_calls=chosen.explain_max_calls, concurrency=chosen.explain_concurrency),
    )


def rarity(lexical: LexicalIndex, term: str) -> float:
    """How much a word weighs: inverse document frequency, 0 for a word that stands in every piece."""
    return math.log((lexical.size() + 1) / (lexical.document_frequency(term) + 1))


def _model(chosen: Settings, name: str | None) -> ChatModel | None:
    if chosen.llm_base_url is None:
        return None
    chosen.require("llm_model")
    return ChatModel(chosen, name or "")
