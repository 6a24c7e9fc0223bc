"""`python -m worker`: the pipeline in a terminal, as a program."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from wiki import BACKUP, HOTEL, LEAVE, page, piece, put

from core.evidence import EvidenceStore
from core.models import Note, Record
from sandbox.confluence.app import TOKEN, USERNAME, build_app
from sandbox.confluence.site.content import Content, Entry
from sandbox.http.server import running
from sandbox.programs.environment import child_environment

QUESTION = "What does a hotel in Porto cost?"
NOBODY = "redis://127.0.0.1:1/0"
SITE = {
    "CONFLUENCE_USERNAME": USERNAME,
    "CONFLUENCE_TOKEN": TOKEN,
    "CONFLUENCE_SPACES": "HR",
}


@pytest.fixture
def data(tmp_path: Path, store: EvidenceStore) -> Path:
    """A data directory in which two pages are indexed."""
    put(store, page("1", "Leave"), piece(LEAVE, "1"), piece(BACKUP, "1"))
    put(store, page("2", "Travel"), piece(HOTEL, "2"))
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def site() -> Iterator[None]:
    """Where both pages stand, open to everybody."""
    pages = [Entry("1", "HR", "Leave", "<p>x</p>"), Entry("2", "HR", "Travel", "<p>x</p>")]
    with running(build_app(Content(pages, [], {}))) as url:
        SITE["CONFLUENCE_URL"] = f"{url}/wiki"
        yield


def worker(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "worker", *arguments]
    return subprocess.run(
        command,
        env=child_environment(REDIS_URL=NOBODY, **SITE | settings),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_question_is_answered_with_its_sources(data: Path, chroma_url: str) -> None:
    done = worker("ask", QUESTION, DATA_DIR=str(data), CHROMA_URL=chroma_url)
    assert (done.returncode, done.stderr) == (0, "")
    question, title, answer, source, facts, *_ = done.stdout.splitlines()
    assert (question, title, answer) == (QUESTION, "Travel [1]", HOTEL)
    assert source.strip() == "[1] Travel ›   https://wiki.example/2"
    assert facts.startswith("(quoted, no_model; ")


def test_the_filters_of_a_question_are_shown(data: Path, chroma_url: str) -> None:
    done = worker(
        "ask", "What does a hotel cost, in the space HR?", DATA_DIR=str(data), CHROMA_URL=chroma_url
    )
    assert done.stdout.splitlines()[1] == "only pages: space HR"


def test_a_machine_reads_the_record_and_the_explanation_as_json(
    data: Path, chroma_url: str
) -> None:
    done = worker("ask", "--json", "--explain", QUESTION, DATA_DIR=str(data), CHROMA_URL=chroma_url)
    decoder = json.JSONDecoder()
    record, end = decoder.raw_decode(done.stdout)
    explanation, _ = decoder.raw_decode(done.stdout[end:].lstrip())
    assert Record.model_validate(record).answer.notes == (Note.NO_MODEL,)
    assert explanation["effects"][0]["label"] == "Travel"
    assert done.returncode == 0


def test_a_wrong_setting_ends_with_one_line_and_code_2(tmp_path: Path) -> None:
    done = worker("ask", QUESTION, DATA_DIR=str(tmp_path), LLM_BASE_URL="http://127.0.0.1:1/v1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("groundwire: LLM_MODEL not set")
    assert len(done.stderr.splitlines()) == 1
