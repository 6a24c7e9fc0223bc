"""Examples of twin questions: both as often, and the piece that answers one for the other."""

from __future__ import annotations

from itertools import islice
from random import Random

from evaluation.reader.own import Pieces
from evaluation.reader.squad import Example
from evaluation.reader.twins import Twins, examples

PRICE = Example("price", "Boots cost 80 EUR.", True, (11, 17))
COLOUR = Example("price", "Boots are brown.", False)
HEIGHT = tuple(Example("height", text, False) for text in (PRICE.text, COLOUR.text, "Hats."))
PAIR = Twins(Pieces((PRICE,), (COLOUR,), ()), Pieces((), (), HEIGHT))


def test_half_are_answered_and_the_piece_that_answers_one_is_read_for_the_other() -> None:
    drawn = list(islice(examples([PAIR], Random(0)), 200))
    answered = [each for each in drawn if each.answers]
    same = [each for each in drawn if each.text == PRICE.text and not each.answers]
    assert 80 <= len(answered) <= 100  # some of the others stand beside the answer
    assert {each.span for each in answered} == {PRICE.span}
    assert len(same) > 40
    assert all(each.question.lower().startswith("h") for each in same)


def test_a_pair_of_which_nothing_teaches_is_passed_over() -> None:
    nothing = Twins(Pieces((), (), ()), Pieces((), (), ()))
    drawn = list(islice(examples([nothing, PAIR], Random(0)), 20))
    assert {each.text for each in drawn} <= {PRICE.text, COLOUR.text, "Hats."}
