"""Contrasts: what answers beside what does not, some of them in the words of the piece."""

from __future__ import annotations

from itertools import islice
from random import Random

from evaluation.reader.contrasts import contrasts
from evaluation.reader.own import Pieces
from evaluation.reader.squad import Example

ASKED = "when is brekkie"
SAID = Example(ASKED, "Breakfast is served at 7.", True, (22, 23))
BESIDE = Example(ASKED, "The kitchen is in the cellar.", False)
ELSEWHERE = Example(ASKED, "Breakfast tables are cleaned at noon.", False)


def test_an_answer_stands_beside_what_does_not_answer() -> None:
    one = Pieces((SAID,), (BESIDE,), (ELSEWHERE,))
    drawn = list(islice(contrasts([one], Random(0)), 100))
    assert {first.text for first, _ in drawn} == {SAID.text}
    texts = [second.text for _, second in drawn]
    assert texts.count(BESIDE.text) > texts.count(ELSEWHERE.text) > 0


def test_a_question_that_no_page_answers_has_no_pair() -> None:
    drawn = list(islice(contrasts([Pieces((), (), (ELSEWHERE,))], Random(0)), 10))
    assert all(len(each) == 1 for each in drawn)


def test_some_are_asked_as_the_piece_puts_it_and_only_where_it_does() -> None:
    one = Pieces((SAID,), (BESIDE,), ())
    drawn = list(islice(contrasts([one], Random(0)), 200))
    said = sum("breakfast" in first.question for first, _ in drawn)
    assert 30 < said < 90
    assert not any("breakfast" in second.question for _, second in drawn)
