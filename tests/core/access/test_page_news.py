"""What was told stays until it was read; what is told again meanwhile stays for the next time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from wiki import key

from core.access import page_news
from core.pages import CONFLUENCE, PageKey
from core.storage.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Database:
    made = Database(f"sqlite:///{tmp_path / 'g.db'}")
    made.migrate()
    return made


def waiting(database: Database, most: int = 10) -> dict[str, float]:
    return page_news.waiting(database, CONFLUENCE, most=most)


def test_a_page_told_a_hundred_times_waits_once(database: Database) -> None:
    for _ in range(100):
        page_news.tell(database, [key("1")])
    assert list(waiting(database)) == ["1"]


def test_what_was_read_is_struck_off_and_what_was_told_meanwhile_is_not(database: Database) -> None:
    page_news.tell(database, [key("1"), key("2")])
    told = waiting(database)
    time.sleep(0.01)
    page_news.tell(database, [key("2")])  # while both are being read
    page_news.strike(database, CONFLUENCE, told)
    assert list(waiting(database)) == ["2"]


def test_pages_told_first_are_read_first_and_each_source_has_its_own(database: Database) -> None:
    for page_id in ("3", "1", "2"):
        page_news.tell(database, [key(page_id)])
        time.sleep(0.01)
    page_news.tell(database, [PageKey("files", "9")])
    assert list(waiting(database, most=2)) == ["3", "1"]
