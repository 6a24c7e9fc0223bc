"""The vectors and the embedder: there, as many as SQL has pieces, and of the same model."""

from __future__ import annotations

import time

import httpx
from sqlalchemy import text
from sqlmodel import func, select

from core.embeddings import load
from core.errors import SettingsError, StoreUnavailable
from core.evidence.dense.collections import configured
from core.evidence.dense.vector_stores import IN_POSTGRES
from core.settings import Settings
from core.settings.values import EvidenceEngine
from core.storage.index_tables import EmbeddingRow, EvidenceRow, IndexRow
from groundwire.doctor.checks.database import migrated
from groundwire.doctor.finding import HealthFinding, NotTried, ok, warning, wrong
from groundwire.doctor.patient import Patient, once

TIMEOUT_S = 5.0
CURE = "is CHROMA_URL right, and chroma running? `honcho start chroma` starts it"
REBUILD = "the next round of the indexer makes them anew; or `python -m indexer rebuild`"


@once
def _server(at: Patient) -> str:
    """Its version.

    Raises:
        httpx.HTTPError: it does not answer.
        ValueError: something else answers.
    """
    url = at.settings.chroma_url.rstrip("/")
    with httpx.Client(timeout=TIMEOUT_S) as http:
        reply = http.get(f"{url}/api/v2/version")
    version = reply.raise_for_status().json()
    if not isinstance(version, str):
        raise ValueError("that is no version")
    return version


def reachable(at: Patient) -> HealthFinding:
    if at.settings.evidence_engine is EvidenceEngine.POSTGRES:
        return _pgvector(at)
    if not at.settings.chroma_url:
        return ok("none is wanted: CHROMA_URL is empty, each host holds codes of the vectors")
    try:
        return ok(f"Chroma {_server(at)}")
    except httpx.TransportError as error:
        return wrong(f"does not answer ({type(error).__name__})", CURE, may_come=True)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return wrong("something that is no Chroma answers at CHROMA_URL", "the right address")


def _pgvector(at: Patient) -> HealthFinding:
    database = migrated(at)
    if database.engine.dialect.name != "postgresql":
        return wrong("EVIDENCE_ENGINE=postgres, and the database is none", "DATABASE_URL")
    offered = text("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
    with database.reading() as session:
        version = session.execute(offered).scalar()
    if version is None:
        return wrong("Postgres has no pgvector", "docs/beyond-one-host.md, “When to change over”")
    return ok(f"pgvector {version}")


def complete(at: Patient) -> HealthFinding:
    """Nothing is made here: a collection that is missing must be noticed."""
    state, pieces = _index(at)
    if not at.settings.chroma_url:
        raise NotTried("CHROMA_URL is empty: SQL has the vectors")
    try:
        if not state.collection.endswith(IN_POSTGRES):
            _server(at)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise NotTried("Chroma does not answer") from error
    try:
        there = configured(at.settings).vectors(state.collection).count()
    except (StoreUnavailable, SettingsError) as error:
        lost = "lost" in str(error)
        return wrong("the collection is gone" if lost else str(error), REBUILD)
    if there < pieces:
        return wrong(f"{there} vectors for {pieces} pieces in SQL", REBUILD)
    return ok(f"{there} vectors for {pieces} pieces in SQL")


def embedder(at: Patient) -> HealthFinding:
    """It is loaded and asked for one vector, as every worker does at its start."""
    chosen = at.settings
    if chosen.embedder.startswith("openai:") and not at.may_ask_model:
        raise NotTried("--no-model: the embedder is behind an endpoint")
    try:
        seconds, dimensions, name = _tried(chosen)
    except SettingsError as error:
        return wrong(str(error), "EMBEDDER: docs/operating.md, “Caches that can be made anew”")
    except StoreUnavailable as error:
        return wrong(str(error), "LLM_BASE_URL, LLM_API_KEY, and the name after `openai:`")
    said = f"{chosen.embedder}, {dimensions} dimensions, ready after {seconds:.1f} s"
    try:
        state, _ = _index(at)
    except NotTried:
        return ok(said)
    if state.embedder != chosen.embedder:
        return warning(
            f"{said}; the index was made with {state.embedder}",
            "nothing: the indexer makes the vectors anew and then switches",
        )
    indexed = _dimensions(at, name)
    if indexed and indexed != dimensions:
        return wrong(
            f"{said}; the index has {indexed}: another model answers to this name",
            "the model that the index was made with; else another name and a rebuild",
        )
    return ok(said)


def _tried(chosen: Settings) -> tuple[float, int, str]:
    began = time.perf_counter()
    loaded = load(chosen)
    dimensions = loaded.embed(["Who leads the team?"]).shape[1]
    return time.perf_counter() - began, dimensions, loaded.name


@once
def _index(at: Patient) -> tuple[IndexRow, int]:
    """The index's row, and how many pieces of evidence there are."""
    with migrated(at).reading() as session:
        state = session.get(IndexRow, 1)
        pieces = session.exec(select(func.count()).select_from(EvidenceRow)).one()
    if state is None or not state.collection:
        raise NotTried("nothing is indexed yet")
    return state, pieces


def _dimensions(at: Patient, name: str) -> int:
    """Of a vector of this embedder in SQL; 0 where there is none."""
    with migrated(at).reading() as session:
        ours = select(EmbeddingRow.vector).where(EmbeddingRow.embedder == name)
        vector = session.exec(ours.limit(1)).first()
    return len(vector) // 4 if vector else 0
