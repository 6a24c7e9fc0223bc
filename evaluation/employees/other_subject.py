"""Questions in a thread that was about something else: people stay where they have begun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from evaluation.employees.questions import Wanted


def in_other_threads(asked: Sequence[Wanted]) -> Iterator[Wanted]:
    """The first questions of a corpus, each after one of its others that other pages answer.

    Always the same one. Follow-ups are left out: they lean on what is before them.
    """
    firsts = [each for each in asked if not each.before]
    answered = [each for each in firsts if each.answerable]
    for wanted in firsts:
        others = [each for each in answered if not set(each.pages) & set(wanted.pages)]
        others = [each for each in others if each.id != wanted.id]
        if others:
            other = Random(wanted.id).choice(others)
            yield wanted.model_copy(update={"before": (other.ask,)})
