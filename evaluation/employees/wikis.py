"""Wikis of invented organisations, and what their employees ask; each by somebody who saw no other.

Whoever wrote one had seen no page, question or rule of ours. About a third of the questions no page
answers, although pages speak of what they name. The text reader learns from some of these wikis;
gate and badge are fitted on others, which it has not seen; neither has seen the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from evaluation.employees.questions import Wanted
from evaluation.retrieval.left_out.corpora import Corpus

FOLDER = Path(__file__).parents[1] / "sets" / "wikis"
LEARNT = (
    "airline",
    "bakeries",
    "brewery",
    "builders",
    "community",
    "council",
    "fintech",
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
    "supplier",
    "university",
)
FITTED = ("broadcaster", "hotel", "housing", "labs", "ngo", "robotics")
UNSEEN = (
    "adagency",
    "berufsschule",
    "callcentre",
    "cloudops",
    "dairy",
    "ferries",
    "festival",
    "fitnessapp",
    "foodbank",
    "heatpumps",
    "lifts",
    "optics",
    "quarry",
    "savings",
    "seeds",
    "steuer",
    "verkehr",
    "verlag",
)
WIKIS = (*LEARNT, *FITTED, *UNSEEN)


def wiki(name: str) -> Corpus:
    """Its pages; what is asked of them `questions` gives."""
    return Corpus(name, FOLDER / name / "documents", asked={})


class AskedSet(StrEnum):
    """Which questions of a wiki; the value is the name of their file."""

    QUESTIONS = "questions"
    # Against the habit of whoever writes questions: here pages answer what asks for figures and for
    # what has happened, and none answers what somebody may or must do.
    AGAINST = "against"
    # Two and two of the same form about the same things, of which a page answers one: nothing but
    # reading tells them apart.
    TWINS = "twins"
    # Some of the usual ones in the other language, by somebody who saw the questions and no page.
    TRANSLATED = "translated"


OF_WIKIS: Mapping[AskedSet, tuple[str, ...]] = {
    AskedSet.QUESTIONS: WIKIS,
    AskedSet.AGAINST: ("cloudops", "quarry"),
    AskedSet.TWINS: (*LEARNT, *FITTED),
    AskedSet.TRANSLATED: ("berufsschule", "steuer", "verkehr", "verlag"),
}


def questions(name: str, of: AskedSet = AskedSet.QUESTIONS) -> list[Wanted]:
    """As employees type them, in the order of the file; OF_WIKIS says which wikis have one."""
    items = yaml.safe_load((FOLDER / name / f"{of}.yaml").read_text(encoding="utf-8"))
    return TypeAdapter(list[Wanted]).validate_python(items)
