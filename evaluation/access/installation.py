"""An installation on the small site: the real indexer, the real worker, and what the bot sends."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.access.policy import read_policy
from core.confluence import RETRY, connect
from core.embeddings import Embedder
from core.errors import SourceError
from core.evidence import Dense, EvidenceSearch, EvidenceStore
from core.evidence.lexical.index import LexicalIndex
from core.jobs.progress_events import Event, Events
from core.page_source import PageSource
from core.policy import people
from core.policy.people import Standing
from core.settings import Settings
from core.storage.database import Database
from evaluation.access.vectors import MemoryStores
from evaluation.access.world.site import NAMES, SPACES
from indexer.access.permissions import read_people
from indexer.parse.formats import FORMATS
from indexer.sync.extras import Extras
from indexer.sync.parts import SyncParts
from indexer.sync.space_sync import Indexer
from worker.attribution.attributor import Attributor
from worker.attribution.options import Options
from worker.bootstrap import WorkerParts, rarity
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.retrieval.live_access import AccessControl, LiveAccess
from worker.retrieval.readers import Readers
from worker.retrieval.retriever import Retriever
from worker.suggestions.suggester import Suggester

TEAM = "T1"
NOBODY = "redis://127.0.0.1:1/0"


class ToldEvents(Events):
    """Progress that is handed over where the bot would read it from Redis."""

    def __init__(self, told: Callable[[str, Event], None]) -> None:
        super().__init__(NOBODY)
        self._told = told

    def publish(self, turn_id: str, event: Event, *, key: str = "") -> None:
        self._told(turn_id, event)


@dataclass(frozen=True)
class Index:
    """The stores of one installation, in a folder and in memory."""

    folder: Path
    database: Database
    vectors: MemoryStores
    embedder: Embedder
    dense: Dense = field(init=False)
    lexical: LexicalIndex = field(init=False)

    def __post_init__(self) -> None:
        dense = Dense(self.vectors, lambda _name: self.embedder, wanted="bundled")
        object.__setattr__(self, "dense", dense)
        object.__setattr__(self, "lexical", LexicalIndex(self.folder))

    @classmethod
    def new(cls, folder: Path, embedder: Embedder) -> Index:
        folder.mkdir(parents=True)
        database = Database(f"sqlite:///{folder / 'groundwire.db'}")
        database.migrate()
        for name in NAMES:
            address = f"{name.lower()}@example.com"
            people.remember(database, TEAM, name, address=address, standing=Standing.MEMBER)
        return cls(folder, database, MemoryStores(), embedder)

    def copied(self, folder: Path) -> Index:
        """Another one that begins as this one is."""
        folder.mkdir(parents=True)
        assert self.database.leave_no_trace(wait_s=30)
        shutil.copy(self.folder / "groundwire.db", folder / "groundwire.db")
        database = Database(f"sqlite:///{folder / 'groundwire.db'}")
        return Index(folder, database, self.vectors.copy(), self.embedder)

    def close(self) -> None:
        self.database.close()
        shutil.rmtree(self.folder)


def sync(index: Index, source: PageSource, chosen: Settings) -> bool:
    """All spaces once, by an indexer that has just started; False when the site did not answer."""
    store = EvidenceStore(index.database, index.lexical, index.dense)
    with suppress(SourceError):
        parts = SyncParts(
            source,
            store,
            read_policy(chosen, source),
            Extras(source, chosen, store.database),
            FORMATS,
        )
        spaces = source.spaces(SPACES)
        indexer = Indexer(parts, spaces, period_s=chosen.confluence_scan_period_s)
        for space in spaces:
            indexer.sync(space, allow_shrink=True)
        read_people(source, index.database)
        return True
    return False


def syncing(chosen: Settings) -> PageSource:
    """The client of the indexer, which does not wait between its tries."""
    return connect(chosen, retry=RETRY.new(backoff_factor=0, backoff_jitter=0, total=1))


def worker(
    index: Index,
    chosen: Settings,
    control: AccessControl,
    told: Callable[[str, Event], None],
    model: ChatModel | None = None,
) -> WorkerParts:
    """The worker's parts, as worker.bootstrap builds them, on this index."""
    evidence = EvidenceSearch(index.database, index.lexical, index.dense)
    extractor = Extractor(index.embedder, lambda term: rarity(index.lexical, term), evidence.terms)
    generator = Generator(model, extractor)
    pipeline = Pipeline(
        completer=Completer(model, evidence),
        retriever=Retriever(evidence),
        confirmer=LiveAccess(control),
        generator=generator,
        filters=Filters(Vocabularies(index.database).of, model),
        suggester=Suggester(evidence),
    )
    return WorkerParts(
        settings=chosen,
        database=index.database,
        evidence=evidence,
        readers=Readers(chosen, index.database),
        authorizer=control,
        events=ToldEvents(told),
        pipeline=pipeline,
        without_model=replace(pipeline, generator=Generator(None, extractor)),
        explainer=generator,
        attributor=Attributor(index.embedder, Options(concurrency=2)),
    )
