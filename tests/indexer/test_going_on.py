"""The indexer never ends by itself: real processes that lose something, say it, and go on."""

from __future__ import annotations

import json
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from test_indexer_commands import indexer, refused, said, start, wait_until
from wiki_site import HOME, LEAVE, LEAVE_BODY, Wiki, content, environment

from core.evidence import EvidenceStore
from core.storage import outages
from indexer.state.runs import ALL_SPACES
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import listen, running, serve
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Program, Programs, free_port

AGAIN = ("sync", "--every", "1s")
REFUSED = "check CONFLUENCE_USERNAME, CONFLUENCE_TOKEN"


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    return Wiki(url, site, store)


@pytest.fixture
def settings(wiki: Wiki, tmp_path: Path, chroma_url: str) -> dict[str, str]:
    return environment(wiki.url, tmp_path, chroma_url)


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Programs]:
    with Programs(tmp_path / "logs") as programs:
        yield programs


def log(program: Program) -> str:
    return program.log.read_text()


def causes(program: Program) -> set[str]:
    """The sentences of all lines that tell of something lost."""
    lines = [json.loads(line) for line in log(program).splitlines() if line.startswith("{")]
    return {line["error"] for line in lines if line["level"] == "warning" and "error" in line}


def tells(program: Program, cause: str) -> Callable[[], bool]:
    return lambda: any(cause in each for each in causes(program))


def goes_on(wiki: Wiki, program: Program, days: int) -> None:
    """What is edited now is in the index soon, by the same process, which never cried out."""
    wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", str(days)))
    wait_until(lambda: f"has {days} days" in wiki.all_evidence())
    assert program.process.poll() is None
    assert "Traceback" not in log(program)


def indexed(wiki: Wiki) -> str:
    """The line of numbers that says so."""
    return f'groundwire_pages{{state="indexed"}} {len(wiki.visible()):.1f}'


def status(settings: dict[str, str]) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = json.loads(indexer(settings, "status", "--json").stdout)
    return shown


@pytest.mark.parametrize(
    ("fault", "cause"),
    [({"status": 401}, REFUSED), ({"login_page": True}, "a login page?")],
    ids=["401", "a login page"],
)
def test_a_site_that_refuses_is_shown_by_status_until_it_does_not(
    wiki: Wiki,
    settings: dict[str, str],
    ours: Programs,
    fault: dict[str, Any],
    cause: str,
) -> None:
    wiki.site.fault(path_contains="/api/v2/spaces", times=1000, **fault)
    program = start(ours, settings, "indexer", *AGAIN)
    wait_until(tells(program, cause))
    (shown,) = status(settings)
    assert shown["space"] == ALL_SPACES
    assert cause in shown["last_error"]
    assert "confluence: all spaces: the last sync failed" in indexer(settings, "status").stdout

    wiki.site.reset()
    goes_on(wiki, program, 30)
    assert [each["last_error"] for each in status(settings)] == ["", ""]


def test_a_site_that_is_not_there_yet_is_waited_for(
    wiki: Wiki, settings: dict[str, str], ours: Programs
) -> None:
    port = free_port()
    settings["CONFLUENCE_URL"] = f"http://127.0.0.1:{port}/wiki"
    health = f"http://127.0.0.1:{free_port()}"
    settings["INDEXER_METRICS_PORT"] = health.rpartition(":")[2]
    program = start(ours, settings, "indexer", *AGAIN)
    wait_until(tells(program, "is CONFLUENCE_URL right?"))
    wait_until(lambda: httpx.get(f"{health}/readyz").status_code == 503)
    assert "the last round failed" in httpx.get(f"{health}/readyz").json()["sync"]
    serving = (build_app(content()), listen("127.0.0.1", port))
    threading.Thread(target=serve, args=serving, daemon=True).start()
    wait_until(lambda: HOME in wiki.visible())
    assert "Traceback" not in log(program)
    assert "Retrying" not in log(program)
    wait_until(lambda: "groundwire_sync_age_seconds" in httpx.get(f"{health}/metrics").text)
    wait_until(lambda: indexed(wiki) in httpx.get(f"{health}/metrics").text)
    numbers = httpx.get(f"{health}/metrics").text
    assert 'groundwire_spaces{last="failed"} 0.0' in numbers
    wait_until(lambda: httpx.get(f"{health}/readyz").status_code == 200)


