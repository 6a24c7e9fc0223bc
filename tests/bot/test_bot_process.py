"""`python -m bot` as the operator meets it: its first words, its size, what it does not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import psutil
import pytest
from desk import NOBODY, a_speaker, environment, settings
from linked_site import given as linking

from bot.views import answer_blocks
from core.language.sentences import sentences
from core.states import NoAnswer
from core.storage.database import Database
from core.turns import post_store, turn_store
from sandbox.programs.processes import Programs, free_port
from sandbox.slack.client import Workspace
from sandbox.slack.serve import running
from sandbox.slack.workspace.tiers import UNLIMITED

SAY = sentences("en")

HEAVY = ("torch", "chromadb", "sklearn", "numpy", "matplotlib", "lxml", "atlassian", "openai")


def ended(folder: Path, slack_url: str, *options: str, **more: str) -> tuple[int, list[str]]:
    """Exit code and last line of a bot that cannot start; before it, libraries print warnings."""
    command = [sys.executable, "-m", "bot", *options]
    done = subprocess.run(
        command,
        env=environment(folder, slack_url, NOBODY, **more),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.returncode, [line for line in done.stderr.splitlines() if not line.startswith("{")]


@pytest.mark.parametrize("missing", [("SLACK_APP_TOKEN",), ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN")])
def test_a_missing_token_is_named_in_one_line(
    tmp_path: Path, slack_url: str, missing: tuple[str, ...]
) -> None:
    code, lines = ended(tmp_path, slack_url, **dict.fromkeys(missing, ""))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith(f"groundwire: {', '.join(missing)} not set")


def test_over_http_a_missing_signing_secret_is_named_in_one_line(
    tmp_path: Path, slack_url: str
) -> None:
    code, lines = ended(tmp_path, slack_url, "--http")
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith("groundwire: SLACK_SIGNING_SECRET not set")


def test_over_http_a_taken_port_is_told_in_one_line(tmp_path: Path, slack_url: str) -> None:
    port = slack_url.rpartition(":")[2]
    code, lines = ended(
        tmp_path, slack_url, "--http", "--port", port, SLACK_SIGNING_SECRET="s", SLACK_APP_TOKEN=""
    )
    assert (code, lines) == (
        2,
        [f"groundwire: cannot listen on 127.0.0.1:{port}: Address already in use"],
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "LINK_PORT not set"),
        ({"LINK_PORT": "x"}, "wrong setting: LINK_PORT"),
        ({"TOKEN_KEYS": "nonsense"}, "TOKEN_KEYS holds something that is no key"),
        ({"PUBLIC_URL": "http://bot.example"}, "PUBLIC_URL is not https"),
        ({"ATLASSIAN_CLIENT_SECRET": ""}, "ATLASSIAN_CLIENT_SECRET not set"),
    ],
)
def test_half_of_what_linking_accounts_needs_is_named_in_one_line(
    tmp_path: Path, slack_url: str, more: dict[str, str], said: str
) -> None:
    given = {name.upper(): value for name, value in linking("https://x.atlassian.net").items()}
    code, lines = ended(tmp_path, slack_url, **(given | more))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith(f"groundwire: {said}")


def test_in_socket_mode_health_has_a_port_of_its_own_and_tells_what_is_missing(
    tmp_path: Path,
) -> None:
    port = str(free_port())
    with running(limits=UNLIMITED) as url, Programs(tmp_path / "logs") as programs:
        given = environment(tmp_path, url, NOBODY, HEALTH_PORT=port)
        bot = programs.start("bot", [sys.executable, "-m", "bot"], given, ready="listening")
        bot.wait_until_ready()
        ready = httpx.get(f"http://127.0.0.1:{port}/readyz")
        assert (ready.status_code, ready.json()["redis"], ready.json()["slack"]) == (
            503,
            "does not answer",
            "ok",
        )
        assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
        assert (
            "groundwire_slack_request_seconds" in httpx.get(f"http://127.0.0.1:{port}/metrics").text
        )
        bot.kill()


def test_a_pool_shows_its_numbers_on_the_port_of_its_name(
    tmp_path: Path, slack_url: str, redis_url: str
) -> None:
    port = str(free_port())
    with Programs(tmp_path / "logs") as programs:
        pool = [sys.executable, "-m", "bot", "pool"]
        given = environment(tmp_path, slack_url, redis_url, SPEAKER_METRICS_PORT=port)
        programs.start("speaker", pool, given, ready=r"speaker@\S+ ready").wait_until_ready()
        assert (
            "groundwire_answers_delivered_total"
            in httpx.get(f"http://127.0.0.1:{port}/metrics").text
        )


@pytest.mark.parametrize(
    ("name", "kind", "other"),
    [
        ("SLACK_BOT_TOKEN", "xoxb", "SLACK_APP_TOKEN"),
        ("SLACK_APP_TOKEN", "xapp", "SLACK_BOT_TOKEN"),
    ],
)
def test_a_token_that_slack_refuses_is_named_and_not_shown(
    tmp_path: Path, slack_url: str, name: str, kind: str, other: str
) -> None:
    code, lines = ended(tmp_path, slack_url, **{name: f"{kind}-of-another-company"})
    assert (code, len(lines)) == (2, 1)
    assert name in lines[0]
    assert "invalid_auth" in lines[0]
    assert other not in lines[0]
    assert "another-company" not in lines[0]


def test_a_slack_that_is_ill_is_waited_for_and_no_token_is_blamed(tmp_path: Path) -> None:
    with running(limits=UNLIMITED) as url, Workspace(url) as workspace:
        workspace.fault(method="auth.test", error="internal_error", times=2)
        with Programs(tmp_path / "logs") as programs:
            bot = programs.start(
                "bot",
                [sys.executable, "-m", "bot"],
                environment(tmp_path, url, NOBODY),
                ready="listening",
            )
            bot.wait_until_ready()
            waited = [line for line in bot.log.read_text().splitlines() if "start.waits" in line]
            assert len(waited) == 2
            assert "Slack does not answer" in waited[0]
            assert "internal_error" in waited[0]
            bot.kill()


def test_without_redis_the_bot_stays_small_keeps_the_question_acknowledges_it_and_tells_the_person(
    tmp_path: Path,
) -> None:
    with (
        running(limits=UNLIMITED) as url,
        Workspace(url) as workspace,
        Programs(tmp_path / "logs") as programs,
    ):
        bot = programs.start(
            "bot",
            [sys.executable, "-m", "bot"],
            environment(tmp_path, url, NOBODY),
            ready="listening",
        )
        bot.wait_until_ready()
        reply = workspace.wait_for_reply(workspace.direct("alice", "who is on call?"))
        workspace.wait_until(lambda: workspace.state()["deliveries"][0]["acknowledged"])
        # The bundled encoder, which tells questions from talk, is most of it.
        assert psutil.Process(bot.process.pid).memory_info().rss < 340 * 1024 * 1024
        assert reply.text == SAY("queue-down")
        chosen = settings(tmp_path, url, NOBODY)
        database = Database(chosen.sql_url)
        post = post_store.at_place(database, reply.channel, reply.ts)
        assert post is not None
        turn = turn_store.load(database, post.turn_id)
        assert turn is not None
        assert (turn.question, turn.state) == ("who is on call?", "waiting")

        turn_store.fail(database, turn.id, NoAnswer.LATE)  # and the same when it is asked again
        a_speaker(chosen, database).answers.deliver(turn.id)
        workspace.click("alice", workspace.message(reply), answer_blocks.ASK_AGAIN_ACTION)
        workspace.wait_until(lambda: workspace.message(reply).text == SAY("queue-down"))
        database.close()
        bot.kill()  # closing Socket Mode politely takes 3 s
    assert "Traceback" not in bot.log.read_text()


def test_the_programs_that_speak_load_nothing_of_those_that_think() -> None:
    code = (
        f"import sys, bot.app, bot.tasks; print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "[]"
