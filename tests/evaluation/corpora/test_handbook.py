"""The handbook: reproducible, well-formed, each question with a page that alone is right."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from evaluation.corpora.handbook.facts import PoolTooSmall, deal
from evaluation.corpora.handbook.pages import sheets
from evaluation.corpora.handbook.write import PAGES, QUESTIONS, write
from evaluation.sets.confquestions import conversations, page_id
from sandbox.confluence.pages.storage import parse
from sandbox.confluence.site.content import Content, Entry
from sandbox.confluence.site.load import load

Json = dict[str, Any]
SEEDS = (7, 2026)
CLASSES = (
    "alone",
    "compound",
    "copy-named",
    "date",
    "edition-current",
    "edition-named",
    "follow-up",
    "hyphen",
    "identifier",
    "index-page",
    "near-edition",
    "people",
    "return",
    "shift",
    "sister",
    "table",
    "typo",
    "vocabulary",
)
# Words that say nothing of what a question is about.
SMALL = set(
    """
a about after all also am an and any anything are as at back be been but by can could did do does
else ever for from get give go goes had has have he her here him his how i if in into is it its may
me might must my need new no not now of off on once one only or our out over she should so some
somebody someone something soon than that the their them then there these they this those till to
too up us was we were what when where which who whom why will with would you your
ab als an auf aus bald bei bin bis da dann das dem den der des die dort ein eine einem einen einer
er es für gern gibt haben ich ihn im in ist kann man mein mich mir mit muss nach nicht noch oder
seinen sich sie soll um und uns von was wen wenn wer wie wir wird wo zu zum zur
""".split()  # noqa: SIM905  # a hundred words
)


@pytest.fixture(scope="module", params=SEEDS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("handbook")
    write(folder, request.param)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Content:
    return load(folder / PAGES)


@pytest.fixture(scope="module")
def texts(site: Content) -> dict[str, str]:
    return {entry.id: text_of(entry) for entry in site.entries.values()}


@pytest.fixture(scope="module")
def turns(folder: Path) -> list[Json]:
    found = []
    for conversation in talks(folder):
        found.extend(conversation["turns"])
    return found


def talks(folder: Path) -> list[Json]:
    found: list[Json] = json.loads((folder / QUESTIONS).read_text(encoding="utf-8"))
    return found


def text_of(entry: Entry) -> str:
    """What a reader sees; a link to a page shows its title."""
    shown = re.sub(r'<ri:page [^>]*ri:content-title="([^"]*)"[^>]*>', r" \1 ", entry.body)
    plain = re.sub(r"<[^>]*>", " ", shown.replace("<![CDATA[", " ").replace("]]>", " "))
    return " ".join(f"{entry.title} {unescape(plain)}".split())


def stands_in(fact: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(fact)}(?!\w)", text) is not None


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower())) - SMALL


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield str(file.relative_to(folder)), file.read_bytes()


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "one", 7)
    write(tmp_path / "two", 7)
    assert list(files(tmp_path / "one")) == list(files(tmp_path / "two"))


def test_another_seed_changes_facts_but_not_pages_or_questions(tmp_path: Path) -> None:
    asked = []
    for seed in SEEDS:
        write(tmp_path / str(seed), seed)
        given = conversations(tmp_path / str(seed) / QUESTIONS, "en")
        asked.append([turn for each in given for turn in each])
    first, second = asked
    assert [turn.asked for turn in first] == [turn.asked for turn in second]
    assert [turn.gold_ids for turn in first] == [turn.gold_ids for turn in second]
    changed = sum(one.answer != two.answer for one, two in zip(first, second, strict=True))
    assert changed > len(first) / 2


def test_it_is_large_enough_to_measure_with(folder: Path, site: Content) -> None:
    lengths = [len(each["turns"]) for each in talks(folder)]
    assert len(site.entries) >= 160
    assert sum(lengths) >= 170
    assert len(lengths) >= 45
    assert 2 <= min(lengths) <= max(lengths) <= 6


def test_each_class_has_at_least_twelve_questions_and_no_tag_is_unknown(turns: list[Json]) -> None:
    counted: Counter[str] = Counter()
    for turn in turns:
        assert len(turn["tags"]) == len(set(turn["tags"])), turn["q_en"]
        counted.update(turn["tags"])
    assert sorted(counted) == list(CLASSES)
    assert {tag: n for tag, n in counted.items() if n < 12} == {}


def test_the_benchmark_reads_it_in_both_languages(folder: Path, turns: list[Json]) -> None:
    for language in ("en", "de"):
        read = conversations(folder / QUESTIONS, language)
        assert sum(map(len, read)) == len(turns)
        assert all(turn.asked.strip() and turn.completed.strip() for each in read for turn in each)


def test_every_page_is_well_formed(site: Content) -> None:
    for entry in site.entries.values():
        assert parse(entry.body) is not None, entry.title


def test_the_facts_of_an_answer_stand_on_each_gold_page(
    turns: list[Json], texts: dict[str, str]
) -> None:
    for turn in turns:
        assert turn["facts"]
        for url in turn["a_url"]:
            missing = [fact for fact in turn["facts"] if not stands_in(fact, texts[page_id(url)])]
            assert missing == [], turn["completed_q_en"]


def test_an_answer_stands_on_no_rival_that_is_not_a_copy(
    turns: list[Json], texts: dict[str, str]
) -> None:
    for turn in turns:
        for rival, edition in turn["rivals"].items():
            says_so = all(stands_in(fact, texts[rival]) for fact in turn["facts"])
            assert not says_so or edition == "copy", turn["completed_q_en"]


def test_a_copy_says_what_its_original_says_but_for_what_its_owner_changed() -> None:
    made = {sheet.key: sheet for sheet in sheets(7)}
    copies = [sheet for sheet in made.values() if sheet.original]
    assert {bool(copy.changes) for copy in copies} == {True, False}
    for copy in copies:
        facts = made[copy.original].facts
        assert {name for name in facts if facts[name] != copy.facts[name]} == set(copy.changes)


def test_who_names_an_owner_asks_for_what_that_owner_changed(turns: list[Json]) -> None:
    made = {sheet.key: sheet for sheet in sheets(7)}
    named = [made[turn["page"]] for turn in turns if "copy-named" in turn["tags"]]
    assert sum(bool(page.changes) for page in named) >= 12
    assert sum(bool(page.original) and not page.changes for page in named) >= 6


def test_a_question_that_lacks_the_page_s_words_shares_no_content_word_with_it(
    turns: list[Json], texts: dict[str, str]
) -> None:
    for turn in turns:
        if "vocabulary" in turn["tags"]:
            page = words(texts[page_id(turn["a_url"][0])])
            for name in ("q", "completed_q"):
                asked = words(turn[f"{name}_{turn['page_language']}"])
                assert asked & page == set(), turn["q_en"]


def test_no_question_gives_its_answer_away(turns: list[Json]) -> None:
    for turn in turns:
        for name in ("q_en", "q_de", "completed_q_en", "completed_q_de"):
            assert not any(stands_in(fact, turn[name]) for fact in turn["facts"]), turn[name]


def test_the_tags_of_the_thread_follow_from_the_thread(folder: Path) -> None:
    for conversation in talks(folder):
        first, *later = conversation["turns"]
        assert not {"alone", "follow-up", "shift", "return"} & set(first["tags"])
        for turn in later:
            needs_thread = turn["q_en"] != turn["completed_q_en"]
            assert ("follow-up" in turn["tags"]) == needs_thread
            assert ("alone" in turn["tags"]) == (not needs_thread)
            assert (turn["q_de"] != turn["completed_q_de"]) == needs_thread, turn["q_de"]


def test_a_pool_must_hold_a_fact_for_each_page() -> None:
    assert set(deal("<1..3> h", ["a", "b", "c"], "seed").values()) == {"1 h", "2 h", "3 h"}
    with pytest.raises(PoolTooSmall, match="3 facts for 4 pages"):
        deal("<1..3> h", ["a", "b", "c", "d"], "seed")
