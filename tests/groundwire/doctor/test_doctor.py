"""A healthy installation is found healthy; of what is broken, exactly that is said, with a cure."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import redis
from doctored import Clinic, ill, off_by, redis_off_by
from slack_sdk import WebClient
from sqlalchemy import create_engine, text
from starlette.types import Message, Receive, Scope, Send

from core.storage.database import Database
from groundwire.doctor.checks.slack import scopes_of_manifest
from groundwire.doctor.finding import HealthState
from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.app import ACCESS_TOKEN
from sandbox.confluence.app import build_app as build_confluence
from sandbox.confluence.site.load import load
from sandbox.http.server import running
from sandbox.llm.odd import ODD, build
from sandbox.llm.scoring import build as build_scoring
from sandbox.llm.scripted import toy
from sandbox.slack.app import build_app as build_slack
from sandbox.slack.workspace.tiers import UNLIMITED
from sandbox.slack.workspace.values import CLIENT_ID, CLIENT_SECRET
from worker.generation.second_reader.exam import Grade
from worker.generation.second_reader.grades import Grades

NOWHERE = "http://127.0.0.1:1"
MARA = "sandbox:mara-lindqvist"


def test_a_healthy_installation_is_found_healthy(clinic: Clinic) -> None:
    found = clinic.found()
    assert ill(found) == {}
    well = {name for name, each in found.items() if each.state is HealthState.OK}
    assert {
        "database.sync",
        "vectors.complete",
        "slack.scopes",
        "confluence.pages",
        "model.call",
        "clocks.slack",
        "clocks.confluence",
        "clocks.redis",
    } <= well
    assert all(each.says for each in found.values())


def test_a_healthy_data_center_is_found_healthy(clinic: Clinic) -> None:
    url = clinic.given["confluence_url"].removesuffix("/wiki") + "/confluence"
    server: dict[str, Any] = {"confluence_username": "", "confluence_token": ACCESS_TOKEN}
    found = clinic.found(confluence_url=url, **server)
    assert ill(found) == {}
    assert "Data Center" in found["confluence.address"].says


# What is changed in the settings, which finding that makes worse, and a word of its cure.
BY_SETTINGS: dict[str, tuple[dict[str, Any], str, str]] = {
    "a bot token that Slack refuses": (
        {"slack_bot_token": "xoxb-another"},
        "slack.token",
        "install the app again",
    ),
    "an app token that Slack refuses": (
        {"slack_app_token": "xapp-another"},
        "slack.socket",
        "connections:write",
    ),
    "no Slack there": ({"slack_api_url": f"{NOWHERE}/api/"}, "slack.token", "SLACK_API_URL"),
    "no app token": ({"slack_app_token": None}, "settings.slack", "Making the app"),
    "one workspace and several": (
        {"slack_workspaces": "T0SANDBOX"},
        "settings.slack",
        "SLACK_BOT_TOKEN for one workspace",
    ),
    "a token of Confluence's that is over": (
        {"confluence_token": "another"},
        "confluence.account",
        "CONFLUENCE_TOKEN",
    ),
    "no such space": ({"confluence_spaces": "ENG,NOPE"}, "confluence.spaces", "CONFLUENCE_SPACES"),
    "no Confluence there": (
        {"confluence_url": f"{NOWHERE}/wiki"},
        "confluence.address",
        "CONFLUENCE_URL",
    ),
    "no e-mail for Cloud": ({"confluence_username": "mara"}, "confluence.address", "FLAVOR"),
    "a secret of webhooks that is missing": (
        {"webhook_port": 16000},
        "settings.confluence",
        "set both",
    ),
    "grace without spaces": ({"confirm_grace_s": 60}, "settings.confluence", "set both"),
    "a witness that is the reader": (
        {
            "confluence_witness_username": "sandbox@example.com",
            "confluence_witness_token": "sandbox-token",
        },
        "confluence.witness",
        "ordinary account",
    ),
    "a model without its name": ({"llm_model": None}, "settings.model", "LLM_MODEL"),
    "a bound of money without prices": (
        {"limit_money_per_day": 5},
        "settings.model",
        "PRICES",
    ),
    "no model there": ({"llm_base_url": f"{NOWHERE}/v1"}, "model.endpoint", "LLM_BASE_URL"),
    "log-probabilities that are not told": (
        {"explain_by": "logprobs"},
        "model.scores",
        "EXPLAIN_BY=sample",
    ),
    "no Redis there": ({"redis_url": "redis://127.0.0.1:1/0"}, "redis.reachable", "REDIS_URL"),
    "no Chroma there": ({"chroma_url": NOWHERE}, "vectors.reachable", "CHROMA_URL"),
    "too little space": ({"disk_free_mb": 10**9}, "machine.disk", "free some space"),
    "an entities file that is not there": (
        {"entities_file": "/nowhere/entities.yaml"},
        "machine.entities_file",
        "Entities",
    ),
    "an accounts file that is not there": (
        {"accounts_file": "/nowhere/accounts.yaml"},
        "machine.accounts_file",
        "ACCOUNTS_FILE",
    ),
    "two programs on one port": (
        {"webhook_port": 16001, "webhook_secret": "a secret", "link_port": 16001},
        "settings.ports",
        "a port of its own",
    ),
}
# What follows from the same cause, and is said beside it.
FOLLOWS = {
    "no Slack there": {"slack.socket"},
    "no e-mail for Cloud": {"confluence.account"},
    "no model there": {"model.call"},
}


@pytest.mark.parametrize("broken", BY_SETTINGS)
def test_what_a_setting_breaks_is_named_with_its_cure(clinic: Clinic, broken: str) -> None:
    changed, name, cure = BY_SETTINGS[broken]
    worse = clinic.worse(**changed)
    assert set(worse) - FOLLOWS.get(broken, set()) == {name}
    assert worse[name].state is HealthState.WRONG
    assert cure in worse[name].cure


def test_what_may_come_by_itself_is_told_from_what_stays_wrong(clinic: Clinic) -> None:
    away = {"redis_url": "redis://127.0.0.1:1/0", "chroma_url": NOWHERE}
    worse = clinic.worse(**away, slack_bot_token="xoxb-another", confluence_spaces="NOPE")
    may_come = {name for name, each in worse.items() if each.may_come}
    assert may_come == {"redis.reachable", "vectors.reachable"}


class TestSlack:
    def test_a_scope_that_is_missing(self, clinic: Clinic) -> None:
        clinic.workspace.scopes("chat:write", "commands")
        worse = clinic.worse()
        assert set(worse) == {"slack.scopes"}
        assert "app_mentions:read" in worse["slack.scopes"].says
        assert "manifest.json" in worse["slack.scopes"].cure

    def test_a_scope_that_can_be_spared_is_a_warning_and_so_is_one_too_many(
        self, clinic: Clinic
    ) -> None:
        granted = clinic.found()["slack.scopes"]
        assert granted.state is HealthState.OK
        all_of_them = scopes_of_manifest()
        clinic.workspace.scopes(*(all_of_them - {"files:write"}))
        assert clinic.worse()["slack.scopes"].state is HealthState.WARNING
        clinic.workspace.scopes(*all_of_them, "channels:join")
        too_many = clinic.worse()["slack.scopes"]
        assert (too_many.state, "channels:join" in too_many.says) == (HealthState.WARNING, True)

    def test_a_token_that_ends_by_itself(self, clinic: Clinic) -> None:
        """As apps with token rotation have them: nobody renews what stands in a setting."""
        clinic.workspace.rotate()
        other = clinic.workspace.add_team("B")
        asked = {"client_id": CLIENT_ID, "scope": ",".join(scopes_of_manifest())}
        back = urlencode({**asked, "redirect_uri": "https://bot.example.com/", "state": "s"})
        url = other.allow("Alice", f"https://slack.com/oauth/v2/authorize?{back}")
        issued = WebClient(base_url=clinic.given["slack_api_url"]).oauth_v2_access(
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            code=parse_qs(urlsplit(url).query)["code"][0],
            redirect_uri="https://bot.example.com/",
        )
        worse = clinic.worse(slack_bot_token=issued["access_token"])
        assert set(worse) == {"slack.token"}
        assert "rotation" in worse["slack.token"].says

    def test_a_page_of_a_proxy(self, clinic: Clinic) -> None:
        site = clinic.given["confluence_url"]
        worse = clinic.worse(slack_api_url=site)
        assert set(worse) == {"slack.token", "slack.socket"}
        assert "SLACK_API_URL" in worse["slack.token"].cure

    def test_over_http_the_public_address_leads_to_the_bot(
        self, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BOT_OPTIONS", "--http --port 16003")
        signed = {"slack_signing_secret": "signing", "slack_app_token": None}
        assert set(clinic.worse(**signed)) == set()
        # Something else stands at that address.
        site = clinic.given["confluence_url"].removesuffix("/wiki")
        worse = clinic.worse(**signed, public_url=site)
        assert set(worse) == {"slack.request_url"}
        assert "/slack/events" in worse["slack.request_url"].cure


class TestConfluence:
    def test_a_login_page(self, clinic: Clinic) -> None:
        clinic.site.fault(login_page=True, times=1000)
        worse = clinic.worse()
        assert set(worse) == {"confluence.address"}
        assert "login page" in worse["confluence.address"].says

    def test_a_site_that_takes_the_connection_and_says_nothing(self, clinic: Clinic) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/wiki"
            worse = clinic.worse(confluence_url=url)
        assert set(worse) == {"confluence.address"}
        assert worse["confluence.address"].may_come

    def test_another_address_on_the_same_host(self, clinic: Clinic) -> None:
        url = clinic.given["confluence_url"].removesuffix("/wiki")
        worse = clinic.worse(confluence_url=url)
        assert set(worse) == {"confluence.address"}

    def test_a_site_that_is_near_its_limit_of_requests_is_a_warning(self, clinic: Clinic) -> None:
        site = build_confluence(load(SAMPLE))

        async def near(scope: Scope, receive: Receive, send: Send) -> None:
            async def limited(message: Message) -> None:
                if message["type"] == "http.response.start":
                    limit = (b"x-ratelimit-nearlimit", b"true")
                    message["headers"] = [*message["headers"], limit]
                await send(message)

            await site(scope, receive, limited)

        with running(near) as url:
            worse = clinic.worse(confluence_url=f"{url}/wiki")
        assert {name: each.state for name, each in worse.items()} == {
            "confluence.pace": HealthState.WARNING
        }
        assert "CONFLUENCE_REQUESTS_PER_SECOND" in worse["confluence.pace"].cure

    def test_a_token_that_may_read_and_not_say_whose_it_is(self, clinic: Clinic) -> None:
        clinic.site.fault(path_contains="user/current", status=401, times=10)
        worse = clinic.worse()
        assert {name: each.state for name, each in worse.items()} == {
            "confluence.account": HealthState.WARNING
        }

    def test_a_witness_that_sees_less_is_a_warning(self, clinic: Clinic) -> None:
        clinic.site.give_token(MARA, "the-witness")
        witness: dict[str, Any] = {
            "confluence_witness_username": "mara.lindqvist@lumbrook.example",
            "confluence_witness_token": "the-witness",
        }
        found = clinic.found(**witness)
        assert found["confluence.witness"].state is HealthState.OK, found["confluence.witness"]
        clinic.site.space_readers("HR", users=["sandbox:somebody-else"])
        assert set(clinic.worse(**witness)) == {"confluence.witness"}

    def test_a_witness_whose_token_is_over(self, clinic: Clinic) -> None:
        witness: dict[str, Any] = {
            "confluence_witness_username": "mara.lindqvist@lumbrook.example",
            "confluence_witness_token": "no-such-token",
        }
        worse = clinic.worse(**witness)
        assert set(worse) == {"confluence.witness"}
        assert "CONFLUENCE_WITNESS_TOKEN" in worse["confluence.witness"].cure

    def test_aware_names_a_group_that_is_not_there(self, clinic: Clinic) -> None:
        aware: dict[str, Any] = {"permission_mode": "aware"}
        worse = clinic.worse(**aware, confluence_everybody="no-such-group")
        assert set(worse) == {"confluence.permissions"}
        assert "CONFLUENCE_EVERYBODY" in worse["confluence.permissions"].cure
        assert "settings.confluence" in clinic.worse(**aware)

    def test_an_account_that_may_not_ask_for_others(self, clinic: Clinic) -> None:
        clinic.site.members("everybody", [MARA])
        aware: dict[str, Any] = {"permission_mode": "aware", "confluence_everybody": "everybody"}
        assert ill(clinic.found(**aware)) == {}
        clinic.site.fault(path_contains="permission/check", status=403, times=10)
        worse = clinic.worse(**aware)
        assert set(worse) == {"confluence.permissions"}
        assert "Confluence Administrator" in worse["confluence.permissions"].cure


class TestModel:
    @pytest.mark.parametrize(
        ("kind", "said"),
        [
            ("refuses to stream", "does not stream"),
            ("refuses several", "no seed and no temperature"),
            ("knows no system role", "system message"),
        ],
    )
    def test_what_it_does_not_take_is_a_warning(self, clinic: Clinic, kind: str, said: str) -> None:
        with running(build(ODD[kind])) as url:
            worse = clinic.worse(llm_base_url=f"{url}/v1")
        assert set(worse) == {"model.parameters"}
        assert said in worse["model.parameters"].says

    def test_a_name_that_is_not_listed(self, clinic: Clinic) -> None:
        """The stand-in answers to any name, as Azure does to those of deployments."""
        assert clinic.worse(llm_model="a-deployment") == {}
        worse = clinic.worse(llm_models="sandbox-toy,another")
        assert set(worse) == {"model.endpoint"}
        assert "sandbox-toy" in worse["model.endpoint"].cure

    def test_one_that_tells_log_probabilities(self, clinic: Clinic) -> None:
        with running(build_scoring(toy, as_vllm=True)) as url:
            found = clinic.found(llm_base_url=f"{url}/v1", explain_by="logprobs")
        assert found["model.scores"].state is HealthState.OK
        assert "log-probabilities can be had" in found["model.scores"].says

    def test_nothing_is_spent_with_no_model(self, clinic: Clinic) -> None:
        found = clinic.found(by={"may_ask_model": False})
        assert found["model.endpoint"].state is HealthState.OK
        assert found["model.call"].state is HealthState.NOT_TRIED
        assert [each["path"] for each in clinic.model.received()] == ["/v1/models"]

    @pytest.mark.parametrize(("found", "state"), [(98, HealthState.OK), (40, HealthState.WARNING)])
    def test_the_exam_of_the_model(
        self, clinic: Clinic, tmp_path: Path, found: int, state: HealthState
    ) -> None:
        url = clinic.database(tmp_path)
        before = clinic.found(database_url=url)["model.exam"]
        assert before.state is HealthState.NOT_TRIED
        assert "groundwire worker exam" in before.cure
        chosen = clinic.settings(database_url=url)
        grades = Grades(Database(url), chosen)
        grades.save(chosen.llm_model or "", Grade(right=100, wrong=100, found=found))
        after = clinic.found(database_url=url)["model.exam"]
        assert after.state is state
        assert f"{found} of 100 errors found" in after.says

    def test_a_long_prompt_that_is_cut_without_a_word(self, clinic: Clinic) -> None:
        by = {"tries_long_prompt": True}
        assert clinic.found(by=by)["model.context"].state is HealthState.OK
        with running(build(ODD["counts in every chunk"])) as url:  # counts 7, whatever it gets
            worse = ill(clinic.found(by=by, llm_base_url=f"{url}/v1"))
        assert set(worse) == {"model.context"}
        assert "OLLAMA_CONTEXT_LENGTH=8000" in worse["model.context"].cure


class TestStores:
    def test_a_redis_that_evicts(self, clinic: Clinic) -> None:
        with redis.Redis.from_url(clinic.given["redis_url"]) as server:
            server.config_set("maxmemory-policy", "allkeys-lru")
            worse = clinic.worse()
            server.config_set("maxmemory-policy", "noeviction")
        assert set(worse) == {"redis.eviction"}
        assert "noeviction" in worse["redis.eviction"].cure

    def test_a_redis_that_forgets_is_a_warning(self, clinic: Clinic) -> None:
        with redis.Redis.from_url(clinic.given["redis_url"]) as server:
            server.config_set("appendonly", "no")
            worse = clinic.worse()
            server.config_set("appendonly", "yes")
        assert {name: each.state for name, each in worse.items()} == {
            "redis.keeps": HealthState.WARNING
        }

    def test_a_chroma_without_the_vectors(self, clinic: Clinic, tmp_path: Path) -> None:
        url = changed(clinic, tmp_path, "UPDATE index_state SET collection = 'evidence-of-nobody'")
        worse = clinic.worse(database_url=url)
        assert set(worse) == {"vectors.complete"}
        assert "rebuild" in worse["vectors.complete"].cure

    def test_a_chroma_that_has_lost_some(self, clinic: Clinic, tmp_path: Path) -> None:
        more = (
            "INSERT INTO evidence SELECT id || '-more', source, page_id, acl_id, record, text_hash"
            " FROM evidence LIMIT 3"
        )
        worse = clinic.worse(database_url=changed(clinic, tmp_path, more))
        assert set(worse) == {"vectors.complete"}

    def test_something_else_at_the_address_of_chroma(self, clinic: Clinic) -> None:
        worse = clinic.worse(chroma_url=clinic.given["confluence_url"].removesuffix("/wiki"))
        assert "vectors.reachable" in worse
        assert not worse["vectors.reachable"].may_come

    def test_a_database_of_a_newer_version(self, clinic: Clinic, tmp_path: Path) -> None:
        url = changed(clinic, tmp_path, "UPDATE alembic_version SET version_num = '9999'")
        worse = clinic.worse(database_url=url)
        assert set(worse) == {"database.migrations"}
        assert "install that version" in worse["database.migrations"].cure

    def test_a_database_of_an_older_version_is_a_warning(
        self, clinic: Clinic, tmp_path: Path
    ) -> None:
        url = changed(clinic, tmp_path, "UPDATE alembic_version SET version_num = '0003'")
        worse = clinic.worse(database_url=url)
        assert {name: each.state for name, each in worse.items()} == {
            "database.migrations": HealthState.WARNING
        }
        assert "backup" in worse["database.migrations"].cure

    def test_an_index_that_is_old(self, clinic: Clinic, tmp_path: Path) -> None:
        url = changed(clinic, tmp_path, "UPDATE sync SET finished_at = finished_at - 7200")
        worse = clinic.worse(database_url=url)
        assert set(worse) == {"database.sync"}
        assert "indexer sync" in worse["database.sync"].cure

    def test_a_damaged_database(self, clinic: Clinic, tmp_path: Path) -> None:
        file = tmp_path / "groundwire.db"
        file.write_bytes(b"no database " * 1000)
        file.chmod(0o600)
        worse = clinic.worse(database_url=f"sqlite:///{file}")
        assert set(worse) == {"database.reachable"}
        assert "backup" in worse["database.reachable"].cure

    def test_nothing_is_made_where_there_is_no_database_yet(
        self, clinic: Clinic, tmp_path: Path
    ) -> None:
        file = tmp_path / "new" / "groundwire.db"
        assert clinic.worse(database_url=f"sqlite:///{file}") == {}
        assert not file.parent.exists()


class TestClocks:
    def test_slack_says_another_time(self, clinic: Clinic) -> None:
        with off_by(build_slack(limits=UNLIMITED), 90) as url:
            worse = clinic.worse(slack_api_url=f"{url}/api/")
        assert set(worse) == {"clocks.slack"}
        assert "90 s ahead" in worse["clocks.slack"].says
        assert "NTP" in worse["clocks.slack"].cure

    def test_confluence_says_another_time(self, clinic: Clinic) -> None:
        with off_by(build_confluence(load(SAMPLE)), -60) as url:
            worse = clinic.worse(confluence_url=f"{url}/wiki")
        assert set(worse) == {"clocks.confluence"}
        assert "behind" in worse["clocks.confluence"].says

    def test_who_says_an_old_time_once_has_only_been_asleep(self, clinic: Clinic) -> None:
        apps = build_slack(limits=UNLIMITED), build_confluence(load(SAMPLE))
        with off_by(apps[0], -90, once=True) as slack, off_by(apps[1], -90, once=True) as site:
            worse = clinic.worse(slack_api_url=f"{slack}/api/", confluence_url=f"{site}/wiki")
        assert worse == {}

    def test_redis_says_another_time(self, clinic: Clinic) -> None:
        with redis_off_by(clinic.given["redis_url"], 30) as url:
            worse = clinic.worse(redis_url=url)
            assert clinic.worse(redis_url=url, clock_skew_s=60) == {}
        assert set(worse) == {"clocks.redis"}


def changed(clinic: Clinic, folder: Path, statement: str) -> str:
    """A copy of the database in which something is different."""
    url = clinic.database(folder)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()
    (folder / "groundwire.db").chmod(0o600)
    return url
