"""What employees ask is judged by facts and pages, and each figure counts what it says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from core.dialogue.decision import Outcome
from evaluation.__main__ import app
from evaluation.answers.pose.reply import PageShown, Reply
from evaluation.employees.explained import Story, explained
from evaluation.employees.other_subject import in_other_threads
from evaluation.employees.questions import MOST_OLDER, Wanted, older, written
from evaluation.employees.verdicts import READ, Figures, Verdict
from evaluation.retrieval.left_out.corpora import available
from sandbox.confluence.site.load import load

ENOUGH = 300


def wanted(**more: Any) -> Wanted:
    fields = {
        "id": "1",
        "corpus": "handbook",
        "language": "en",
        "ask": "how big is the disk",
        "pages": ("Hub 5", "Hub 5, copied"),
        "patterns": (r"200\s?gb", "ssd"),
    }
    return Wanted.model_validate(fields | more)


NOBODY_KNOWS = wanted(answerable=False, pages=(), patterns=())


def reply(text: str = "An SSD of 200 GB [1].", title: str = "Hub 5", **more: Any) -> Reply:
    sources = (PageShown("9", "Other", ""), PageShown("1", title, ""))
    return Reply(id="1", **({"act": Outcome.ANSWER, "text": text, "sources": sources} | more))


MISSING = reply("No page answers this.", not_found=True)


@pytest.mark.parametrize(
    ("said", "is_useful"),
    [
        (reply(), True),
        (reply(title="Hub 5, copied"), True),
        (reply("A disk of 200 GB."), False),
        (reply(title="Hub 4"), False),
        (reply("x" * READ + "An SSD of 200 GB"), False),
        (reply(not_found=True), False),
        (reply(act=Outcome.BRIEF), False),
    ],
)
def test_an_answer_is_useful_with_every_fact_at_its_beginning_and_a_right_page(
    said: Reply, is_useful: bool
) -> None:
    assert Verdict(wanted(), said).is_useful is is_useful


@pytest.mark.parametrize(
    ("question", "said", "name"),
    [
        (wanted(), reply(badge="high"), ""),
        (NOBODY_KNOWS, MISSING, ""),
        (NOBODY_KNOWS, reply(act=Outcome.CLARIFY), ""),
        (wanted(), MISSING, "refused"),
        (wanted(), reply(act=Outcome.SILENT), "refused"),
        (wanted(), reply("no"), "wrong"),
        (wanted(), reply("no", badge="medium"), "wrong"),
        (wanted(), reply("no", badge="high"), "wrong, green"),
        (NOBODY_KNOWS, reply(), "answered"),
        (NOBODY_KNOWS, reply(badge="high"), "answered, green"),
    ],
)
def test_what_went_wrong_has_a_name(question: Wanted, said: Reply, name: str) -> None:
    assert Verdict(question, said).name == name


def figures(*pairs: tuple[Wanted, Reply]) -> Figures:
    return Figures.of([Verdict(question, said) for question, said in pairs])


def test_each_share_is_of_what_it_is_said_to_be_of() -> None:
    found = figures(
        (wanted(), reply(badge="high")),
        (wanted(), reply()),
        (wanted(), reply("no", badge="high")),
        (wanted(), MISSING),
        (NOBODY_KNOWS, reply(badge="high")),
        (NOBODY_KNOWS, MISSING),
    )
    shares = {name: value for name, value in vars(found).items() if not name.startswith("words")}
    assert {name: (each.right, each.of) for name, each in shares.items()} == {
        "useful": (2, 4),
        "wrong_green": (2, 3),
        "green_useful": (1, 2),
        "answered": (1, 2),
        "refused": (1, 4),
    }


def test_words_are_those_of_answers_without_citations() -> None:
    said: Sequence[Reply] = [reply("one two [1]"), reply("one [1][2]"), MISSING]
    assert figures(*((wanted(), each) for each in said)).words == 1.5
    assert math.isnan(figures((wanted(), MISSING)).words)


@pytest.mark.parametrize(
    "wrong",
    [
        {"patterns": ("(",)},
        {"pages": ()},
        {"answerable": False},
        {"patterns": (), "pages": ()},
    ],
)
def test_a_question_with_half_of_what_it_needs_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        wanted(**wrong)


def test_the_written_questions_are_many_and_each_has_an_id_of_its_own() -> None:
    ids = [each.id for those in written().values() for each in those]
    assert len(set(ids)) == len(ids) >= ENOUGH


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corpora")


@pytest.mark.parametrize("name", ["handbook", "clinic", "railway", "sample"])
def test_a_right_page_is_a_page_of_the_corpus(folder: Path, name: str) -> None:
    corpus = available(None, folder)[name]()
    titles = {entry.title for entry in load(corpus.pages).entries.values()}
    asked = [*written()[name], *older(corpus)]
    named = {title for each in asked for title in each.pages}
    assert named
    assert named - titles == set()


def test_older_questions_are_drawn_alike_each_time_and_have_facts(folder: Path) -> None:
    corpus = available(None, folder)["sample"]()
    drawn = list(older(corpus))
    assert drawn == list(older(corpus))
    assert 0 < len([each for each in drawn if each.language == "en"]) <= MOST_OLDER
    hotel = next(each for each in drawn if "premium economy" in each.ask)
    assert hotel.patterns == (r"(?<!\d)6(?!\d)",)


def test_an_unknown_corpus_is_named_before_anything_starts(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["employees", "--corpus", "moon", "--folder", str(tmp_path)])
    assert told.exit_code == 1
    assert "no corpus moon" in told.stderr


def test_who_asks_against_habits_of_a_wiki_without_such_questions_is_told_which_have() -> None:
    told = CliRunner().invoke(app, ["employees", "--set", "against", "--corpus", "ferries"])
    assert told.exit_code == 1
    assert "cloudops, quarry" in told.stderr


@pytest.mark.parametrize("story", [Story.LONG, Story.SHORT])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_question_in_a_message_is_the_same_question_and_always_the_same_message(
    story: Story, language: str
) -> None:
    asked = wanted(language=language)
    message = explained(asked, story)
    assert message == explained(asked, story)
    assert f". {asked.ask}" in message.ask
    assert message.model_copy(update={"ask": asked.ask}) == asked
    assert explained(wanted(ask="how big is it?"), story).ask.count("?") == 1


def test_in_lines_it_has_a_line_of_its_own_and_no_mark() -> None:
    *told, thanks = explained(wanted(ask="how big is it?"), Story.LINES).ask.split("\n")
    assert "how big is it" in (*told, thanks)
    assert "?" not in "".join(told)


def test_in_a_thread_about_something_else_each_stands_after_a_question_about_another_page() -> None:
    asked = written()["clinic"]
    moved = list(in_other_threads(asked))
    assert moved == list(in_other_threads(asked))
    assert [each.ask for each in moved] == [each.ask for each in asked if not each.before]
    pages = {each.ask: set(each.pages) for each in asked}
    for each in moved:
        (before,) = each.before
        assert pages[before]
        assert pages[before].isdisjoint(each.pages)
