"""What the corpora ask, and of which pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation.__main__ import app
from evaluation.retrieval.left_out.corpora import available, sample
from evaluation.sets.confquestions import DataMissing


def test_the_sample_company_is_asked_in_both_languages_with_its_follow_ups() -> None:
    corpus = sample()
    assert corpus.asked.keys() == {"en", "de"}
    turns = [turn for code in corpus.asked for turns in corpus.asked[code] for turn in turns]
    follow_ups = [turn for turn in turns if turn.turn > 1]
    assert len(follow_ups) == 10
    assert all("follow-up" in turn.tags and not turn.completed for turn in follow_ups)
    assert all(turn.completed == turn.asked for turn in turns if turn.turn == 1)
    assert all(turn.gold_ids for turn in turns)


def test_confquestions_is_left_out_where_its_folder_is_not_given(tmp_path: Path) -> None:
    without = available(None, tmp_path)
    assert "confquestions" not in without
    assert {"railway", "sample"} <= without.keys()
    assert available(tmp_path, tmp_path).keys() == {"confquestions", *without}


def test_a_folder_without_confquestions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataMissing):
        available(tmp_path, tmp_path)["confquestions"]()


def test_a_corpus_that_does_not_exist_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["left-out", "--corpus", "moon", "--folder", str(tmp_path)])
    assert result.exit_code == 1
    assert "no such corpus: moon" in result.output
