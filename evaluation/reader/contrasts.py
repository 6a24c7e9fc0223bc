"""What answers a question, beside what does not: what both share cannot tell them apart.

A reader that learns from examples alone learns which pieces are easy, and which questions are
mostly answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from core.evidence.lexical.analyzer import words
from core.evidence.query.thesaurus import in_words_of
from evaluation.reader.own import FIRST, ON_ITS_PAGE, Pieces
from evaluation.reader.squad import Example, as_typed

REWORDED = 0.3  # of the questions are put as the piece puts them, as the product asks it too

Contrast = tuple[Example, ...]  # one that answers, one that does not, or one of these alone


def contrasts(found: Sequence[Pieces], random: Random) -> Iterator[Contrast]:
    """Without end, each question as often as the others, where something was found for all."""
    while True:
        for one in random.sample(found, len(found)):
            chosen = [random.choice(one.answering)] if one.answering else []
            is_beside = not one.others or random.random() < ON_ITS_PAGE
            pool = one.beside if one.beside and is_beside else one.others[:FIRST]
            chosen += [random.choice(pool)] if pool else []
            yield as_asked(chosen, random)


def as_asked(examples: Sequence[Example], random: Random) -> Contrast:
    """Some questions in the words of the piece, some with slips."""
    return tuple(_as_asked(each, random) for each in examples)


def _as_asked(example: Example, random: Random) -> Example:
    question = example.question
    if random.random() < REWORDED:
        question = in_words_of(question, frozenset(words(example.text)))
    return example._replace(question=as_typed(question, random))