def test_a_token_that_is_over_at_the_start_does_not_end_it(
    wiki: Wiki, settings: dict[str, str], ours: Programs
) -> None:
    """Data Center, told apart by asking."""
    settings |= {"CONFLUENCE_URL": f"{wiki.url}/confluence", "CONFLUENCE_USERNAME": ""}
    settings["CONFLUENCE_TOKEN"] = "over"
    program = start(ours, settings, "indexer", *AGAIN)
    wait_until(tells(program, REFUSED))
    assert REFUSED in status(settings)[0]["last_error"]
    assert program.process.poll() is None
    assert REFUSED in refused(indexer(settings, "sync"))


def test_a_vector_store_that_dies_and_comes_back_is_waited_for(
    wiki: Wiki, settings: dict[str, str], ours: Programs, tmp_path: Path
) -> None:
    port = str(free_port())
    where = ["--host", "127.0.0.1", "--port", port, "--path", str(tmp_path / "chroma")]
    settings["CHROMA_URL"] = f"http://127.0.0.1:{port}"

    def start_chroma() -> Program:
        command = ["chroma", "run", *where]
        made = ours.start("chroma", command, child_environment(), ready="listening on address")
        made.wait_until_ready()
        return made

    chroma = start_chroma()
    program = start(ours, settings, "indexer", *AGAIN)
    goes_on(wiki, program, 30)
    chroma.kill()
    wait_until(tells(program, "`chroma run` running?"))
    start_chroma()
    goes_on(wiki, program, 31)


def test_a_database_that_somebody_locks_for_too_long_is_waited_for(
    wiki: Wiki, settings: dict[str, str], ours: Programs, tmp_path: Path
) -> None:
    program = start(ours, settings, "indexer", *AGAIN)
    goes_on(wiki, program, 30)
    other = sqlite3.connect(tmp_path / "groundwire.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    wait_until(tells(program, outages.LOCKED))
    other.execute("COMMIT")
    other.close()
    goes_on(wiki, program, 31)


def test_a_file_that_may_not_grow_is_waited_for_and_stays_whole(
    wiki: Wiki, settings: dict[str, str], ours: Programs, tmp_path: Path
) -> None:
    """As on a full disk: SQLite cannot write, in the middle of a page."""
    program = start(ours, settings, "indexer", *AGAIN)
    goes_on(wiki, program, 30)
    size = (tmp_path / "groundwire.db").stat().st_size
    unlimited = resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (size // 2, unlimited[1]))
    wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "77") * 40)
    wait_until(tells(program, outages.DISK))
    assert "has 30 days" in wiki.all_evidence(), "a page is as it was, or new; never half"
    assert "77" not in wiki.all_evidence()

    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, unlimited)
    goes_on(wiki, program, 31)
    with sqlite3.connect(tmp_path / "groundwire.db") as looked_at:
        assert looked_at.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    looked_at.close()


def test_no_sync_begins_with_less_space_than_is_wanted(settings: dict[str, str]) -> None:
    settings["DISK_FREE_MB"] = "999999999"
    done = indexer(settings, "sync")
    (failed,) = said(done.stderr, "sync.failed")
    assert done.returncode == 1
    assert "free some space" in failed["error"]
    shown = indexer(settings, "status")
    assert "DISK_FREE_MB" in shown.stderr
    assert "DISK_FREE_MB" in shown.stdout
    assert "Traceback" not in done.stderr + shown.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("sync",),
        ("rebuild",),
        ("entities",),
        ("tune",),
        ("can-read", "ines@example.com", LEAVE),
    ],
    ids=lambda command: command[0],
)
def test_a_command_that_meets_a_damaged_database_ends_in_one_sentence(
    settings: dict[str, str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    for file in tmp_path.glob("groundwire.db*"):
        file.unlink()
    (tmp_path / "groundwire.db").write_bytes(b"nothing of a database" * 1000)
    done = indexer(settings, *command)
    assert (done.returncode, done.stderr) == (1, f"groundwire: {outages.DAMAGED}\n")
