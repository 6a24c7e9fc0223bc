"""Builds the real parts from the settings, once per process."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, partial

from core.access.connected import connected
from core.access.sites import linked_accounts
from core.embeddings import Embedder
from core.evidence import EvidenceSearch, WordNeighbours
from core.evidence.blocks import Blocks
from core.evidence.dense.collections import configured
from core.evidence.dense.embedding_cache import Remembering
from core.evidence.in_force import AllWords
from core.evidence.lexical.index import LexicalIndex
from core.evidence.query import thesaurus
from core.evidence.ranking.tuned import chosen_ranking
from core.jobs.progress_events import Events
from core.models import Note
from core.policy.model_routing import ModelRouting
from core.policy.prices import require_prices
from core.settings import Settings, settings
from core.settings.values import SuggestBy, SupportBy
from core.storage.database import Database, open_database
from worker.answerability.badge import Badge
from worker.answerability.covering import Covering
from worker.answerability.gate import AnswerGate
from worker.answerability.signs import Signs
from worker.answerability.vectors import RememberedVectors
from worker.attribution.attributor import Attributor
from worker.attribution.options import Options
from worker.entities import Entities
from worker.entities.current import CurrentTree
from worker.entities.entities_file import read
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.generation.second_reader.grades import Grades
from worker.generation.second_reader.model_reader import ModelReader
from worker.own_eyes import own_eyes
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.reading.reader import bundled
from worker.reading.readings import Readings
from worker.retrieval import reranking
from worker.retrieval.accepted_pairs import AcceptedPairs
from worker.retrieval.expand import EvidenceExpander, TableExpander
from worker.retrieval.live_access import AccessControl, LiveAccess
from worker.retrieval.readers import Readers
from worker.retrieval.retriever import Retriever
from worker.retrieval.whole_pages import WholePages
from worker.suggestions.from_model import Proposer
from worker.suggestions.suggester import Suggester
from worker.support.check import SupportCheck
from worker.support.decision import Support


@dataclass(frozen=True)
class WorkerParts:
    """What the tasks work with."""

    settings: Settings
    database: Database
    evidence: EvidenceSearch
    readers: Readers
    authorizer: AccessControl
    events: Events
    pipeline: Pipeline
    without_model: Pipeline  # the same pipeline, for when no more may be spent
    explainer: Generator  # as the pipeline's, with the model that explains where one is configured
    attributor: Attributor


@cache
def parts() -> WorkerParts:
    """The parts of this process.

    Raises:
        SettingsError: a setting names a model or a file that cannot be loaded, or half of a model's
            endpoint.
    """
    chosen = settings()
    database = open_database(chosen.sql_url)
    return build(chosen, connected(chosen, database, own_eyes(chosen, database)))


def build(chosen: Settings, control: AccessControl) -> WorkerParts:
    """The parts for these settings; `control` decides who may be shown what.

    Raises:
        SettingsError: a line of the thesaurus is wrong.
    """
    thesaurus.bundled()  # here and not at the first question
    database = open_database(chosen.sql_url)
    dense = configured(chosen)
    embedder = dense.embedder(chosen.embedder)
    lexical = LexicalIndex(chosen.data_dir, dense.coder)
    neighbours = WordNeighbours(database, partial(dense.embedder, "bundled"), chosen.data_dir)
    ranking = chosen_ranking(database, chosen.ranking)
    evidence = EvidenceSearch(database, lexical, dense, neighbours, ranking)
    readings = Readings(bundled)
    extractor = _extractor(evidence, Remembering(database, embedder), readings)
    routing = _routing(chosen, database)
    vectors = RememberedVectors(partial(dense.embedder, "bundled"))
    signs = Signs(Covering(evidence.index, neighbours, vectors), vectors, readings)
    # The bundled embedder knows many languages, and sends no answer anywhere.
    support = Support(SupportCheck(dense.embedder("bundled")), chosen.unsupported)
    pairs = AcceptedPairs(database, dense.embedder("bundled"))
    pipeline = replace(
        _pipeline(chosen, evidence, extractor, routing, LiveAccess(control), pairs),
        gate=AnswerGate(signs, chosen.answerability, extractor.is_composed),
        badge=Badge(signs),
        support=support,
        second_reader=_second_reader(chosen, database),
    )
    require_prices(chosen)
    return WorkerParts(
        settings=chosen,
        database=database,
        events=Events(chosen.redis_url),
        evidence=evidence,
        readers=_readers(chosen, database),
        authorizer=control,
        pipeline=pipeline,
        without_model=_without_model(pipeline, chosen, evidence, extractor),
        explainer=_explainer(chosen, extractor, routing),
        attributor=Attributor(embedder, Options.of(chosen)),
    )


def _second_reader(chosen: Settings, database: Database) -> ModelReader | None:
    """What has a model read its own answers again, if it has passed the exam."""
    if chosen.support_by is SupportBy.RULES or chosen.llm_base_url is None:
        return None
    return ModelReader(chosen.llm_context_tokens, Grades(database, chosen).has_passed)


def _extractor(evidence: EvidenceSearch, embedder: Embedder, readings: Readings) -> Extractor:
    index = evidence.index
    rare = partial(rarity, index)
    return Extractor(embedder, rare, evidence.terms, index.is_boilerplate, readings)


def _pipeline(
    chosen: Settings,
    evidence: EvidenceSearch,
    extractor: Extractor,
    routing: ModelRouting | None,
    confirmer: LiveAccess,
    pairs: AcceptedPairs,
) -> Pipeline:
    database = evidence.database
    model = chat_model(chosen, routing)
    context_tokens = chosen.llm_context_tokens
    entities = read(chosen.entities_file) if chosen.entities_file else ()
    blocks = Blocks(database)
    return Pipeline(
        completer=Completer(model, evidence),
        retriever=Retriever(evidence, reranking.load(chosen, database), pairs),
        confirmer=confirmer,
        generator=Generator(
            model, extractor, others=_others(chosen, routing), context_tokens=context_tokens
        ),
        widener=EvidenceExpander(blocks) if model else TableExpander(blocks),
        whole_pages=WholePages(blocks),
        filters=Filters(Vocabularies(database).of, model),
        suggester=_suggester(chosen, evidence, model),
        entities=Entities(CurrentTree(database, entities).tree),
    )


def _without_model(
    pipeline: Pipeline, chosen: Settings, evidence: EvidenceSearch, extractor: Extractor
) -> Pipeline:
    """The pipeline without a model in any of its steps."""
    if pipeline.generator.model is None:
        return pipeline
    return replace(
        pipeline,
        completer=Completer(None, evidence),
        generator=Generator(None, extractor, without=Note.BUDGET),
        widener=TableExpander(Blocks(evidence.database)),
        filters=Filters(Vocabularies(evidence.database).of, None),
        suggester=_suggester(chosen, evidence, None),
    )


def _readers(chosen: Settings, database: Database) -> Readers:
    """With the accounts that people have linked, where they can.

    Raises:
        SettingsError: half of what linking needs is set, or a key is wrong.
    """
    accounts = linked_accounts(chosen, database)
    return Readers(chosen, database, accounts.of) if accounts else Readers(chosen, database)


def rarity(index: AllWords, term: str) -> float:
    """Inverse document frequency of a word; 0 for a word that stands in every piece."""
    pieces, with_term = index.size(), index.document_frequency(term)
    return math.log((pieces + 1) / (with_term + 1))


def chat_model(chosen: Settings, routing: ModelRouting | None = None) -> ChatModel | None:
    """The model that answers; None when none is configured. Without `routing` it gets all pages."""
    return _model(chosen, chosen.llm_model, routing)


def open_model(chosen: Settings, database: Database) -> ChatModel | None:
    """The same, with pages that may not reach it kept from it."""
    return chat_model(chosen, _routing(chosen, database))


def _routing(chosen: Settings, database: Database) -> ModelRouting | None:
    """Which pages may reach the models, all of them at LLM_BASE_URL."""
    there = chosen.model_endpoint
    return ModelRouting.to(there, chosen, database) if there else None


def _others(chosen: Settings, routing: ModelRouting | None) -> dict[str, ChatModel]:
    """The models that a channel or a person may choose instead of that one."""
    return {name: ChatModel(chosen, name, routing) for name in chosen.llm_model_names[1:]}


def _explainer(chosen: Settings, extractor: Extractor, routing: ModelRouting | None) -> Generator:
    """One model for all explanations where one is configured, else the one that gave the answer."""
    others = {} if chosen.llm_explain_model else _others(chosen, routing)
    model = _model(chosen, chosen.llm_explain_model or chosen.llm_model, routing)
    return Generator(model, extractor, others=others, context_tokens=chosen.llm_context_tokens)


def _suggester(
    chosen: Settings, evidence: EvidenceSearch, model: ChatModel | None
) -> Suggester | None:
    if chosen.suggestions is SuggestBy.NONE:
        return None
    by_model = chosen.suggestions is SuggestBy.MODEL
    proposer = Proposer(model) if model and by_model else None
    return Suggester(evidence, proposer)


def _model(chosen: Settings, name: str | None, routing: ModelRouting | None) -> ChatModel | None:
    if chosen.llm_base_url is None:
        return None
    chosen.require("llm_model")
    return ChatModel(chosen, name or "", routing)
