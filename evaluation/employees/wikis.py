"""Wikis of invented organisations, and what their employees ask; each by somebody who saw no other.

Whoever wrote one had seen no page, question or rule of ours. About a third of the questions no page
answers, although pages speak of what they name. The text reader learns from some of these wikis;
gate and badge are fitted on others, which it has not seen; neither has seen the rest.
"""

from __future__ import annotations

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
    "optics",
    "quarry",
    "savings",
    "seeds",
    "steuer",
    "verkehr",
)
WIKIS = (*LEARNT, *FITTED, *UNSEEN)


def wiki(name: str) -> Corpus:
    """Its pages; what is asked of them `questions` gives."""
    return Corpus(name, FOLDER / name / "documents", asked={})


# Against the habit of whoever writes questions: here pages answer what asks for figures and for
# what has happened, and none answers what somebody may or must do.
AGAINST = ("cloudops", "quarry")


def questions(name: str, file: str = "questions") -> list[Wanted]:
    """As employees type them, in the order of the file; `against` has those of AGAINST."""
    items = yaml.safe_load((FOLDER / name / f"{file}.yaml").read_text(encoding="utf-8"))
    return TypeAdapter(list[Wanted]).validate_python(items)
