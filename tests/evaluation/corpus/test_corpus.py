"""The synthetic corpus: reproducible, well-formed, with gold pages and what makes wikis hard."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from evaluation.corpus.chance import Chance
from evaluation.corpus.storage import to_storage
from evaluation.corpus.typos import mistyped
from evaluation.corpus.write import PAGES, QUESTIONS, RESTRICTED, UNANSWERABLE, write
from evaluation.sets.confquestions import conversations, page_id
from sandbox.confluence.pages.storage import parse
from sandbox.confluence.site.content import Content, Entry
from sandbox.confluence.site.load import load

Json = dict[str, Any]
SEED = 2026


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(folder, SEED)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Content:
    return load(folder / PAGES)


def turns(folder: Path, name: str = QUESTIONS) -> list[Json]:
    return [
        turn
        for each in json.loads((folder / name).read_text(encoding="utf-8"))
        for turn in each["turns"]
    ]


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    yield from (
        (str(file.relative_to(folder)), file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )


def text_of(entry: Entry) -> str:
    return " ".join(f"{entry.title} {unescape(re.sub(r'<[^>]*>', ' ', entry.body))}".split())


def is_draft(entry: Entry) -> bool:
    return "draft" in entry.labels


def test_the_same_seed_writes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, SEED)
    assert list(files(tmp_path)) == list(files(folder))


def test_another_seed_writes_other_facts(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, SEED + 1)
    ours, others = [
        {turn["completed_q_en"]: turn["a"] for turn in turns(each)} for each in (folder, tmp_path)
    ]
    same = ours.keys() & others.keys()
    assert sum(ours[question] != others[question] for question in same) > len(same) / 2


def test_there_are_pages_and_questions_enough(folder: Path, site: Content) -> None:
    asked = turns(folder)
    assert len(site.entries) >= 180
    assert len(asked) >= 140
    assert sum(turn["page_language"] == "de" for turn in asked) >= len(asked) * 0.3
    assert sum(turn["asked_in"] == "de" for turn in asked) >= len(asked) * 0.3
    assert {turn["a_source"] for turn in asked} == {"passage", "list", "table"}
    assert Counter(turn["q_type"] for turn in asked)["complex"] >= 12


def test_every_page_is_well_formed_and_no_template_shows_through(site: Content) -> None:
    for entry in site.entries.values():
        parse(entry.body, recover=False)
        assert not re.search(r"%%|\{\{|\}\}|\{%|\[\[|@\{", entry.body), entry.title


def test_no_two_pages_of_a_space_have_one_title(site: Content) -> None:
    assert max(Counter((entry.space, entry.title) for entry in site.entries.values()).values()) == 1


def test_the_benchmarks_own_reader_reads_every_file(folder: Path) -> None:
    for name in (QUESTIONS, RESTRICTED, UNANSWERABLE):
        for language in ("en", "de"):
            assert all(
                question.asked and question.completed
                for each in conversations(folder / name, language)
                for question in each
            )


def test_every_true_page_is_there_published_and_for_those_who_are_asked(
    folder: Path, site: Content
) -> None:
    for name in (QUESTIONS, RESTRICTED):
        for turn in turns(folder, name):
            for url in turn["a_url"]:
                page = site.entries[page_id(url)]
                assert page.status == "current"
                assert not is_draft(page)
                assert not page.space.startswith("~")
                assert page.groups == ([turn["group"]] if name == RESTRICTED else [])


def test_the_true_page_says_the_answer(folder: Path, site: Content) -> None:
    """Numbers at least: some answers are worded otherwise than their page, or computed."""
    for turn in turns(folder):
        text = text_of(site.entries[page_id(turn["a_url"][0])])
        if turn["q_type"] == "simple" and "date" not in turn["tags"]:
            assert all(number in text for number in re.findall(r"\d+", turn["a"])), turn[
                "completed_q_en"
            ]


def test_a_question_is_not_cut_out_of_its_page(folder: Path, site: Content) -> None:
    for turn in turns(folder):
        for code in ("en", "de"):
            words = turn[f"completed_q_{code}"].rstrip("?").split()
            text = text_of(site.entries[page_id(turn["a_url"][0])])
            halves = [" ".join(words[start : start + 7]) for start in range(len(words) - 6)]
            assert not any(half in text for half in halves), turn[f"completed_q_{code}"]


def test_what_makes_wikis_hard_is_there(folder: Path, site: Content) -> None:
    entries = list(site.entries.values())
    lengths = [len(text_of(entry).split()) for entry in entries]
    assert sum(is_draft(entry) for entry in entries) >= 15
    assert sum(entry.space.startswith("~") for entry in entries) >= 10
    assert sum(entry.status == "archived" for entry in entries) >= 2
    assert sum(bool(entry.groups) for entry in entries) >= 4
    assert sum(length > 2000 for length in lengths) >= 4
    assert sum(length < 25 for length in lengths) >= 5
    rivals = Counter(edition for turn in turns(folder) for edition in set(turn["rivals"].values()))
    assert min(rivals["draft"], rivals["copy"], rivals["older"]) >= 25
    assert Counter(tag for turn in turns(folder) for tag in turn["tags"])["typo"] >= 12


def test_a_draft_is_older_than_its_page_and_says_something_else(
    folder: Path, site: Content
) -> None:
    drafts = 0
    for turn in turns(folder):
        page = site.entries[page_id(turn["a_url"][0])]
        for rival, edition in turn["rivals"].items():
            if edition == "draft":
                drafts += 1
                assert site.entries[rival].updated_at < page.updated_at
                assert site.entries[rival].body != page.body
            if edition == "copy":
                assert site.entries[rival].body == page.body
    assert drafts > 0


def test_a_follow_up_is_shorter_than_what_it_means(folder: Path) -> None:
    elliptic = [turn for turn in turns(folder) if turn["q_en"] != turn["completed_q_en"]]
    assert len(elliptic) > 80
    assert sum(len(turn["q_en"]) < len(turn["completed_q_en"]) for turn in elliptic) > 0.8 * len(
        elliptic
    )


def test_the_marks_become_storage_format() -> None:
    body = to_storage(
        "%%panel|info|Mind the gap.%%\n\n- [x] See [[OPS:[DRAFT] Gap]]\n\n"
        "By @{Jürg Ammann} %%status|Done|Green%%"
    )
    assert '<ac:structured-macro ac:name="info"><ac:rich-text-body><p>Mind the gap.</p>' in body
    assert "<ac:task-status>complete</ac:task-status>" in body
    assert '<ri:page ri:space-key="OPS" ri:content-title="[DRAFT] Gap" />' in body
    assert 'ri:account-id="sandbox:juerg-ammann"' in body
    parse(body, recover=False)


def test_a_typo_changes_long_words_and_leaves_identifiers_alone() -> None:
    question = "How quickly must somebody answer ticket VAL-1432 here?"
    typed = mistyped(question, Chance("a seed"))
    assert typed != question
    assert "VAL-1432" in typed
    assert len(typed.split()) == len(question.split())
