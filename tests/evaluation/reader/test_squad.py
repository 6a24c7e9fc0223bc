"""Examples to train the reader on: what answers has its answer, what does not has none."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from typer import Exit

from evaluation.reader.squad import Article, articles, as_typed, examples

HARBOUR = (
    "The harbour of Varn was built in 1732. Its lighthouse is 41 metres high. "
    "Ferries leave for Holm every morning. The customs house stands beside the pier."
)
TRADE = "Varn lives on trade in timber. The timber comes down the river Aud in spring."
QUESTION = "How high is the lighthouse of Varn?"


@pytest.fixture
def varn(tmp_path: Path) -> list[Article]:
    place = HARBOUR.index("41 metres")
    asked = [{"question": QUESTION, "answers": [{"text": "41 metres", "answer_start": place}]}]
    paragraphs = [{"context": HARBOUR, "qas": asked * 400}, {"context": TRADE, "qas": []}]
    file = tmp_path / "train-v1.1.json"
    data = {"data": [{"title": "Varn_%28town%29", "paragraphs": paragraphs}]}
    file.write_text(json.dumps(data), encoding="utf-8")
    return articles(file)


def test_half_are_answered_and_the_span_is_the_answer(varn: list[Article]) -> None:
    found = list(examples(varn, Random(1)))
    answered = [each for each in found if each.answers]
    assert 0.4 < len(answered) / len(found) < 0.6
    assert {each.text[slice(*each.span)] for each in answered if each.span} == {"41 metres"}


def test_the_others_are_near_and_say_nothing_of_it(varn: list[Article]) -> None:
    others = [each for each in examples(varn, Random(1)) if not each.answers]
    assert all("41" not in each.text and each.span is None for each in others)
    of_its_passage = sum("harbour" in each.text or "Ferries" in each.text for each in others)
    assert of_its_passage > len(others) / 3
    assert any("timber" in each.text for each in others)


def test_some_are_worded_as_people_type(varn: list[Article]) -> None:
    random = Random(2)
    typed = {as_typed(QUESTION, random) for _ in range(200)}
    assert QUESTION in typed
    assert "how high is the lighthouse of varn" in typed
    assert any("the" not in each.lower().split() for each in typed)


def test_a_file_that_is_no_squad_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dev-v1.1.json"
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(Exit):
        articles(file)
    assert "dev-v1.1.json is no SQuAD 1.1" in capsys.readouterr().err


def test_the_same_seed_gives_the_same_examples(varn: list[Article]) -> None:
    first, again = (list(islice(examples(varn, Random(3)), 20)) for _ in range(2))
    assert first == again
