"""The clinic: reproducible, well-formed, and each question has its facts on its page alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evaluation.corpora.clinic.pages import clinic_pages
from evaluation.corpora.clinic.write import PAGES, QUESTIONS, write
from evaluation.sets.confquestions import conversations, page_id
from sandbox.confluence.pages.storage import parse
from sandbox.confluence.site.content import Content, Entry
from sandbox.confluence.site.load import load

Json = dict[str, Any]
SEED = 2026
CLASSES = [
    "copy-named",
    "edition-named",
    "edition-current",
    "near-edition",
    "sister",
    "hyphen",
    "compound",
    "vocabulary",
    "index-page",
    "table",
    "typo",
    "identifier",
    "date",
    "people",
    "alone",
    "follow-up",
    "shift",
    "return",
]
# Words that say nothing of a subject, in both languages; a word of two letters does not either.
FUNCTION_WORDS = frozenset((Path(__file__).parent / "function_words.txt").read_text().split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clinic")
    write(folder, SEED)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Content:
    return load(folder / PAGES)


def turns(folder: Path) -> list[Json]:
    asked = json.loads((folder / QUESTIONS).read_text(encoding="utf-8"))
    return [turn for each in asked for turn in each["turns"]]


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield str(file.relative_to(folder)), file.read_bytes()


def text_of(entry: Entry) -> str:
    body = re.sub(r"<!\[CDATA\[|\]\]>", " ", entry.body)
    return " ".join(f"{entry.title} {unescape(re.sub(r'<[^>]*>', ' ', body))}".split())


def stands(fact: str, entry: Entry) -> bool:
    return re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", text_of(entry)) is not None


def content_words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower())) - FUNCTION_WORDS


def shared(asked: str, page: str) -> set[str]:
    """The content words of a question that stand on a page, also as a part of a longer word."""
    on_page = content_words(page)
    found = set()
    for word in content_words(asked):
        parts = (other for other in on_page if len(min(word, other, key=len)) > 3)
        if word in on_page or any(word in other or other in word for other in parts):
            found.add(word)
    return found


def test_the_same_seed_writes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, SEED)
    assert list(files(tmp_path)) == list(files(folder))


def test_another_seed_writes_other_facts(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, SEED + 1)
    pairs = list(zip(turns(folder), turns(tmp_path), strict=True))
    assert sum(ours["a"] != other["a"] for ours, other in pairs) > len(pairs) / 2


def test_there_are_pages_and_questions_enough(folder: Path, site: Content) -> None:
    asked = conversations(folder / QUESTIONS, "de")
    assert len(site.entries) >= 160
    assert len(asked) >= 45
    assert len(turns(folder)) >= 170
    assert all(2 <= len(conversation) <= 6 for conversation in asked)


def test_every_class_has_a_dozen_questions(folder: Path) -> None:
    counts = Counter(tag for turn in turns(folder) for tag in turn["tags"])
    assert counts.keys() == set(CLASSES)
    assert {tag: n for tag, n in counts.items() if n < 12} == {}


def test_a_question_is_either_complete_or_a_follow_up(folder: Path) -> None:
    for conversation in json.loads((folder / QUESTIONS).read_text(encoding="utf-8")):
        assert "alone" in conversation["turns"][0]["tags"]
        for turn in conversation["turns"]:
            for code in ("de", "en"):
                is_complete = turn[f"q_{code}"] == turn[f"completed_q_{code}"]
                assert ("alone" in turn["tags"]) == is_complete, turn["q_de"]


def test_most_pages_are_german_and_some_are_english() -> None:
    languages = Counter(page.language for page in clinic_pages(SEED).values())
    assert 0.04 <= languages["en"] / languages.total() <= 0.15


def test_every_page_is_well_formed_and_no_blank_is_left(site: Content) -> None:
    for entry in site.entries.values():
        parse(entry.body, recover=False)
        assert not re.search(r"%%|\{\{|\}\}|\[\[|@\{", f"{entry.title} {entry.body}"), entry.title


def test_no_two_pages_of_a_space_have_one_title(site: Content) -> None:
    assert max(Counter((entry.space, entry.title) for entry in site.entries.values()).values()) == 1


def test_every_link_leads_to_a_page(site: Content) -> None:
    titles = {(entry.space, entry.title) for entry in site.entries.values()}
    link = re.compile(r'ri:space-key="([^"]+)" ri:content-title="([^"]+)"')
    for entry in site.entries.values():
        for space, title in link.findall(entry.body):
            assert (space, unescape(title)) in titles


@pytest.mark.parametrize("seed", [SEED, 1, 2])
def test_the_facts_of_an_answer_stand_on_its_page_and_on_no_rival_but_a_copy(
    seed: int, tmp_path: Path
) -> None:
    write(tmp_path, seed)
    entries = load(tmp_path / PAGES).entries
    for turn in turns(tmp_path):
        golden = [entries[page_id(url)] for url in turn["a_url"]]
        assert turn["facts"], turn["q_de"]
        for page in golden:
            assert all(stands(fact, page) for fact in turn["facts"]), (turn["q_de"], turn["facts"])
        for rival in map(entries.__getitem__, turn["rivals"]):
            is_copy = rival.body == golden[0].body
            assert is_copy or not all(stands(fact, rival) for fact in turn["facts"]), (
                turn["q_de"],
                turn["facts"],
                rival.title,
            )


def test_a_copy_says_so_and_repeats_its_page(folder: Path, site: Content) -> None:
    for turn in turns(folder):
        (golden, *_) = (site.entries[page_id(url)] for url in turn["a_url"])
        for rival, edition in turn["rivals"].items():
            if edition == "copy":
                assert site.entries[rival].body == golden.body


@pytest.mark.parametrize("code", ["de", "en"])
def test_a_gap_of_vocabulary_leaves_no_content_word_in_common(
    code: str, folder: Path, site: Content
) -> None:
    for turn in turns(folder):
        if "vocabulary" in turn["tags"]:
            for url in turn["a_url"]:
                page = text_of(site.entries[page_id(url)])
                assert shared(f"{turn[f'q_{code}']} {turn[f'completed_q_{code}']}", page) == set()


def test_a_question_about_a_hyphen_spells_a_word_of_its_page_in_another_way(
    folder: Path, site: Content
) -> None:
    for turn in turns(folder):
        if "hyphen" in turn["tags"]:
            page = text_of(site.entries[page_id(turn["a_url"][0])]).lower()
            words = re.findall(r"[\w-]+", turn["completed_q_de"].lower())
            spellings = [*words, *map(" ".join, pairwise(words))]
            joined = page.replace("-", "")
            assert any(
                spelling not in page and re.sub("[- ]", "", spelling) in joined
                for spelling in spellings
                if len(spelling) > 5
            ), turn["q_de"]


def test_a_question_about_a_compound_shares_a_part_of_it_with_its_page(
    folder: Path, site: Content
) -> None:
    for turn in turns(folder):
        if "compound" in turn["tags"]:
            page = content_words(text_of(site.entries[page_id(turn["a_url"][0])]))
            asked = content_words(turn["completed_q_de"])
            assert any(
                one != other
                and len(min(one, other, key=len)) > 3
                and (one in other or other in one)
                for one in asked
                for other in page
            ), turn["q_de"]
