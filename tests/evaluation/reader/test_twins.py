"""Contrasts of twin questions: the piece that answers one is read for the other."""

from __future__ import annotations

from itertools import islice
from random import Random

from evaluation.reader.own import Pieces
from evaluation.reader.squad import Example
from evaluation.reader.twins import Twins, contrasts

PRICE = Example("price", "Boots cost 80 EUR.", True, (11, 17))
COLOUR = Example("price", "Boots are brown.", False)
HEIGHT = tuple(Example("height", text, False) for text in (PRICE.text, COLOUR.text, "Hats."))
PAIR = Twins(Pieces((PRICE,), (COLOUR,), ()), Pieces((), (), HEIGHT))


def test_what_answers_one_stands_beside_what_does_not_answer_the_other() -> None:
    drawn = list(islice(contrasts([PAIR], Random(0)), 100))
    assert {answered.span for answered, _ in drawn} == {PRICE.span}
    assert not any(other.answers for _, other in drawn)
    assert all(other.question.lower().startswith("h") for _, other in drawn)
    assert sum(other.text == PRICE.text for _, other in drawn) > 50
    assert {other.text for _, other in drawn} == {each.text for each in HEIGHT}


def test_a_pair_of_which_nothing_teaches_is_passed_over() -> None:
    nothing = Twins(Pieces((), (), ()), Pieces((), (), ()))
    drawn = list(islice(contrasts([nothing, PAIR], Random(0)), 20))
    assert {answered.text for answered, _ in drawn} == {PRICE.text}
