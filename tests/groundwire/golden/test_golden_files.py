"""Files of golden questions: what people write wrongly is named, and nothing of theirs is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from wiki import hit, page, piece

from core.errors import SettingsError
from core.models import Answer, Note, Record, Source
from core.question import Completed
from core.settings import Settings
from core.storage.database import Database
from groundwire.golden import last_time, questions
from groundwire.golden.asking import GoldenVerdict, judged
from groundwire.golden.last_time import LastTime, SinceLastTime
from groundwire.golden.questions import GoldenQuestion, Origin

TRAVEL = page("7", "Travel policy")
ASKED = "What does a hotel in Porto cost?"


def record(text: str, *notes: Note) -> Record:
    found = hit(piece("A hotel in Porto costs 110 EUR.", "7"), TRAVEL)
    source = Source(number=1, title="Travel", url="", evidence_ids=(found.evidence.id,))
    answer = Answer(text=text, sources=(source,), notes=notes)
    return Record(completed=Completed(question=ASKED, text=ASKED), answer=answer, hits=(found,))


@pytest.mark.parametrize(
    ("golden", "answered", "verdict", "missing"),
    [
        ({"pages": ("7",), "says": ("110 EUR",)}, record("It is **110  eur**."), "right", ()),
        ({"pages": ("9", "7")}, record("No idea."), "right", ()),
        ({"pages": ("9",), "says": ("110 EUR",)}, record("110 EUR"), "from other pages", ()),
        (
            {"says": ("110 EUR", "Porto")},
            record("120 EUR in Porto"),
            "says otherwise",
            ("110 EUR",),
        ),
        ({}, record("No page answers this.", Note.NOT_FOUND), "not found", ()),
        ({"pages": ("7",)}, record("110 EUR", Note.MODEL_DOWN), "not tried", ()),
        ({}, record("No page answers this.", Note.NOT_FOUND, Note.WORDS_ONLY), "not tried", ()),
    ],
)
def test_an_answer_is_judged_by_its_pages_and_by_what_it_says(
    golden: dict[str, tuple[str, ...]], answered: Record, verdict: str, missing: tuple[str, ...]
) -> None:
    found = judged(GoldenQuestion(question=ASKED, **golden), answered)
    assert found.verdict is GoldenVerdict(verdict)
    if verdict == "says otherwise":
        assert found.missing == missing


def test_what_could_not_be_tried_is_neither_broken_nor_mended(database: Database) -> None:
    golden = [GoldenQuestion(question=ASKED, pages=("7",))]
    since = SinceLastTime(database, Settings(), golden)
    right = [judged(golden[0], record("110 EUR"))]
    untried = [judged(golden[0], record("110 EUR", Note.MODEL_DOWN))]
    wrong = [judged(golden[0], record("No page answers this.", Note.NOT_FOUND))]
    kept = since.next(LastTime(), right)
    assert since.broken(kept, untried) == []
    assert since.next(kept, untried) == kept
    (broken,) = since.broken(since.next(kept, untried), wrong)
    assert broken.causes == ()
    (broken,) = SinceLastTime(database, Settings(ranking="tuned"), golden).broken(kept, wrong)
    assert broken.causes == ("ranking was product, is tuned",)
    assert since.next(since.next(kept, wrong), untried).wrong == {ASKED}


def test_what_is_written_is_read_again_and_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "golden.yaml"
    asked = [GoldenQuestion(question="Wer führt „Vision“?", pages=("7",), origin=Origin.VOTE)]
    questions.write(file, asked)
    assert questions.read(file) == asked
    with pytest.raises(FileExistsError):
        questions.write(file, [])
    assert questions.read(file) == asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- question: Who?\n- pages: ['7']\n", "question 2: question: Field required"),
        ("- question: Who?\n  page: '7'\n", "question 1: page: Extra inputs"),
        ("- question: Who?\n  pages: 7\n", "question 1: pages: "),
        ("question: Who?\n", "golden.yaml: Input should be a valid list"),
        ("- question: [Who\n", "expected"),
        ("- question: Who?\n- question: Who?\n", "asked twice: Who"),
    ],
)
def test_a_malformed_file_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "golden.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=said):
        questions.read(file)


def test_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        questions.read(tmp_path / "golden.yaml")


def test_a_damaged_memory_is_said_with_its_cure(tmp_path: Path) -> None:
    file = tmp_path / "golden.yaml"
    last_time.place(file).write_text("{", encoding="utf-8")
    with pytest.raises(SettingsError, match="delete it to begin anew"):
        last_time.load(file)
