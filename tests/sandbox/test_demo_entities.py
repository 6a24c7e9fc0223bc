"""The demo knows who is who at the sample company; other pages may bring such a file too."""

from __future__ import annotations

from html import unescape
from pathlib import Path

from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.site.load import load
from sandbox.demo.folder import entities_of
from worker.entities.entities_file import read


def test_every_name_of_the_entities_stands_on_its_page() -> None:
    setting = entities_of(SAMPLE)
    entries = read(Path(setting["ENTITIES_FILE"]))
    pages = {page.id: page for page in load(SAMPLE).entries.values()}
    body = unescape(pages["1002"].body)
    missing = [entry.name for entry in entries if entry.name.split()[-1] not in body]
    assert missing == []


def test_pages_without_such_a_file_have_no_entities(tmp_path: Path) -> None:
    assert entities_of(tmp_path) == {}
