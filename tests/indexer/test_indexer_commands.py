"""`python -m indexer …` for the operator: real processes, their exit codes and their output."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result
from wiki import key, searching
from wiki_site import (
    CHILDREN,
    HOME,
    LEAVE,
    LEAVE_BODY,
    MENTION,
    NEWS,
    OPS,
    SALARY,
    TRAVEL,
    Wiki,
    content,
    environment,
)

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceStore, Query
from core.jobs.leases import lease
from core.settings import settings as chosen
from indexer.__main__ import app
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Program, Programs

EVERYTHING = {HOME, LEAVE, TRAVEL, NEWS, OPS}
NOWHERE = "http://127.0.0.1:1"
TOO_LONG_S = 300  # a command that takes longer fails its test


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    """The data of the processes, seen from here."""
    url, site = served
    site.reset()
    return Wiki(url, site, store)


@pytest.fixture
def settings(wiki: Wiki, tmp_path: Path, chroma_url: str) -> dict[str, str]:
    return environment(wiki.url, tmp_path, chroma_url)


def indexer(settings: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "indexer", *arguments]
    return subprocess.run(
        command,
        env=child_environment(**settings),
        capture_output=True,
        text=True,
        timeout=TOO_LONG_S,
    )


def inside(monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], *arguments: str) -> Result:
    """A command that needs no process of its own."""
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    chosen.cache_clear()
    result = CliRunner().invoke(app, arguments)
    chosen.cache_clear()
    return result


def said(log: str, event: str) -> list[dict[str, Any]]:
    """The lines of a log with this event."""
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + TOO_LONG_S
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.05)


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of a command that found a setting wrong."""
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout, line[:12]) == (2, "", "groundwire: ")
    return line


def test_sync_indexes_every_configured_space_and_ends_with_0(
    wiki: Wiki, settings: dict[str, str]
) -> None:
    done = indexer(settings, "sync")
    assert done.returncode == 0
    assert wiki.visible() == EVERYTHING
    assert [(line["space"], line["complete"]) for line in said(done.stderr, "synced")] == [
        ("DOC", True),
        ("OPS", True),
    ]

    status = json.loads(indexer(settings, "status", "--json").stdout)
    assert [
        (space["space"], space["pages"], space["hidden"], space["failures"]) for space in status
    ] == [
        ("DOC", 4, 2, []),
        ("OPS", 1, 0, []),
    ]


