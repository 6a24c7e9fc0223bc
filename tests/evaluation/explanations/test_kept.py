from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.explanations.kept import Kept
from evaluation.sets.confquestions import DataMissing

RUN = {"model": "small"}


class Paid:
    """Something that costs."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return self.times


def test_what_is_done_is_not_paid_for_again(tmp_path: Path) -> None:
    paid, file = Paid(), tmp_path / "kept.jsonl"
    assert [Kept(file, RUN).once("first", int, paid) for _ in range(3)] == [1, 1, 1]
    assert Kept(file, RUN).once("second", int, paid) == 2
    assert paid.times == 2


def test_a_line_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    paid, file = Paid(), tmp_path / "kept.jsonl"
    Kept(file, RUN).once("first", int, paid)
    Kept(file, RUN).once("second", int, paid)
    file.write_text(file.read_text()[:-4])
    kept = Kept(file, RUN)
    assert [kept.once(name, int, paid) for name in ("first", "second")] == [1, 3]
    assert Kept(file, RUN).once("second", int, paid) == 3


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    Kept(file, RUN)
    with pytest.raises(DataMissing, match="of another run"):
        Kept(file, {"model": "large"})


def test_a_file_of_something_else_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("milk\neggs\n")
    with pytest.raises(DataMissing, match="line 1"):
        Kept(file, RUN)


def test_without_a_file_nothing_is_kept() -> None:
    paid = Paid()
    assert [Kept(None, RUN).once("first", int, paid) for _ in range(2)] == [1, 2]
