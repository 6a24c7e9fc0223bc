"""The command: exit codes, JSON, 80 columns, no secret in it, and checks that fail or hang."""

from __future__ import annotations

import json
import threading
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from doctored import Clinic, as_environment, visited
from rich.console import Console

from core.settings import Settings
from groundwire.doctor.examination import LOG, Check, Examination
from groundwire.doctor.finding import HealthFinding, HealthState, NotTried, ok
from groundwire.doctor.hiding import HIDDEN, Hiding
from groundwire.doctor.output import Progress, show
from groundwire.doctor.patient import Patient
from groundwire.doctor.table import CHECKS
from groundwire.doctor.visit import findings

SECRET = "xoxb-of-this-test-alone"


def test_all_is_well_is_exit_code_0_and_json_names_every_check(clinic: Clinic) -> None:
    done = visited(as_environment(clinic.given), "--json", "--no-model")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    ill = [each for each in told["findings"] if each["state"] in ("warning", "wrong")]
    assert (told["state"], ill) == ("ok", [])
    assert [each["id"] for each in told["findings"]] == [check.id for check in CHECKS]
    assert {*told["findings"][0]} == {"id", "subject", "state", "says", "cure", "seconds"}
    embedder = next(each for each in told["findings"] if each["id"] == "vectors.embedder")
    assert embedder["says"].startswith("bundled, 512 dimensions")


def test_what_is_wrong_is_exit_code_1_and_stands_in_80_columns(clinic: Clinic) -> None:
    broken = clinic.given | {"slack_bot_token": "xoxb-another", "confluence_spaces": "NOPE"}
    done = visited(as_environment(broken) | {"COLUMNS": "80"}, "--no-model")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    place = next(n for n, line in enumerate(lines) if "✗ token: Slack refuses" in line)
    assert lines[place + 1].strip().startswith("→ a new token: api.slack.com/apps")
    assert "2 wrong" in lines[-1]


def test_no_line_of_a_log_stands_between_the_findings(clinic: Clinic) -> None:
    nowhere = "http://127.0.0.1:1"
    away = {"slack_api_url": f"{nowhere}/api/", "confluence_url": nowhere, "chroma_url": nowhere}
    done = visited(as_environment(clinic.given | away), "--json", "--no-model")
    assert (done.returncode, done.stderr) == (1, "")


def test_no_secret_of_the_environment_is_ever_shown(clinic: Clinic, tmp_path: Path) -> None:
    file = tmp_path / "signing"
    file.write_text("signing-secret-in-a-file\n")
    file.chmod(0o644)
    secrets = {
        "slack_bot_token": SECRET,
        "slack_app_token": "xapp-secret-app-token",
        "confluence_token": "confluence-secret-token",
        "confluence_witness_username": "mara@example.com",
        "confluence_witness_token": "witness-secret-token",
        "llm_api_key": "sk-secret-model-key",
        "reranker_key": "secret-reranker-key",
        "judge_api_key": "secret-judge-key",
        "token_keys": "secret-key-one,secret-key-two",
        "webhook_secret": "secret-of-webhooks",
    }
    addresses = {
        "database_url": "postgresql+psycopg://me:secret-sql-password@127.0.0.1:1/nothing",
        "redis_url": "redis://:secret%21redis@127.0.0.1:1/0",
    }
    environment = as_environment(clinic.given | secrets | addresses)
    environment["SLACK_SIGNING_SECRET_FILE"] = str(file)
    kept = [each for value in secrets.values() if "@" not in value for each in value.split(",")]
    kept += ["secret-sql-password", "secret%21redis", "secret!redis", "signing-secret-in-a-file"]
    for options in ((), ("--json",)):
        done = visited(environment, *options)
        assert done.returncode == 1
        said = done.stdout + done.stderr
        assert "database" in said
        assert [secret for secret in kept if secret in said] == []


class TestSettingsThatCannotBeUsed:
    def test_a_name_that_is_almost_right(self, clinic: Clinic, tmp_path: Path) -> None:
        done = with_file(tmp_path, "LLM_MODELL=small\n")
        assert done.returncode == 2
        assert "LLM_MODELL is no setting: did you mean LLM_MODEL?" in flat(done.stdout)
        assert "python: 3." in done.stdout  # what needs no settings is looked at all the same

    def test_a_file_with_a_token_that_others_can_read(self, tmp_path: Path) -> None:
        done = with_file(tmp_path, f"SLACK_BOT_TOKEN={SECRET}\n", mode=0o644)
        assert done.returncode == 2
        assert "→ chmod 600 .env" in done.stdout
        assert SECRET not in done.stdout + done.stderr

    def test_a_value_that_cannot_be(self, tmp_path: Path) -> None:
        done = with_file(tmp_path, "HEALTH_PORT=many\n", "--json")
        assert done.returncode == 2
        first = json.loads(done.stdout)["findings"][0]
        assert (first["id"], first["state"]) == ("settings.values", "wrong")
        assert "HEALTH_PORT" in first["says"]

    def test_an_option_that_there_is_not(self) -> None:
        assert visited(as_environment({}), "--no-such-option").returncode == 2


