"""Steps of a history, drawn by chance from a seed; the same seed gives the same steps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum

from evaluation.access.variants import VARIANTS, Variant
from evaluation.access.world import changes
from evaluation.access.world.changes import Change
from evaluation.access.world.interposed import Trouble
from evaluation.access.world.site import NAMES, PAGES

QUESTIONS = (
    "What does the {topic} cost?",
    "Who pays for the {topic}?",
    "Where is more about the {topic}?",
    "Which pages are under {topic}?",
)
FOLLOW_UPS = ("And who pays for it?", "And where is more about it?", "What about the {topic}?")


class Act(StrEnum):
    """What happens in a step."""

    CHANGE = "change"
    SYNC = "sync"
    ASK = "ask"
    FOLLOW_UP = "follow up"
    PRESS = "press"  # a suggested question
    EXPLAIN = "explain"
    DETAILS = "details"
    HOME = "home"
    WAIT = "wait"
    TROUBLE = "trouble"


class Moment(StrEnum):
    """When a change comes in between."""

    REQUEST = "request"  # before Confluence answers one
    VERDICT = "verdict"  # after the authorizer has decided
    SAVED = "saved"  # the answer
    GATE = "gate"  # before the gate is asked


@dataclass(frozen=True)
class Ambush:
    """A change that comes the n-th time that it is this moment."""

    moment: Moment
    nth: int
    change: Change


@dataclass(frozen=True)
class Step:
    """One step; what it does not need is left empty."""

    act: Act
    change: Change | None = None
    who: str = ""
    private: bool = False
    question: str = ""
    page: str = ""
    which: int = 0  # of the answers or conversations so far
    ambushes: tuple[Ambush, ...] = ()
    seconds: float = 0.0
    trouble: Trouble = Trouble.NONE

    def __str__(self) -> str:
        """What is not empty."""
        given = [(each.name, getattr(self, each.name)) for each in fields(self)]
        return ", ".join(f"{name}={value}" for name, value in given if value)


@dataclass(frozen=True)
class History:
    """An installation and what happens to it."""

    seed: int
    variant: Variant
    has_model: bool  # a slow one, whose text grows for longer than a confirmation counts
    scans_all: bool  # each sync reads all restrictions again
    steps: tuple[Step, ...]


WEIGHTS = {
    Act.CHANGE: 30,
    Act.ASK: 30,
    Act.FOLLOW_UP: 12,
    Act.PRESS: 6,
    Act.EXPLAIN: 6,
    Act.DETAILS: 6,
    Act.HOME: 4,
    Act.SYNC: 9,
    Act.WAIT: 6,
    Act.TROUBLE: 5,
}
FEWEST, MOST = 6, 12
MODEL_EACH = 8  # of the histories of a variant one has a model


def draw(seed: int) -> History:
    chance = random.Random(seed)
    has_model = (seed + seed // len(VARIANTS)) % MODEL_EACH == 0
    return History(
        seed,
        VARIANTS[seed % len(VARIANTS)],
        has_model=has_model,
        scans_all=chance.random() < 0.5,
        steps=tuple(_steps(chance)),
    )


def _steps(chance: random.Random) -> Iterator[Step]:
    lately = chance.choice(PAGES)
    for _ in range(chance.randint(FEWEST, MOST)):
        act = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        step = _step(chance, act, lately)
        if step.change is not None and step.change.page:
            lately = step.change.page
        yield step
        if act is Act.TROUBLE:
            yield _step(chance, Act.ASK, lately)
            if chance.random() < 0.7:
                yield Step(Act.TROUBLE)


def _step(chance: random.Random, act: Act, lately: str) -> Step:
    if act is Act.CHANGE:
        return Step(act, changes.draw(chance))
    if act is Act.SYNC:
        return Step(act)
    if act is Act.WAIT:
        return Step(act, seconds=chance.uniform(0, 0.4))
    if act is Act.TROUBLE:
        return Step(act, trouble=chance.choice(list(Trouble)[1:]))
    page = lately if chance.random() < 0.6 else chance.choice(PAGES)
    worded = FOLLOW_UPS if act is Act.FOLLOW_UP else QUESTIONS
    return Step(
        act,
        who=chance.choice(NAMES),
        private=chance.random() < 0.5,
        question=chance.choice(worded),
        page=page,
        which=chance.randrange(1000),
        ambushes=tuple(_ambushes(chance, page)),
    )


def _ambushes(chance: random.Random, page: str) -> Iterator[Ambush]:
    if chance.random() < 0.5:
        moment = chance.choice(list(Moment))
        nth = chance.randint(1, 8 if moment is Moment.REQUEST else 3)
        about = page if chance.random() < 0.7 else ""
        yield Ambush(moment, nth, changes.draw(chance, about))
