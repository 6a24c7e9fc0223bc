"""What the doctor says of a Postgres, an embedder, several workspaces, ports, and attachments."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from doctored import Clinic, ill
from postgres import PostgresServer, postgres
from sqlalchemy import create_engine, text
from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.types import Receive, Scope, Send

from bot.slack_api.installed.installations import Installation, Installations, SlackTokens
from core.outages.health import Health
from core.settings.values import EvidenceEngine
from core.storage.database import Database
from groundwire.doctor.checks import vectors
from groundwire.doctor.finding import HealthFinding, HealthState
from groundwire.doctor.patient import Patient
from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.app import build_app as build_confluence
from sandbox.confluence.client import Site
from sandbox.confluence.site.load import load
from sandbox.http.server import running
from sandbox.programs.processes import free_port
from sandbox.slack.workspace.values import BOT_TOKEN, CLIENT_ID, CLIENT_SECRET, TEAM_ID

PAGE = "1001"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as server:
        yield server.url


class TestPostgres:
    def test_empty_then_migrated(self, clinic: Clinic, url: str) -> None:
        found = clinic.found(database_url=url)
        assert ill(found) == {}
        assert "Postgres" in found["database.reachable"].says
        assert "the first start brings it" in found["database.migrations"].says
        database = Database(url)
        database.migrate()
        database.close()
        assert "newest" in clinic.found(database_url=url)["database.migrations"].says
        assert clinic.found(database_url=url)["clocks.database"].state is HealthState.OK

    def test_one_that_cannot_be_written(self, clinic: Clinic, url: str) -> None:
        order(url, "ALTER ROLE postgres SET default_transaction_read_only = on")
        worse = clinic.worse(database_url=url)
        order(url, "SET default_transaction_read_only = off", "ALTER ROLE postgres RESET ALL")
        assert set(worse) == {"database.writable"}

    def test_one_with_another_clock(self, clinic: Clinic, url: str) -> None:
        """A function of that name which stands before Postgres' own."""
        order(
            url,
            "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS "
            "$$ SELECT pg_catalog.clock_timestamp() - interval '42 s' $$",
            "ALTER ROLE postgres SET search_path = public, pg_catalog",
        )
        worse = clinic.worse(database_url=url)
        order(url, "ALTER ROLE postgres RESET ALL", "DROP FUNCTION public.clock_timestamp()")
        assert set(worse) == {"clocks.database"}
        assert "42 s behind" in worse["clocks.database"].says

    def test_one_that_is_there_and_refuses(self, clinic: Clinic, url: str) -> None:
        strangers = url.replace("postgres@", "nobody@")
        for refused, said in ((strangers, "user or password"), (f"{url}-not", "no such database")):
            worse = clinic.worse(database_url=refused)
            assert set(worse) == {"database.reachable"}
            assert said in worse["database.reachable"].says
            assert not worse["database.reachable"].may_come

    def test_one_that_is_away(self, clinic: Clinic) -> None:
        away = "postgres://me:secret@127.0.0.1:1/nothing"
        worse = clinic.worse(database_url=away)
        assert set(worse) == {"database.reachable"}
        assert worse["database.reachable"].may_come
        assert "DATABASE_URL" in worse["database.reachable"].cure


class TestEngineInPostgres:
    def looked_at(self, clinic: Clinic, **chosen: Any) -> HealthFinding:
        wanted = clinic.settings(evidence_engine=EvidenceEngine.POSTGRES, **chosen)
        with closing(Patient(wanted)) as patient:
            return vectors.reachable(patient)

    def test_it_wants_a_postgres(self, clinic: Clinic) -> None:
        found = self.looked_at(clinic)
        assert (found.state, found.cure) == (HealthState.WRONG, "DATABASE_URL")

    def test_with_pgvector_chroma_is_not_asked(
        self, clinic: Clinic, vector_server: PostgresServer
    ) -> None:
        found = self.looked_at(clinic, database_url=vector_server.create())
        assert (found.state, "pgvector" in found.says) == (HealthState.OK, True)


class TestEmbedder:
    def test_the_one_of_the_index(self, clinic: Clinic) -> None:
        found = vectors.embedder(Patient(clinic.settings()))
        assert (found.state, "512 dimensions" in found.says) == (HealthState.OK, True)

    def test_another_one_is_a_warning(self, clinic: Clinic) -> None:
        found = vectors.embedder(Patient(clinic.settings(embedder="openai:small")))
        assert found.state is HealthState.WARNING
        assert "the index was made with bundled" in found.says

    def test_one_that_cannot_be_loaded(self, clinic: Clinic) -> None:
        found = vectors.embedder(Patient(clinic.settings(embedder="openai:small", llm_base_url="")))
        assert found.state is HealthState.WRONG

    def test_another_model_of_the_same_name(self, clinic: Clinic, tmp_path: Path) -> None:
        url = clinic.database(tmp_path)
        order(url, "UPDATE embedding SET vector = zeroblob(400)")
        found = vectors.embedder(Patient(clinic.settings(database_url=url)))
        assert (found.state, "the index has 100" in found.says) == (HealthState.WRONG, True)