def test_status_is_a_table_for_people(
    wiki: Wiki, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.sync()
    table = inside(monkeypatch, settings, "status").stdout
    assert all(word in table for word in ("DOC", "pages", "ago", "4", "2"))


def test_what_is_not_read_is_counted_by_status_and_named_on_request(
    wiki: Wiki, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.site.create("DOC", "Tide tables", "", kind="whiteboard")
    wiki.site.create("DOC", "A chart", "", kind="embed")
    wiki.sync()
    counted = "DOC: not read: 1 Smart Link, 1 whiteboard"
    assert counted in inside(monkeypatch, settings, "status").stdout

    named = inside(monkeypatch, settings, "unread").stdout.splitlines()
    assert [line.partition(": http")[0] for line in named] == [
        "DOC: Smart Link: A chart",
        "DOC: whiteboard: Tide tables",
    ]
    found = json.loads(inside(monkeypatch, settings, "unread", "--json").stdout)
    assert [item["title"] for item in found["DOC"]] == ["A chart", "Tide tables"]
    assert found["OPS"] == []


def test_a_missing_setting_is_named_in_one_line(settings: dict[str, str]) -> None:
    assert refused(indexer(settings | {"CONFLUENCE_TOKEN": ""}, "sync")).startswith(
        "groundwire: CONFLUENCE_TOKEN not set"
    )


def test_a_space_that_the_site_does_not_know_is_named_in_one_line(settings: dict[str, str]) -> None:
    assert "CONFLUENCE_SPACES: NOPE not found" in refused(
        indexer(settings | {"CONFLUENCE_SPACES": "DOC,NOPE"}, "sync")
    )


def test_a_pause_that_is_none_is_named_in_one_line(
    settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = inside(monkeypatch, settings, "sync", "--every", "often")
    assert (done.exit_code, done.stderr) == (
        2,
        "groundwire: --every often: write a number and s, m or h, such as 5m\n",
    )


@pytest.mark.parametrize(
    ("wrong", "cure"),
    [
        pytest.param({"CONFLUENCE_URL": NOWHERE}, "is CONFLUENCE_URL right?", id="nobody there"),
        pytest.param({"CHROMA_URL": NOWHERE}, "is CHROMA_URL right", id="no Chroma"),
    ],
)
def test_a_sync_that_cannot_be_done_says_in_a_line_what_to_do_and_ends_with_1(
    settings: dict[str, str], wrong: dict[str, str], cure: str
) -> None:
    done = indexer(settings | wrong, "sync")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert all(cure in line["error"] for line in said(done.stderr, "sync.failed"))
    assert said(done.stderr, "sync.failed")


def test_a_space_that_fails_or_that_another_indexer_is_at_keeps_the_others_neither_waiting_nor_out(
    wiki: Wiki, settings: dict[str, str]
) -> None:
    wiki.site.fault(
        path_contains="/api/v2/pages", login_page=True
    )  # once: the first space that is not taken fails, the other does not
    with lease(wiki.store.database, "indexer:confluence:DOC"):
        done = indexer(settings | {"CONFLUENCE_SPACES": "DOC,OPS,OLD"}, "sync")
    (skipped,), (failed,) = said(done.stderr, "sync.skipped"), said(done.stderr, "sync.failed")
    assert (done.returncode, skipped["space"]) == (1, "DOC")
    assert {
        failed["space"],
        *(line["space"] for line in said(done.stderr, "synced") if line["complete"]),
    } == {"OPS", "OLD"}
    assert len(wiki.visible()) == 1


def start(programs: Programs, settings: dict[str, str], name: str, *arguments: str) -> Program:
    return programs.start(
        name, [sys.executable, "-m", "indexer", *arguments], child_environment(**settings), ready=""
    )


def test_what_a_killed_sync_had_begun_is_completed_by_the_next(
    wiki: Wiki, settings: dict[str, str], tmp_path: Path
) -> None:
    wiki.site.edit(TRAVEL, MENTION.replace("ines", "ben") + CHILDREN)
    wiki.site.move(LEAVE, parent_id=TRAVEL)
    wiki.sync()
    wiki.site.rename(LEAVE, "Holidays")
    wiki.site.fault(path_contains="/users-bulk")  # the owners of the listing are told as ever,
    wiki.site.fault(path_contains="/users-bulk", delay_s=20)  # and whom the parent mentions is not
    with Programs(tmp_path / "logs") as programs:
        killed = start(programs, settings, "killed", "sync")
        wait_until(
            lambda: wiki.row(LEAVE).record["title"] == "Holidays"
        )  # Given a sync that dies between a page and its parent
        killed.kill()
    assert "Leave" in wiki.evidence(TRAVEL)[-1]

    wiki.site.fault()  # When the next one comes
    wiki.sync()
    assert (
        "Holidays" in wiki.evidence(TRAVEL)[-1]
    )  # Then the parent is done too, though nothing has changed since


def test_with_every_it_syncs_again_and_again(
    wiki: Wiki, settings: dict[str, str], tmp_path: Path
) -> None:
    with Programs(tmp_path / "logs") as programs:
        start(programs, settings, "indexer", "sync", "--every", "1s")
        wait_until(lambda: LEAVE in wiki.visible())
        wiki.site.edit(LEAVE, LEAVE_BODY.replace("28", "31"))
        wait_until(lambda: "31" in "".join(wiki.evidence(LEAVE)))


def test_rebuild_puts_every_vector_back_without_asking_confluence(
    wiki: Wiki, settings: dict[str, str], embedder: Bundled
) -> None:
    wiki.sync()
    leave = embedder.embed(["Leave › Days\nEverybody has 28 days of leave."])
    for page_id in EVERYTHING:
        wiki.store.live().vectors.delete(
            sorted(wiki.store.live().vectors.of_page(str(key(page_id))))
        )
    asked = len(wiki.site.received())
    assert not any(
        found.startswith(f"{key(LEAVE)}:") for found in wiki.store.live().vectors.search(leave, 50)
    )

    done = indexer(settings, "rebuild")
    assert (done.returncode, len(wiki.site.received())) == (0, asked)
    found = wiki.store.live().vectors.search(leave, 50)
    assert next(iter(found)).startswith(f"{key(LEAVE)}:")
    assert np.isclose(max(found.values()), 1.0, atol=1e-3)


def test_without_chroma_a_restriction_counts_all_the_same(
    wiki: Wiki, settings: dict[str, str]
) -> None:
    wiki.sync()
    wiki.site.restrict(LEAVE, groups=["people"])
    wiki.later(scanned_at=0.0)
    done = indexer(settings | {"CHROMA_URL": NOWHERE}, "sync")
    assert done.returncode == 1
    assert said(done.stderr, "rebuild.impossible")
    assert LEAVE not in wiki.visible()
    assert "Leave" not in wiki.all_evidence()


def test_chroma_that_came_back_empty_is_filled_by_the_next_sync(
    wiki: Wiki, settings: dict[str, str]
) -> None:
    wiki.sync()
    wiki.store.live().vectors.drop()
    done = indexer(settings, "sync")
    assert (done.returncode, len(said(done.stderr, "rebuild.needed"))) == (0, 1)
    assert wiki.found("How many days of leave?")[0] == LEAVE
    assert not searching(wiki.store).search(Query("leave"), 1).words_only
    assert not said(indexer(settings, "sync").stderr, "rebuild.needed")


def test_can_read_says_yes_or_no_and_why(wiki: Wiki, settings: dict[str, str]) -> None:
    wiki.sync()
    yes, no = (
        indexer(settings, "can-read", "ines@example.com", LEAVE),
        indexer(settings, "can-read", "ines@example.com", SALARY, "--json"),
    )
    assert (yes.returncode, no.returncode) == (0, 1)
    assert "yes, everybody may read it" in yes.stdout
    assert json.loads(no.stdout)["allowed"] is False
    unknown = indexer(settings, "can-read", "ines@example.com", "999")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)


def test_rebuild_without_chroma_says_what_to_do(wiki: Wiki, settings: dict[str, str]) -> None:
    wiki.sync()
    done = indexer(settings | {"CHROMA_URL": NOWHERE}, "rebuild")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        "groundwire: Chroma does not answer; is CHROMA_URL right"
    )


def test_parse_prints_the_evidence_of_a_file_for_people_and_for_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "leave.xml"
    file.write_text(LEAVE_BODY)
    shown = inside(monkeypatch, {}, "parse", str(file)).stdout
    pieces = json.loads(indexer({}, "parse", str(file), "--json").stdout)
    assert shown.splitlines()[:2] == ["[passage] Days", "Everybody has 28 days of leave."]
    assert [(piece["kind"], piece["heading_path"]) for piece in pieces] == [
        ("passage", ["Days"]),
        ("passage", ["Request"]),
    ]


def test_parse_reads_standard_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "indexer", "parse", "-", "--json"]
    done = subprocess.run(
        command,
        input=LEAVE_BODY,
        capture_output=True,
        text=True,
        timeout=TOO_LONG_S,
        cwd=tmp_path,
        check=True,
    )
    assert [piece["kind"] for piece in json.loads(done.stdout)] == ["passage", "passage"]
    assert {
        "kind",
        "text",
        "heading_path",
        "before",
        "after",
        "anchor",
        "table",
        "items",
        "code",
    } <= json.loads(done.stdout)[0].keys()


@pytest.mark.parametrize(
    "content", [None, b"\xff\xfe\x00 not UTF-8 \xe4"], ids=["missing", "not UTF-8"]
)
def test_parse_of_a_file_that_cannot_be_read_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    file = tmp_path / "page.xml"
    if content is not None:
        file.write_bytes(content)
    done = inside(monkeypatch, {}, "parse", str(file), "--json")
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert done.stderr.startswith(f"groundwire: cannot read {file}")


def test_a_small_wiki_cannot_be_tuned_and_says_why(
    settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = inside(monkeypatch, settings, "tune")
    assert refused.exit_code != 0
    assert re.search(r"only \d+ questions can be made .* sync more pages first", refused.output)
