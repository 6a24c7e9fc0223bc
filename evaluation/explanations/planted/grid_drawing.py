"""Draws invented facts, and invented pages that say them, for the grid."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import yaml

from core.models import Evidence, Hit, Kind, Page

FILE = Path(__file__).parents[2] / "data/planted_grid.yaml"


@cache
def words(kind: str) -> tuple[str, ...]:
    """The words of a kind that facts are made of."""
    return tuple(yaml.safe_load(FILE.read_text(encoding="utf-8"))[kind])


@cache
def german() -> dict[str, str]:
    """Each of these words in German."""
    written = yaml.safe_load(FILE.read_text(encoding="utf-8"))["german"]
    found: dict[str, str] = {}
    for kind, translated in written.items():
        found |= dict(zip(words(kind), translated, strict=True))
    return found


class Drawing:
    """Facts and pages that have no more than ordinary words in common."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.hits: list[Hit] = []
        self.in_german: dict[str, str] = {}  # by what was drawn
        self._subjects = chance.sample(words("subjects"), len(words("subjects")))

    def fact(self, number: int | None = None) -> str:
        """A sentence with a number and a name."""
        amount = number or self.chance.randint(11, 989)
        subject, place = self._subjects.pop(), self.one_of("places")
        verb, unit, tail = self.one_of("verbs"), self.one_of("units"), self.one_of("tails")
        said = f"The {subject} of {place} {verb} {amount} {unit} {tail}."
        who, does, what, when = map(german().get, (subject, verb, unit, tail))
        self.in_german[said] = f"{who} von {place} {does} {amount} {what} {when}."
        return said

    def permission(self) -> str:
        """A sentence without a number, which a `not` makes the opposite of."""
        subject, place, tail = self._subjects.pop(), self.one_of("places"), self.one_of("tails")
        return f"The {subject} of {place} is open to visitors {tail}."

    def page(self, *said: str) -> str:
        """A page that says this; its text."""
        name = f"p{len(self.hits)}"
        place, tail = self.one_of("places"), self.one_of("tails")
        frame = f"Office note {self.chance.randint(1000, 9999)} from {place}, {tail}."
        text = " ".join([frame, *said])
        page = Page(
            id=name,
            space="GRID",
            title=f"Note {name}",
            url=f"https://wiki.example/{name}",
            updated_at="2026-04-01",
        )
        evidence = Evidence(id=name, page_id=name, kind=Kind.PASSAGE, text=text)
        self.hits.append(Hit(evidence=evidence, page=page, score=1.0))
        return text

    def others(self, count: int) -> None:
        """So many pages that say something else."""
        for _ in range(count):
            subject, place = self.one_of("subjects"), self.one_of("places")
            tail, year = self.one_of("tails"), self.chance.randint(1950, 2020)
            self.page(f"A {subject} near {place} was painted {tail} in {year}.")

    def one_of(self, kind: str) -> str:
        return self.chance.choice(words(kind))
