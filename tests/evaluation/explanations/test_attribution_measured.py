"""Table 3 of the paper: what counts as right, the label of quoted figures, calls at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece

from core.attribution import Effect, Explanation, Method, Spread
from core.models import Answer, Copy, Hit, Note, Record
from core.question import Completed
from core.settings import Settings
from core.usage import Usage
from evaluation.explanations.attribution import (
    Asked,
    drawn,
    explained,
    figures,
    mark,
    of_the_model,
)
from evaluation.explanations.attribution_output import NO_EVIDENCE, PUBLISHED, as_json_, show
from evaluation.explanations.attribution_settings import model_of
from evaluation.explanations.kept import Kept
from evaluation.explanations.speed import Way, measure
from evaluation.harness.as_indexed import AsIndexed
from evaluation.sets.confquestions import DataMissing, Question
from worker.attribution.options import Options
from worker.bootstrap import build
from worker.extractive.extractor import Extractor
from worker.generation.generator import Generator

LEAVES, HOTELS, BACKUPS = (
    hit(piece(text, n), page(n)) for n, text in (("1", LEAVE), ("2", HOTEL), ("3", BACKUP))
)
HITS = (LEAVES, HOTELS, BACKUPS)


def question(*gold: str) -> Question:
    urls = tuple(f"https://wiki.example/pages/{each}" for each in gold)
    text = "How much is a hotel in Porto?"
    return Question(
        "1",
        1,
        asked=text,
        completed=text,
        answer="110 EUR",
        gold_urls=urls,
        source="passage",
        is_complex=False,
    )


def asked(
    *gold: str,
    hits: Sequence[Hit] = HITS,
    language: str = "en",
    text: str = HOTEL,
    notes: tuple[Note, ...] = (),
) -> Asked:
    completed = Completed(
        question="How much is a hotel in Porto?", text="How much is a hotel in Porto?"
    )
    return Asked(
        language,
        question(*gold),
        Record(completed=completed, hits=tuple(hits), answer=Answer(text=text, notes=notes)),
    )


def effect(*hits: Hit, mean: float) -> Effect:
    return Effect(
        evidence_ids=tuple(each.evidence.id for each in hits),
        label="",
        away=Spread(mean=mean),
    )


def explanation(*effects: Effect) -> Explanation:
    usage = Usage(calls=7, prompt_tokens=100, completion_tokens=10)
    return Explanation(
        turn_id="1",
        method=Method.PAPER,
        effects=effects,
        usage=usage,
        seconds=2.0,
    )


def test_right_is_the_page_of_the_piece_at_the_head_of_the_first_cluster() -> None:
    found = explanation(effect(LEAVES, HOTELS, mean=0.4), effect(BACKUPS, mean=0.1))
    assert mark(asked("1"), found).right
    assert not mark(asked("2"), found).right
    assert mark(asked("2"), found).copy_is_right
    assert not mark(asked("3"), found).copy_is_right


def test_a_copy_on_the_gold_page_counts_in_a_column_of_its_own() -> None:
    copied = HOTELS.model_copy(
        update={"copies": (Copy(evidence=piece(HOTEL, "9"), page=page("9")),)}
    )
    marked = mark(asked("9", hits=[copied]), explanation(effect(copied, mean=0.4)))
    assert (marked.right, marked.copy_is_right) == (False, True)


def test_an_explanation_without_any_effect_names_nothing_and_is_wrong() -> None:
    marked = mark(asked("1"), explanation(effect(LEAVES, mean=0.0)))
    assert (marked.right, marked.has_effect) == (False, False)


def test_figures_stand_by_method_and_language_and_for_both() -> None:
    found = [
        mark(asked("1", language=code), explanation(effect(one, mean=0.4)))
        for code, one in (("en", LEAVES), ("de", HOTELS))
    ]
    rows = figures(found)
    assert list(rows) == ["paper en", "paper de", "paper both"]
    assert [row["accuracy"].value for row in rows.values()] == [1.0, 0.0, 0.5]
    assert (
        rows["paper both"]["calls"],
        rows["paper both"]["tokens"],
        rows["paper both"]["seconds"],
    ) == (7.0, 110, 2.0)


def test_only_questions_whose_gold_page_was_retrieved_count() -> None:
    assert asked("2").could_be_found
    assert not asked("7").could_be_found


def test_of_a_model_only_its_own_answers_count(capsys: pytest.CaptureFixture[str]) -> None:
    quoted, own = asked("1"), asked("2")
    answer = own.record.answer.model_copy(update={"model": "small"})
    own = replace(own, record=own.record.model_copy(update={"answer": answer}))
    assert of_the_model([quoted, own]) == [own]
    assert "1 answers are quoted ones" in capsys.readouterr().err


def test_every_method_explains_a_quoted_answer_and_every_output_says_that_it_proves_nothing(
    tmp_path: Path, extractor: Extractor, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = replace(
        build(Settings(data_dir=tmp_path, redis_url="redis://127.0.0.1:1/0"), AsIndexed()),
        explainer=Generator(None, extractor),
    )
    found = figures(list(explained(parts, [asked("2")], list(Method), Kept(None, {}))))
    assert {
        name: row["accuracy"].value for name, row in found.items() if name.endswith("both")
    } == {f"{m} both": 1.0 for m in Method}
    told = as_json_(found, "")
    assert told["label"] == NO_EVIDENCE
    assert told["published"] == {
        m.value: {"accuracy": accuracy, "n": 364} for m, accuracy in PUBLISHED.items()
    }
    json.dumps(told)
    show(found, "")
    shown = capsys.readouterr().out
    assert NO_EVIDENCE in shown
    assert shown.count("published") == len(PUBLISHED)


def test_figures_of_a_models_answers_carry_its_name() -> None:
    rows = figures([mark(asked("1"), explanation(effect(LEAVES, mean=0.4)))])
    assert as_json_(rows, "some-model")["label"] == "answers of some-model"


def test_without_a_model_none_is_used_and_with_one_explanations_are_made_as_the_settings_say() -> (
    None
):
    stage = Settings(llm_base_url="http://of.the.stage/v1", llm_model="other")
    assert model_of(stage, Settings()).llm_base_url is None
    own = Settings(
        llm_base_url="http://127.0.0.1:1/v1",
        llm_model="some-model",
        explain_max_calls=30,
        llm_explain_model="small",
    )
    chosen = model_of(stage, own)
    assert (chosen.llm_model, chosen.llm_explain_model, chosen.explain_max_calls) == (
        "some-model",
        "small",
        30,
    )


def test_a_file_of_questions_in_the_form_of_the_datas_is_read_and_a_sample_keeps_its_order(
    tmp_path: Path,
) -> None:
    text = dict.fromkeys(("q_en", "q_de", "completed_q_en", "completed_q_de"), "Where?")
    turns = [
        {
            **text,
            "turn_id": n,
            "a": "There.",
            "a_url": ["u"],
            "a_source": "list",
            "q_type": "simple",
        }
        for n in range(1, 9)
    ]
    conversations = [{"conv_id": n, "turns": turns} for n in range(5)]
    (tmp_path / "q.json").write_text(json.dumps(conversations))
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, conversations)))
    everything = drawn(tmp_path / "q.json", "both", 0, 0)
    assert drawn(tmp_path / "q.jsonl", "both", 0, 0) == everything
    assert len(everything) == 80
    sample = drawn(tmp_path / "q.json", "both", 20, 0)
    assert (
        sample
        == drawn(tmp_path / "q.json", "both", 20, 0)
        != drawn(tmp_path / "q.json", "both", 20, 1)
    )
    assert sample == [each for each in everything if each in sample]
    assert len(sample) == 20


def test_a_broken_file_of_questions_is_named(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"conv_id": 1\n')
    with pytest.raises(DataMissing, match=r"q\.jsonl"):
        drawn(tmp_path / "q.jsonl", "en", 0, 0)


def test_an_explanation_never_asks_for_more_at_once_than_it_may_and_outlives_refusals() -> None:
    ways = [Way(5), Way(5, limited=3)]
    calm, limited = measure(ways, Options(), clusters=6, delay_s=0.02)
    assert 2 <= calm.most <= 5
    assert 2 <= limited.most <= 5
    assert calm.received == calm.calls
    assert limited.received == limited.calls + 3
    assert calm.first_is_right
    assert limited.first_is_right