class TestOneCheck:
    def test_a_check_that_fails_is_a_defect_and_the_others_go_on(self, tmp_path: Path) -> None:
        def fails(_at: Patient) -> HealthFinding:
            raise KeyError(SECRET)

        found = looked(tmp_path, Check("one.fails", fails), Check("one.is_well", lambda _: ok("!")))
        assert [each.state for each in found] == [HealthState.WRONG, HealthState.OK]
        assert "KeyError" in found[0].says
        assert str(tmp_path / LOG) in found[0].cure
        log = (tmp_path / LOG).read_text()
        assert "Traceback" in log
        assert (SECRET in log, HIDDEN in log) == (False, True)

    def test_a_check_that_hangs_ends_with_its_time(self, tmp_path: Path) -> None:
        never = threading.Event()

        def hangs(_at: Patient) -> HealthFinding:
            never.wait()
            return ok("at last")

        checks = [Check("one.hangs", hangs, within_s=0.3), Check("one.is_well", lambda _: ok("!"))]
        found = looked(tmp_path, *checks)
        never.set()
        assert [each.state for each in found] == [HealthState.WRONG, HealthState.OK]
        assert "nothing came within" in found[0].says
        assert "firewall" in found[0].cure

    def test_what_several_need_is_asked_once_and_fails_for_all(self, tmp_path: Path) -> None:
        asked = []

        def ask(_at: Patient) -> str:
            asked.append(1)
            raise NotTried("there is none")

        checks = [Check(f"one.{n}", lambda at: ok(at.once(ask))) for n in range(5)]
        found = looked(tmp_path, *checks)
        assert {(each.state, each.says) for each in found} == {
            (HealthState.NOT_TRIED, "there is none")
        }
        assert asked == [1]

    def test_the_line_of_progress_says_what_is_waited_for(self, tmp_path: Path) -> None:
        never = threading.Event()

        def hangs(_at: Patient) -> HealthFinding:
            never.wait()
            return ok("at last")

        checks = [Check("one.hangs", hangs), Check("one.is_well", lambda _: ok("!"))]
        running = Examination(Patient(patient(tmp_path)), checks, Hiding(()))
        console = Console(width=80, file=StringIO(), record=True)
        while running.under_way != ["one.hangs"]:
            pass
        console.print(Progress(running))
        never.set()
        assert "1 of 2 checks; waiting for one.hangs" in console.export_text()


def test_a_start_is_told_in_a_moment_what_is_wrong_for_good(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is asked of servers that start with it, nor of the model."""
    away = {"redis_url": "redis://127.0.0.1:1/0", "chroma_url": "http://127.0.0.1:1"}
    found = findings(clinic.settings(**away, slack_bot_token="xoxb-another"), quick=True)
    subjects = {each.subject for each in found}
    assert not subjects & {"redis", "vectors"}
    wrong = [each for each in found if each.state is HealthState.WRONG]
    assert [(each.id, each.may_come) for each in wrong] == [("slack.token", False)]
    assert "/v1/chat/completions" not in {each["path"] for each in clinic.model.received()}


def test_what_was_not_tried_for_one_reason_is_one_line(tmp_path: Path) -> None:
    def not_there(_at: Patient) -> HealthFinding:
        raise NotTried("no server")

    found = looked(tmp_path, *(Check(f"one.{name}", not_there) for name in ("a", "b_c")))
    console = Console(width=80, file=StringIO(), record=True)
    show(console, found, 1.0)
    assert console.export_text().splitlines() == [
        "one",
        "  – a, b c: no server",
        "2 not tried; 1 s",
    ]


def looked(folder: Path, *checks: Check) -> list[HealthFinding]:
    return list(Examination(Patient(patient(folder)), checks, Hiding([SECRET])).findings())


def patient(folder: Path, **given: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, **given)


def with_file(folder: Path, text: str, *options: str, mode: int = 0o600) -> Any:
    file = folder / ".env"
    file.write_text(text)
    file.chmod(mode)
    environment = as_environment({})
    del environment["ENV_FILE"]
    return visited(environment, *options, folder=folder)


def flat(text: str) -> str:
    return " ".join(text.split())