class TestWorkspaces:
    @pytest.fixture
    def several(self, clinic: Clinic, tmp_path: Path) -> dict[str, Any]:
        return {
            "slack_bot_token": None,
            "slack_oauth_client_id": CLIENT_ID,
            "slack_oauth_client_secret": CLIENT_SECRET,
            "slack_workspaces": TEAM_ID,
            "public_url": "https://groundwire.example.com",
            "token_keys": Fernet.generate_key().decode(),
            "link_port": free_port(),
            "database_url": clinic.database(tmp_path),
        }

    def test_one_that_has_not_installed_it_is_a_warning(
        self, clinic: Clinic, several: dict[str, Any]
    ) -> None:
        worse = clinic.worse(**several)
        assert set(worse) == {"slack.workspaces"}
        assert "https://groundwire.example.com/slack/install" in worse["slack.workspaces"].cure

    def test_one_whose_token_counts_until_the_app_is_removed(
        self, clinic: Clinic, several: dict[str, Any]
    ) -> None:
        install(clinic, several)
        found = clinic.found(**several)
        assert (ill(found), "Sandbox" in found["slack.workspaces"].says) == ({}, True)
        clinic.workspace.uninstall()
        worse = clinic.worse(**several)
        assert set(worse) == {"slack.workspaces"}
        assert "account_inactive" in worse["slack.workspaces"].says

    def test_a_key_that_is_lost(self, clinic: Clinic, several: dict[str, Any]) -> None:
        install(clinic, several)
        worse = clinic.worse(**several | {"token_keys": Fernet.generate_key().decode()})
        assert set(worse) == {"slack.workspaces"}
        assert "TOKEN_KEYS" in worse["slack.workspaces"].cure


class TestPorts:
    def test_another_program_has_the_port(self, clinic: Clinic) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            worse = clinic.worse(worker_metrics_port=taken.getsockname()[1])
            assert set(worse) == {"programs.worker"}
            assert "ss -ltnp" in worse["programs.worker"].cure

    def test_a_program_says_what_it_misses_or_waits_for(self, clinic: Clinic) -> None:
        health = Health()
        with running(Starlette(routes=health.routes)) as url:
            port = int(url.rpartition(":")[2])
            health.waits_for("the database")
            waiting = clinic.worse(health_port=port)
            health.works({"database": lambda: "ok", "redis": lambda: "does not answer"})
            missing = clinic.worse(health_port=port)
            health.works({"database": lambda: "ok"})
            assert clinic.worse(health_port=port) == {}
        assert set(waiting) == set(missing) == {"programs.bot"}
        assert "waits for the database" in waiting["programs.bot"].says
        assert missing["programs.bot"].says.endswith("not ready: redis does not answer")

    def test_a_program_that_does_not_run_beside_one_that_does(self, clinic: Clinic) -> None:
        ports = {"speaker_metrics_port": free_port()}
        assert clinic.worse(**ports) == {}
        health = Health()
        health.works({})
        with running(Starlette(routes=health.routes)) as url:
            worse = clinic.worse(**ports, worker_metrics_port=int(url.rpartition(":")[2]))
        assert set(worse) == {"programs.speaker"}
        assert "while worker does" in worse["programs.speaker"].says


class TestAttachments:
    def test_one_is_fetched(self, clinic: Clinic) -> None:
        clinic.site.attach(PAGE, "plan.txt", b"A plan.", "text/plain")
        found = clinic.found(confluence_attachments=True)["confluence.attachments"]
        assert (found.state, "was fetched" in found.says) == (HealthState.OK, True)

    def test_none_to_try_with_is_said(self, clinic: Clinic) -> None:
        found = clinic.found(confluence_attachments=True)["confluence.attachments"]
        assert found.state is HealthState.NOT_TRIED

    def test_one_that_is_kept_on_a_host_that_was_not_named(self, clinic: Clinic) -> None:
        site = build_confluence(load(SAMPLE))

        async def elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
            sends_on = "/download" in scope["path"]
            moved = RedirectResponse("https://files.example.com/plan.txt")
            await (moved if sends_on else site)(scope, receive, send)

        with running(elsewhere) as url, Site(url) as control:
            control.attach(PAGE, "plan.txt", b"A plan.", "text/plain")
            worse = clinic.worse(confluence_url=f"{url}/wiki", confluence_attachments=True)
        assert set(worse) == {"confluence.attachments"}
        assert "files.example.com" in worse["confluence.attachments"].says
        assert "CONFLUENCE_FILE_HOSTS" in worse["confluence.attachments"].cure


def install(clinic: Clinic, several: dict[str, Any]) -> None:
    chosen = clinic.settings(**several)
    database = Database(chosen.sql_url)
    made = Installation(TEAM_ID, "Sandbox", "U0BOT", "B0SANDBOX", "U0ALICE")
    Installations.of(chosen, database).save(made, SlackTokens(access=BOT_TOKEN))
    database.close()


def order(url: str, *statements: str) -> None:
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()
