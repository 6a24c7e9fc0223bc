"""Reading a site from a folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.confluence.site.load import CannotLoad, load

URL = "https://example.atlassian.net/wiki/spaces/~ada/pages/36503555/Draft"


def write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_front_matter_says_what_the_page_is(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.xml",
        '<!--\nid: 7\ntitle: "A: b"\nspace: QA\nowner: Ada Lang\nupdated: 2026-02-03\n'
        "labels: [x, y]\n-->\n<p>Hi</p>",
    )
    entry = load(tmp_path).entries["7"]
    assert (entry.title, entry.space, entry.owner, entry.labels, entry.body) == (
        "A: b",
        "QA",
        "sandbox:ada-lang",
        ["x", "y"],
        "<p>Hi</p>",
    )
    assert entry.updated_at == "2026-02-03T09:00:00.000Z"


def test_groups_have_their_members_also_after_a_reset(tmp_path: Path) -> None:
    write(
        tmp_path, "site.yaml", "people: {Ada Lang: ada@example.com}\ngroups: {board: [Ada Lang]}\n"
    )
    write(tmp_path, "a.xml", "<!--\nid: 7\ngroups: [board]\n-->\n<p>Hi</p>")
    content = load(tmp_path)
    content.groups["board"].clear()
    content.reset()
    assert content.members("board") == ["sandbox:ada-lang"]
    assert content.may_read("sandbox:ada-lang", content.entries["7"])


def test_without_front_matter_the_names_of_file_and_folder_count(tmp_path: Path) -> None:
    write(tmp_path, "qa/test-plan.html", "<p>one</p>")
    write(tmp_path, "loose.storage", "<p>two</p>")
    found = {entry.title: entry.space for entry in load(tmp_path).entries.values()}
    assert found == {"test plan": "QA", "loose": "DEMO"}


def test_a_json_page_takes_its_id_from_its_url_or_keeps_a_derived_one(tmp_path: Path) -> None:
    with_url = {
        "id": "c-1",
        "title": "Draft",
        "url": URL,
        "content": "<p>not <b>closed",
        "space": "~ada",
        "date": "2024",
    }
    write(tmp_path, "a.json", json.dumps(with_url))
    write(
        tmp_path,
        "b.json",
        json.dumps({"id": "c-2", "title": "Draft", "content": "", "space": "~ada"}),
    )
    first, second = load(tmp_path), load(tmp_path)
    assert "36503555" in first.entries
    assert first.entries.keys() == second.entries.keys()
    assert all(entry_id.isdecimal() for entry_id in first.entries)
    assert first.space_keys() == ["~ada"]


def test_a_json_page_whose_address_has_no_id_keeps_one_that_confluence_could_give(
    tmp_path: Path,
) -> None:
    """Or who asks for the sources of an answer would be told of pages that nobody has written."""
    page = {"title": "Draft", "content": "", "space": "DOC", "url": "https://wiki.example/DOC/7"}
    for name, own in (("a.json", "40118825"), ("b.json", "c-2"), ("c.json", "٤٠")):
        write(tmp_path, name, json.dumps({**page, "id": own, "title": name}))
    found = {entry.title: entry_id for entry_id, entry in load(tmp_path).entries.items()}
    assert found["a.json"] == "40118825"
    assert all(each.isascii() and each.isdecimal() for each in found.values())


@pytest.mark.parametrize(
    ("said", "day"), [("2026-05-01", "2026-05-01"), ("2024", "2025-01-15"), (None, "2025-01-15")]
)
def test_a_json_page_was_changed_when_it_says_so(
    tmp_path: Path, said: str | None, day: str
) -> None:
    page = {"title": "Draft", "content": "", "space": "HR", "date": said}
    write(tmp_path, "a.json", json.dumps(page))
    (entry,) = load(tmp_path).entries.values()
    assert entry.updated_at.startswith(day)


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("a.json", "{x", "is not JSON"),
        ("a.json", "[]", "title, content, space missing"),
        ("a.xml", "<!--\ntitle: [\n-->", "not YAML"),
        ("a.xml", "<!--\nid: 1\nparent: Nowhere\n-->", "the parent “Nowhere”"),
        ("a.txt", "no page", "holds no pages"),
    ],
)
def test_bad_input_is_told_with_its_cause_and_its_cure(
    tmp_path: Path, name: str, text: str, cause: str
) -> None:
    write(tmp_path, name, text)
    with pytest.raises(CannotLoad, match=cause) as told:
        load(tmp_path)
    assert ": " in str(told.value)


def test_two_pages_with_one_id_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.xml", "<!--\nid: 1\n-->")
    write(tmp_path, "b.xml", "<!--\nid: 1\n-->")
    with pytest.raises(CannotLoad, match="same id 1"):
        load(tmp_path)


def test_the_program_says_in_one_line_that_the_folder_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sandbox.confluence", "--pages", str(tmp_path / "none")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "--pages" in run.stderr
