"""Shared fixtures: real servers on free ports, a store for each test, the scripted model."""

from __future__ import annotations

import importlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import psutil
import pytest
import redis
from postgres import PostgresServer, postgres

from core.embeddings.bundled import Bundled
from core.evidence import Dense, EvidenceStore
from core.evidence.dense.in_sql import in_sql
from core.evidence.dense.vector_stores import vector_stores, with_postgres
from core.evidence.lexical.index import LexicalIndex
from core.settings import Settings, settings
from core.settings.values import EvidenceEngine
from core.storage.database import Database
from groundwire.running.servers import redis_server
from sandbox.http.server import running
from sandbox.llm.app import build_app
from sandbox.llm.client import ScriptedModel
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs, free_port
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel

ROOT = Path(__file__).parents[1]
PATIENCE_S = 10.0  # with what goes on beside a test that has ended
Wanting = Callable[[EvidenceEngine], EvidenceStore]
MEMORY = 3_000_000_000  # bytes for a process with tests and the servers that it starts
LONG = (
    "scenarios",
    "evaluation",
    "indexer",
)  # folders with files that take a minute, the longest first
# pytest looks for examples in every file: tiny.py needs torch to be imported, and two conftest.py
# cannot be imported as modules.
collect_ignore = ["tiny.py", "conftest.py", "bot/conftest.py"]
# Folders whose tests that take a database run on SQLite and on Postgres.
BOTH = (
    "core/access",
    "core/evidence",
    "core/jobs",
    "core/pairs",
    "core/policy",
    "core/storage",
    "core/turns",
    "indexer/access",
    "indexer/state",
    "indexer/sync",
    "bot/delivery",
)


def pytest_configure(config: pytest.Config) -> None:
    """Isolate the tests from the developer's own settings and queue.

    Before anything is collected: collecting doctests in core.jobs.queue makes Celery read its
    settings.
    """
    config.addinivalue_line(
        "markers", "only_sqlite(why): of a test that asks no Postgres, though its folder does"
    )
    environment = pytest.MonkeyPatch()
    config.add_cleanup(environment.undo)
    for name in Settings.model_fields:
        environment.delenv(name.upper(), raising=False)
    environment.setenv("ENV_FILE", os.devnull)
    environment.setenv("HF_HUB_OFFLINE", "1")  # no test asks a model hub
    environment.setenv("REDIS_URL", f"redis://127.0.0.1:{free_port()}/0")
    settings.cache_clear()
    # How long an example takes is the machine's business, and a neighbour's. The examples are
    # always the same, so that a run tells of the change and not of chance;
    # `--hypothesis-profile explore` looks for new ones.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("explore", deadline=None, suppress_health_check=slow)
    explore = hypothesis.settings.get_profile("explore")
    hypothesis.settings.register_profile("patient", explore, derandomize=True)
    hypothesis.settings.load_profile("patient")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Ask both databases in the folders where SQL is what is tested."""
    folder = metafunc.definition.path.parent.relative_to(ROOT / "tests").as_posix()
    is_of_both = f"{folder}/".startswith(tuple(f"{each}/" for each in BOTH))
    only = metafunc.definition.get_closest_marker("only_sqlite")
    if "sql" in metafunc.fixturenames and is_of_both and only is None:
        metafunc.parametrize("sql", ["sqlite", "postgres"], indirect=True, scope="session")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores, since tests also wait; each may take 3 GB with its stack."""
    room = psutil.virtual_memory().available // MEMORY
    return max(1, min(len(os.sched_getaffinity(0)) + 1, room))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long files come first: none is left at the end, while the other processes are idle."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: [folder not in item.path.parts for folder in LONG])


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
        redis_server(),
        "--dir",
        str(programs.logs),
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
    ).wait_until_ready()
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
    ).wait_until_ready()
    return f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty database, migrated once: that takes longer than many a test."""
    file = tmp_path_factory.mktemp("migrated") / "groundwire.db"
    database = Database(f"sqlite:///{file}")
    database.migrate()
    assert database.leave_no_trace()  # all of it stands in the one file
    database.close()
    return file


@pytest.fixture(scope="session")
def sql(request: pytest.FixtureRequest) -> str:
    """Which database is asked; in the folders of BOTH each test asks the one and the other."""
    return str(getattr(request, "param", "sqlite"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A Postgres of this process's own."""
    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def vector_server() -> Iterator[PostgresServer]:
    """A Postgres with pgvector."""
    with postgres(extension="vector") as server:
        yield server


@pytest.fixture
def database(sql: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty, migrated database, which goes with the test."""
    if sql == "sqlite":
        file = tmp_path / "groundwire.db"
        shutil.copy(request.getfixturevalue("migrated"), file)
        with _left_by_all(f"sqlite:///{file}") as database:
            yield database
        return
    server = request.getfixturevalue("postgres_server")
    url = server.create()
    with _left_by_all(url) as database:
        yield database
    server.drop(url)


@contextmanager
def _left_by_all(url: str) -> Iterator[Database]:
    """Closed when nobody reads in it any more: an index is recoded beside a test, and outlives it.

    A connection that is given back after that is closed by nobody, and Postgres' driver complains.
    """
    with closing(Database(url)) as database:
        yield database
        until = time.monotonic() + PATIENCE_S
        while getattr(database.engine.pool, "checkedout", int)() and time.monotonic() < until:
            time.sleep(0.01)


@pytest.fixture
def empty_url(sql: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without a table."""
    if sql == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    server = request.getfixturevalue("postgres_server")
    url = server.create(migrated=False)
    yield url
    server.drop(url)


@pytest.fixture(scope="session")
def embedder() -> Bundled:
    """The default encoder, loaded once."""
    return Bundled()


@pytest.fixture
def dense(chroma_url: str, embedder: Bundled) -> Dense:
    """Vectors of the default encoder, in collections named after the test's own database."""
    return Dense(vector_stores(chroma_url), lambda _name: embedder, wanted="bundled")


@pytest.fixture
def store(database: Database, tmp_path: Path, dense: Dense) -> EvidenceStore:
    """An empty evidence store."""
    return EvidenceStore(database, LexicalIndex(tmp_path), dense)


@pytest.fixture
def coded(database: Database, tmp_path: Path, embedder: Bundled) -> EvidenceStore:
    """An empty store without a vector store: its index holds codes of the vectors in SQL."""
    dense = Dense(in_sql, lambda _name: embedder, wanted="bundled", is_in_sql=True)
    return EvidenceStore(database, LexicalIndex(tmp_path, dense.coder), dense)


@pytest.fixture
def with_vectors(vector_server: PostgresServer) -> Iterator[Database]:
    """An empty, migrated database in a Postgres that has pgvector."""
    url = vector_server.create()
    with _left_by_all(url) as database:
        yield database
    vector_server.drop(url)


@pytest.fixture
def wanting(with_vectors: Database, chroma_url: str, embedder: Bundled, tmp_path: Path) -> Wanting:
    """A store that wants this engine; the first page that it gets is for that engine."""

    def made(engine: EvidenceEngine) -> EvidenceStore:
        stores = with_postgres(vector_stores(chroma_url), lambda: with_vectors)
        dense = Dense(stores, lambda _name: embedder, wanted="bundled", engine=engine)
        return EvidenceStore(with_vectors, LexicalIndex(tmp_path / engine), dense)

    return made


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
