"""Whole answers in other words, some from several pages, with wrong ones written beside them.

They were written by hand, all before the check was changed for the last time. What it judges
wrongly of `answers_read.yaml` was read to mend it; of `answers.yaml` nobody has read that.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from core.models import Hit
from evaluation.support.case import RIGHT, Case, given, pieces_of, written
from evaluation.support.evidence import Pages
from evaluation.support.plants import planted

FOLDER = Path(__file__).parent
JOINED = " + "  # titles of the pages of one answer
KINDS = {
    "dropped": "dropped negation",
    "added": "added negation",
    "order": "before and after",
    "roles": "swapped roles",
}
# The other kinds stand in the file, written by hand.
BY_RULE = ("number", "number of the page", "date", "name", "identifier")


def answers(pages: Mapping[str, Pages], file: str) -> Iterator[Case]:
    """The right ones, those written wrong, those with an error by rule, and with a wrong page."""
    said = yaml.safe_load((FOLDER / file).read_text(encoding="utf-8"))
    for corpus, by_title in said.items():
        for titles, those in by_title.items():
            hits = pieces_of(pages[corpus], titles.split(JOINED))
            for each in those:
                yield from _of_answer(corpus, hits, each)
                yield _of_another_page(corpus, pages[corpus], titles, each)


def _of_answer(corpus: str, hits: tuple[Hit, ...], said: Mapping[str, str]) -> Iterator[Case]:
    (language, right), *wrong = said.items()
    yield Case(corpus, language, RIGHT, right, hits)
    for kind, text in wrong:
        yield Case(corpus, language, KINDS.get(kind, kind), text, hits)
    draw = random.Random(f"{corpus}/{right}")
    for kind, text in planted(right, written(hits), draw):
        if kind in BY_RULE:
            yield Case(corpus, language, kind, text, hits)


def _of_another_page(corpus: str, pages: Pages, titles: str, said: Mapping[str, str]) -> Case:
    """The right answer, cited from a page that does not say it."""
    language, right = next(iter(said.items()))
    draw = random.Random(right)
    own = {hit.evidence.text for hit in pieces_of(pages, titles.split(JOINED))}
    others = [hits for hits in pages.values() if own.isdisjoint(h.evidence.text for h in hits)]
    return Case(corpus, language, "of another page", right, given(draw.choice(others)))
