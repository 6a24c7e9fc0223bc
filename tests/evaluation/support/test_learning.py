"""Examples to train the reader of claims on: what is said stands there, what is not does not."""

from __future__ import annotations

import json
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest

from core.encoder.bundled import encoder
from core.encoder.classifier import Classifier
from evaluation.reader.squad import Article, articles
from evaluation.support.learning.squad_claims import Claimed, ClaimGroup, groups
from evaluation.support.learning.written import groups as of_wikis
from evaluation.support.wiki_answers import wiki_answers
from worker.support.claims import claims
from worker.support.reading.claim_reader import ClaimReader

HARBOUR = (
    "The harbour of Varn was built in 1732. Its lighthouse is 41 metres high. "
    "Ferries leave for Holm every morning, and those for Sund leave at noon."
)
ASKED = {"How high is the lighthouse of Varn?": "41 metres", "When was it built?": "1732"}


@pytest.fixture
def varn(tmp_path: Path) -> list[Article]:
    asked = [
        {"question": ask, "answers": [{"text": said, "answer_start": HARBOUR.index(said)}]}
        for ask, said in ASKED.items()
    ]
    paragraphs = [{"context": HARBOUR, "qas": asked}]
    file = tmp_path / "train-v1.1.json"
    data = {"data": [{"title": "Varn", "paragraphs": paragraphs}]}
    file.write_text(json.dumps(data), encoding="utf-8")
    return articles(file)


def test_a_question_is_said_with_its_answer_and_with_no_other(varn: list[Article]) -> None:
    found = [each for each in islice(groups(varn, Random(1)), 300) if "How" in each.said.claim]
    assert found
    assert {"41 metres" in each.said.claim for each in found} == {True}
    assert {"1732" in other.claim for each in found for other in each.unsaid} == {True}
    assert all(each.said.text == other.text for each in found for other in each.unsaid)


def test_a_planted_error_is_not_said(varn: list[Article]) -> None:
    found = [each for each in islice(groups(varn, Random(2)), 300) if each.said.claim in HARBOUR]
    assert "Its lighthouse is 41 metres high." in {each.said.claim for each in found}
    assert all(other.claim not in HARBOUR for each in found for other in each.unsaid)


def test_what_a_wrong_answer_has_of_the_right_one_is_not_wrong() -> None:
    answer = wiki_answers("steuer")[0]
    said = [claim.read for claim in claims(answer.right)]
    found = list(islice(of_wikis(["steuer"]), len(said)))
    assert [each.said.claim for each in found] == said
    assert all(each.said.text for each in found)
    beside_another_page, *others = [other for each in found for other in each.unsaid]
    assert beside_another_page.claim == said[0]
    assert len(others) == len(answer.wrong)
    assert {each.claim for each in others}.isdisjoint(said)


@pytest.mark.models
def test_what_was_trained_reads_the_same_in_numpy() -> None:
    torch = pytest.importorskip("torch")
    training = import_module("evaluation.support.learning.training")
    torch.manual_seed(1)
    file, pieces = encoder()
    network = training.TrainableClaims(file, outputs=1)
    text = "Gates. The gate is 4 m high."
    said = Claimed("It is 4 m high.", text)
    group = ClaimGroup(said, (Claimed("It is 9 m high.", text),))
    rows = [training._group_row(group, pieces, Random(1))] * 4
    steps = import_module("evaluation.training.steps")

    def loss_of(batch: list[object]) -> object:
        return training.loss(network, batch)

    losses = list(steps.train(network, cycle([rows]), loss_of, 12))
    assert losses[-1] < losses[0]
    reader = ClaimReader(Classifier(file, dict(network.trained())), pieces)
    with torch.no_grad():
        expected = network(steps.rows_of(rows[:1])).tolist()
    assert reader.read([said]) == pytest.approx(expected, abs=0.1)
