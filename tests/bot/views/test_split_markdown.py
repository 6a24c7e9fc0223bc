"""Long texts in pieces: nothing lost, nothing too long, no code torn apart."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.views.block_kit import size
from bot.views.split_markdown import split

PARAGRAPH = "The crane of quay three lifts 40 tons and is looked after by the harbour team. "
CODE = "```python\n" + "\n".join(f"lift({number})" for number in range(40)) + "\n```"


def open_fences(text: str) -> int:
    return len(re.findall(r"^(?:```|~~~)", text, re.MULTILINE)) % 2


def test_a_short_text_is_one_piece_as_it_is() -> None:
    assert split("Ben.\n\n```\ncode\n```", 1000, 1000) == ["Ben.\n\n```\ncode\n```"]


def test_a_long_text_is_cut_between_paragraphs() -> None:
    text = "\n\n".join(f"{number}. {PARAGRAPH}" for number in range(20))
    pieces = split(text, 500, 500)
    assert len(pieces) > 3
    assert all(re.match(r"\d+\. The crane", piece) for piece in pieces)
    assert "\n\n".join(piece.strip() for piece in pieces).split() == text.split()


def test_the_last_piece_leaves_room_for_what_stands_under_it() -> None:
    text = "\n\n".join([PARAGRAPH] * 20)
    pieces = split(text, 600, 200)
    assert size(pieces[-1]) <= 200
    assert " ".join(pieces).split() == text.split()


def test_code_that_fits_into_a_message_is_not_torn_apart() -> None:
    pieces = split(f"{PARAGRAPH * 4}\n\n{CODE}\n\n{PARAGRAPH * 4}", 700, 700)
    assert sum(CODE in piece for piece in pieces) == 1


@pytest.mark.parametrize("mark", ["```", "~~~", "````"])
def test_code_longer_than_a_message_is_closed_and_opened_again(mark: str) -> None:
    lines = [f"crane_{number} = lift({number})" for number in range(100)]
    pieces = split("\n".join(["Before.", f"{mark}python", *lines, mark, "After."]), 500, 500)
    code = [piece for piece in pieces if mark in piece]
    assert len(code) > 3
    for piece in code:
        assert piece.count(f"{mark}python\n") == 1
        assert len(re.findall(rf"^{mark}$", piece, re.MULTILINE)) == 1
    assert [
        line for piece in pieces for line in piece.splitlines() if line.startswith("crane_")
    ] == lines


def test_code_that_nobody_closed_is_closed_in_each_piece() -> None:
    pieces = split("```\n" + "\n".join(f"line {number}" for number in range(200)), 400, 400)
    assert all(piece.startswith("```\n") for piece in pieces)
    assert not any(open_fences(piece) for piece in pieces)


def test_code_within_a_line_is_not_torn_apart() -> None:
    pieces = split("word " * 30 + "`a b c d e f`" + " word" * 60, 200, 200)
    assert sum("`a b c d e f`" in piece for piece in pieces) == 1


def test_a_word_longer_than_any_message_is_cut() -> None:
    text = "漢" * 5_000
    pieces = split(text, 1_000, 500)
    assert "".join(pieces) == text
    assert max(map(size, pieces)) <= 1_000


LINES = st.one_of(
    st.text(alphabet='ab `"\\\n漢', max_size=120),
    st.sampled_from(["```", "```python", "~~~", "", PARAGRAPH, "x" * 900]),
)


@given(st.lists(LINES, max_size=30).map("\n".join), st.integers(300, 800))
@settings(max_examples=200, deadline=None)
def test_no_piece_is_too_long_and_no_word_is_lost(text: str, room: int) -> None:
    pieces = split(text, room, room // 2)
    assert all(size(piece) <= room for piece in pieces)
    assert size(pieces[-1]) <= room // 2
    marks = str.maketrans("", "", '`~ \n"\\')
    kept = "".join(pieces).replace("python", "").translate(marks)
    assert kept == text.replace("python", "").translate(marks)
