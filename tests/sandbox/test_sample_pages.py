"""The sample company: its pages are real storage format, and its questions have answers on them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
import yaml

from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.pages.render import render
from sandbox.confluence.pages.storage import parse
from sandbox.confluence.site.content import Content, Entry
from sandbox.confluence.site.load import load

CONTENT: Content = load(SAMPLE)
ENTRIES: list[Entry] = list(CONTENT.entries.values())
QUESTIONS: list[dict[str, Any]] = yaml.safe_load(
    (SAMPLE / "questions.yaml").read_text(encoding="utf-8")
)
MACROS = "children code details excerpt expand info jira note panel status tip toc warning"
PIECES = (
    "rowspan colspan data-highlight-colour numberingColumn CDATA ac:task-list ac:adf-extension "
    "ac:placeholder <thead> &nbsp; &rarr;"
)
COLOURS = {"red": "#ffbdad", "yellow": "#fff0b3", "green": "#abf5d1"}


def titled(title: str) -> list[Entry]:
    return [entry for entry in ENTRIES if entry.title == title]


def shown(entry: Entry) -> str:
    """The page's text as people read it, in one line."""
    text = re.sub(
        r"<[^>]+>", " ", render(CONTENT, entry).replace("</time>", "").replace("<time>", "")
    )
    return re.sub(r"\s+", " ", unescape(re.sub(r"</?(code|strong|em|s)>", "", text))).replace(
        " ", " "
    )


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_a_sample_page_is_well_formed(entry: Entry) -> None:
    parse(entry.body, recover=False)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_the_links_and_mentions_of_a_sample_page_lead_somewhere(entry: Entry) -> None:
    result = render(CONTENT, entry)
    assert 'class="missing"' not in result
    assert "@sandbox:" not in result
    assert CONTENT.people[entry.owner].email


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: str(asked["question"]))
def test_the_expected_words_are_on_the_expected_page(asked: dict[str, Any]) -> None:
    pages = titled(asked["page"])
    assert len(pages) == 1
    assert (pages[0].status, pages[0].groups) == ("current", [])
    text = shown(pages[0])
    for word in asked["words"]:
        assert word in text
    for colour in asked.get("cells", []):
        assert COLOURS[colour] in pages[0].body


def test_a_follow_up_comes_after_a_question_of_the_list() -> None:
    questions = [asked["question"] for asked in QUESTIONS]
    follow_ups = [asked["after"] for asked in QUESTIONS if "after" in asked]
    assert len(follow_ups) >= 8
    assert set(follow_ups) <= set(questions)


def test_the_sample_has_what_storage_format_has() -> None:
    everything = "".join(entry.body for entry in ENTRIES)
    macros = set(re.findall(r'ac:structured-macro ac:name="([a-z-]+)"', everything))
    assert macros == set(MACROS.split())
    for piece in PIECES.split():
        assert piece in everything
