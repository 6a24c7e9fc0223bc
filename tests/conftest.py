"""Shared fixtures: real servers on free ports, a store for each test, the scripted model."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis

from core.embeddings.bundled import Bundled
from core.evidence import Dense, EvidenceStore
from core.evidence.dense.chroma import VectorStore
from core.evidence.lexical.index import LexicalIndex
from core.settings import Settings, child_environment, settings
from core.storage.database import Database
from core.storage.tables import new_id
from sandbox.http.server import running
from sandbox.llm.app import build_app
from sandbox.llm.client import ScriptedModel
from sandbox.programs.processes import Programs, free_port
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel

ROOT = Path(__file__).parents[1]
collect_ignore = [
    "tiny.py"
]  # pytest looks for examples in every file, and this one needs torch to be imported
START_S = 60  # a cold start on a busy machine


def pytest_configure(config: pytest.Config) -> None:
    """Isolate the tests from the developer's own settings and queue.

    Before anything is collected: collecting doctests in core.jobs.queue makes Celery read its
    settings.
    """
    environment = pytest.MonkeyPatch()
    config.add_cleanup(environment.undo)
    for name in Settings.model_fields:
        environment.delenv(name.upper(), raising=False)
    environment.setenv("ENV_FILE", os.devnull)
    environment.setenv("HF_HUB_OFFLINE", "1")  # no test asks a model hub
    environment.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    environment.setenv("REDIS_URL", f"redis://127.0.0.1:{free_port()}/0")
    settings.cache_clear()


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Programs]:
    """Servers started here run until the last test is over."""
    with Programs(tmp_path_factory.mktemp("programs")) as programs:
        yield programs


@pytest.fixture(scope="session")
def redis_url(programs: Programs) -> str:
    """A redis-server of our own, the one that the settings of this process name."""
    url = settings().redis_url
    command = [
        str(ROOT / "scripts/redis"),
        "--bind",
        "127.0.0.1",
        "--port",
        str(urlsplit(url).port),
        "--save",
        "",
    ]
    environment = child_environment(DATA_DIR=str(programs.logs))
    programs.start(
        "redis", command, environment, ready="Ready to accept connections"
    ).wait_until_ready(START_S)
    return url


@pytest.fixture
def queues(redis_url: str) -> Iterator[redis.Redis]:
    """The emptied Redis of this process's queue."""
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        client.flushdb()
        yield client


@pytest.fixture(scope="session")
def chroma_url(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Chroma server of our own."""
    port = str(free_port())
    command = [
        "chroma",
        "run",
        "--host",
        "127.0.0.1",
        "--port",
        port,
        "--path",
        str(tmp_path_factory.mktemp("chroma")),
    ]
    programs.start(
        "chroma", command, child_environment(), ready="listening on address"
    ).wait_until_ready(START_S)
    return f"http://127.0.0.1:{port}"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty, migrated database in a file."""
    database = Database(f"sqlite:///{tmp_path / 'groundwire.db'}")
    database.migrate()
    yield database
    database.close()


@pytest.fixture(scope="session")
def embedder() -> Bundled:
    """The default encoder, loaded once."""
    return Bundled()


@pytest.fixture
def vectors(chroma_url: str) -> VectorStore:
    """A collection of this test's own."""
    vectors = VectorStore(chroma_url, new_id())
    vectors.create()
    return vectors


@pytest.fixture
def dense(chroma_url: str, embedder: Bundled) -> Dense:
    """Vectors of the default encoder, in collections named after the test's own database."""
    return Dense(chroma_url, lambda _name: embedder, wanted="bundled")


@pytest.fixture
def store(database: Database, tmp_path: Path, dense: Dense) -> EvidenceStore:
    """An empty evidence store."""
    return EvidenceStore(database, LexicalIndex(tmp_path), dense)


@pytest.fixture(scope="session")
def llm_url() -> Iterator[str]:
    """The base URL of the scripted model's endpoint."""
    with running(build_app()) as url:
        yield f"{url}/v1"


@pytest.fixture
def model(llm_url: str) -> Iterator[ScriptedModel]:
    """The scripted model: the toy, at full speed, nothing received."""
    with ScriptedModel(llm_url) as model:
        model.reset()
        yield model


@pytest.fixture
def chat(llm_url: str, model: ScriptedModel) -> ChatModel:
    """The worker's own client of the scripted model."""
    return ChatModel(Settings(llm_base_url=llm_url), "sandbox-toy")


@pytest.fixture
def chat_down() -> ChatModel:
    """A client of an endpoint where nobody listens."""
    return ChatModel(Settings(llm_base_url="http://127.0.0.1:1/v1"), "sandbox-toy")


@pytest.fixture(scope="session")
def extractor(embedder: Bundled) -> Extractor:
    """Quotes with every word of a question equally rare."""
    return Extractor(embedder, lambda _term: 1.0)


@pytest.fixture(scope="session")
def tiny() -> Any:
    """The module `tiny`; a machine without the extra `models` skips its tests, CI must have it."""
    try:
        return importlib.import_module("tiny")
    except ModuleNotFoundError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"needs the extra `models`: no module {error.name}")
