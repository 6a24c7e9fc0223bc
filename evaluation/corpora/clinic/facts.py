"""Fills the blanks of a page with facts that vary by seed.

A blank names its fact and, where it first stands, what it may be: `{{tage=drei|vier}}` is one of
the wordings, `{{durchwahl=4100..4199}}` a number, `{{leitung=@pflege}}` a person of that list.
Later blanks repeat the fact: `{{tage}}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

_BLANK = re.compile(r"\{\{(\w+)(?:=([^}]*))?\}\}")
_RANGE = re.compile(r"(\d+)\.\.(\d+)")


@dataclass(frozen=True)
class Draw:
    """How facts are drawn for one page of a row of sisters."""

    seed: int
    key: str  # the same for all sisters
    position: int = 0  # among them
    sisters: int = 1

    def one_of(self, name: str, choices: Sequence[str]) -> str:
        """Sisters never share a fact: each takes another place in one shuffled row.

        Raises:
            ValueError: there are fewer choices than sisters.
        """
        if len(choices) < self.sisters:
            raise ValueError(f"{self.key}.{name} has {len(choices)} choices for {self.sisters}")
        row = Random(f"{self.seed}:{self.key}:{name}").sample(choices, self.sisters)
        return row[self.position]


def fill(text: str, facts: dict[str, str], draw: Draw, people: Mapping[str, Sequence[str]]) -> str:
    """The text without blanks; facts that it draws are added to those given.

    Raises:
        KeyError: a blank repeats a fact that no blank before it draws.
    """

    def filled(blank: re.Match[str]) -> str:
        name, choices = blank.groups()
        if choices is not None:
            facts[name] = draw.one_of(name, _choices(choices, people))
        return facts[name]

    return _BLANK.sub(filled, text)


def repeat(text: str, facts: Mapping[str, str]) -> str:
    """The text with facts that are drawn already."""
    return _BLANK.sub(lambda blank: facts[blank[1]], text)


def _choices(written: str, people: Mapping[str, Sequence[str]]) -> Sequence[str]:
    if written.startswith("@"):
        return people[written[1:]]
    if found := _RANGE.fullmatch(written):
        return [str(number) for number in range(int(found[1]), int(found[2]) + 1)]
    return written.split("|")
