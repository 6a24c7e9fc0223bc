"""Wikis of invented organisations, and what their employees ask; each by somebody who saw no other.

Whoever wrote one had seen no page, question or rule of ours. About a third of the questions no page
answers, although pages speak of what they name. The text reader learns from some of these wikis;
gate and badge are fitted on others, which it has not seen; neither has seen the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from evaluation.employees.questions import Wanted
from evaluation.retrieval.left_out.corpora import Corpus

FOLDER = Path(__file__).parents[1] / "sets" / "wikis"
LEARNT = (
    "adagency",
    "airline",
    "bakeries",
    "brewery",
    "builders",
    "community",
    "council",
    "dairy",
    "festival",
    "fintech",
    "fitnessapp",
    "gamestudio",
    "hospital",
    "insurer",
    "itservices",
    "lawfirm",
    "logistics",
    "museum",
    "outdoor",
    "pharma",
    "planners",
    "platform",
    "publisher",
    "saas",
    "savings",
    "seeds",
    "supplier",
    "university",
    "verkehr",
)
FITTED = ("broadcaster", "hotel", "housing", "labs", "ngo", "robotics")
UNSEEN = (
    "berufsschule",
    "callcentre",
    "cloudops",
    "ferries",
    "foodbank",
    "heatpumps",
    "lifts",
    "optics",
    "quarry",
    "steuer",
    "verlag",
)
WIKIS = (*LEARNT, *FITTED, *UNSEEN)


def wiki(name: str) -> Corpus:
    """Its pages; what is asked of them `questions` gives."""
    return Corpus(name, FOLDER / name / "documents", asked={})


def _file(name: str, of: str) -> Path:
    return FOLDER / name / f"{of}.yaml"


class AskedSet(StrEnum):
    """Which questions of a wiki; the value is the name of their file."""

    QUESTIONS = "questions"
    # Against the habit of whoever writes questions: here pages answer what asks for figures and for
    # what has happened, and none answers what somebody may or must do.
    AGAINST = "against"
    # Two and two of the same form about the same things, of which a page answers one: nothing but
    # reading tells them apart.
    TWINS = "twins"
    # The usual ones as somebody asks who calls things otherwise than their pages, by somebody who
    # saw what answers them.
    OTHERWISE = "otherwise"
    # Twins in words that the pages do not have.
    TWINS_OTHERWISE = "twins-otherwise"
    # Conversations of three or four messages, most of which say little alone; the last one of a
    # third goes to another matter. By somebody who saw the pages alone.
    THREADS = "threads"
    # Some of the usual ones in the other language, by somebody who saw the questions and no page.
    TRANSLATED = "translated"


# The wikis that have such a set.
OF_WIKIS: Mapping[AskedSet, tuple[str, ...]] = {
    of: tuple(name for name in WIKIS if _file(name, of).exists()) for of in AskedSet
}


def questions(name: str, of: AskedSet = AskedSet.QUESTIONS) -> list[Wanted]:
    """As employees type them, in the order of the file; OF_WIKIS says which wikis have one."""
    if of is AskedSet.OTHERWISE:
        return list(_otherwise(name))
    return TypeAdapter(list[Wanted]).validate_python(_items(name, of))


def _otherwise(name: str) -> Iterator[Wanted]:
    """The file has the new words alone, by the id of the question that is put otherwise."""
    usual = {each.id: each for each in questions(name)}
    for of, ask in _items(name, AskedSet.OTHERWISE).items():
        yield usual[of].model_copy(update={"id": f"{of}-{AskedSet.OTHERWISE}", "ask": ask})


def _items(name: str, of: AskedSet) -> Any:
    return yaml.safe_load(_file(name, of).read_text(encoding="utf-8"))
