"""An installation of version 0.1 is upgraded: it answers before, during and after its sync."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import version_0_1
from sqlmodel import select

from core.storage.index_tables import EvidenceRow, PageRow
from indexer.parse import PARSER_VERSION
from sandbox.programs.stack import PRODUCT, Stack
from scenarios.conftest import PATIENCE_S, Running

HOTEL = "How much may a hotel in Porto cost per night?"


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[Running]:
    """The product of today on the database of then; nothing is synced yet, and Chroma is empty."""
    with Stack(tmp_path, limits="none", settings={"ANSWER_PATIENCE_S": str(PATIENCE_S)}) as stack:
        stack.start_sandbox()
        version_0_1.unpack(stack.settings.data_dir / "groundwire.db")
        stack.start("redis", "chroma", *PRODUCT[2:])
        running = Running(stack)
        running.workspace.wait_for_app(PATIENCE_S)
        yield running
        running.close()


def answered(running: Running, question: str) -> str:
    return running.reply(running.ask(question)).plain()


def made_by(running: Running) -> set[str]:
    with running.database.reading() as session:
        pages = session.exec(select(PageRow)).all()
    return {page.made_by for page in pages if page.visible}


def pieces(running: Running) -> Counter[str]:
    """How many pieces each page has."""
    with running.database.reading() as session:
        return Counter(session.exec(select(EvidenceRow.page_id)).all())


def test_an_installation_of_version_0_1_answers_before_during_and_after_the_first_sync(
    upgraded: Running,
) -> None:
    before = pieces(upgraded)
    assert "110 EUR" in answered(upgraded, HOTEL)
    sync = upgraded.stack.sync()
    asked = 0
    while sync.process.poll() is None:
        assert "110 EUR" in answered(upgraded, HOTEL)
        asked += 1
    assert (sync.process.returncode, asked > 0) == (0, True), sync.last_words()
    assert made_by(upgraded) == {PARSER_VERSION}
    assert pieces(upgraded) == before
    assert "110 EUR" in answered(upgraded, HOTEL)
