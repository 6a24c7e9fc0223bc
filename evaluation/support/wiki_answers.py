"""Whole answers about wikis of other people, right ones and those that are wrong in one point.

Each wiki's were written by somebody who had read its pages and no code of ours, as a good chat
model answers: in other words than the page, a third of them in another language, some from two
pages. Beside each stand four or five in which one sentence was made wrong, mostly by a small
change. All had the same brief, which asked for errors that numbers and names do not give away.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import partial

from pydantic import BaseModel

from core.models import Hit
from evaluation.employees.wikis import FOLDER
from evaluation.support.answers import KINDS
from evaluation.support.case import RIGHT, Case, given, pieces_of
from evaluation.support.evidence import Pages, pages_of

# Of some it was read what the check judged wrongly, and some have no say in anything; from the rest
# the reader of claims has learned.
READ = ("cloudops", "fitnessapp", "heatpumps", "platform", "steuer")
APART = ("community", "ferries", "optics")


class Wrong(BaseModel):
    """An answer that is wrong in one sentence, by the kind of its error."""

    kind: str
    text: str


class WikiAnswer(BaseModel):
    """A right answer about some pages, by their titles, and wrong ones."""

    pages: tuple[str, ...]
    lang: str
    question: str
    right: str
    wrong: tuple[Wrong, ...]


def taught() -> list[str]:
    """The wikis whose answers the reader of claims learns from."""
    written = {file.parent.name for file in FOLDER.glob("*/answers.jsonl")}
    return sorted(written - {*READ, *APART})


def wiki_pages(name: str) -> Pages:
    return pages_of(FOLDER / name / "documents")


def wiki_answers(name: str) -> list[WikiAnswer]:
    lines = (FOLDER / name / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    return [WikiAnswer.model_validate(json.loads(line)) for line in lines]


def cases_of(name: str) -> Iterator[Case]:
    """The right ones, the wrong ones, and the right ones cited from another page."""
    pages = wiki_pages(name)
    for each in wiki_answers(name):
        hits = pieces_of(pages, each.pages)
        made = partial(Case, name, each.lang, question=each.question)
        yield made(RIGHT, each.right, hits)
        for wrong in each.wrong:
            yield made(KINDS.get(wrong.kind, wrong.kind), wrong.text, hits)
        yield made("of another page", each.right, another_page(pages, each))


def another_page(pages: Pages, answer: WikiAnswer) -> tuple[Hit, ...]:
    """The pieces of a page that the answer is not about; the same one every time."""
    others: Sequence[str] = sorted(pages.keys() - set(answer.pages))
    return given(pages[random.Random(answer.right).choice(others)])
