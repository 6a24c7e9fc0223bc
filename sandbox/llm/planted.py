"""A model whose answer depends on known (planted) evidence, in other words each time.

A plan lists facts: when each is said (which texts must stand in the evidence), in which wordings,
and how unsteady the model is. So the causes of an answer are known, and an explanation of it can
be marked right or wrong. Pure functions of a plan, the evidence and a random number generator;
`script` is the same behind the endpoint.

A wording may hold choices, `{a|b}`, also nested:
`{Porto has|In Porto there are} 25 days{| a year}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from itertools import count
from random import Random
from typing import Any

from sandbox.llm.scripted import (
    AGAIN,
    COMPLETE,
    EVIDENCE,
    FILTERS,
    FOR_WHOM,
    NEIGHBOUR,
    NO_ANSWER,
    Messages,
    Script,
    all_text,
    last_user_text,
    toy,
)

_CHOICE = re.compile(r"\{([^{}]*)\}")
_ORDINARY = re.compile(r"(?<![\w-])[a-zäöüß]{4,}(?![\w-])")
OTHER_WORDS = (
    *("usual", "proper", "given", "simple", "certain", "general"),
    *("common", "present", "clear", "further", "likely", "single"),
)
_TASK = re.compile(rf"^(?:{COMPLETE}|{FILTERS}|{AGAIN}|{FOR_WHOM})", re.MULTILINE)


class WrongPlan(ValueError):
    """A plan that cannot be followed; the message says why."""


@dataclass(frozen=True)
class Fact:
    """One thing that the model may say; without a condition the model knows it by itself."""

    says: tuple[str, ...]  # wordings
    any_of: tuple[str, ...] = ()  # texts one of which must stand in the evidence
    all_of: tuple[str, ...] = ()  # texts that must all stand there
    unless: tuple[str, ...] = ()  # texts none of which may stand there
    each_of: tuple[tuple[str, ...], ...] = ()  # one of each of these must stand there
    most_of: tuple[str, ...] = ()  # texts more than half of which must stand there
    all_or_none_of: tuple[str, ...] = ()  # not some of these without the others
    vaguely: tuple[str, ...] = ()  # said in its place in an unsteady moment; empty: nothing is

    def holds(self, evidence: Sequence[str]) -> bool:
        def stands(text: str) -> bool:
            return _place(text, evidence) is not None

        if any(map(stands, self.unless)) or not all(map(stands, self.all_of)):
            return False
        most = sum(map(stands, self.most_of))
        if self.most_of and most <= len(self.most_of) / 2:
            return False
        if len(set(map(stands, self.all_or_none_of))) > 1:
            return False
        alternatives = filter(None, (self.any_of, *self.each_of))
        return all(any(map(stands, texts)) for texts in alternatives)

    def cited(self, evidence: Sequence[str]) -> list[int]:
        """Numbers, from 1, of the pieces it is said from: one of `any_of`, and all of `all_of`."""
        found: list[int] = []
        for texts in (self.any_of, *self.each_of):
            found += _places(texts, evidence)[:1]
        for texts in (self.all_of, self.most_of, self.all_or_none_of):
            found += _places(texts, evidence)
        return [place + 1 for place in found]


@dataclass(frozen=True)
class Plan:
    """All that the model may say, and how it varies."""

    facts: tuple[Fact, ...]
    openings: tuple[str, ...] = ("",)
    closings: tuple[str, ...] = ("",)
    extras: tuple[str, ...] = ()  # harmless sentences that say nothing
    extra_rate: float = 0.25  # how often one of them is said
    missing: tuple[str, ...] = (NO_ANSWER,)  # said when no fact can be
    # How often a fact is left out, or said vaguely, although its evidence is there.
    unsteady: float = 0.0
    in_order: bool = False  # by default the facts come in any order
    reworded: float = 0.0  # how often an ordinary word is another one
    fewest: int = 0  # pieces of evidence below which it says that it does not know
    by_prompt: bool = False  # equal evidence brings the equal answer, as behind a cache

    @classmethod
    def from_json(cls, sent: Mapping[str, Any]) -> Plan:
        """Read a plan as `as_json` writes it.

        Raises:
            WrongPlan: it has no facts, a fact without wordings, or a field that no plan knows.
        """
        facts = sent.get("facts")
        if not isinstance(facts, list | tuple):
            facts = ()
        if not facts or not all(isinstance(fact, dict) and fact.get("says") for fact in facts):
            raise WrongPlan("a plan needs facts, and each fact wordings in `says`")
        read = tuple(Fact(**_known(Fact, fact)) for fact in facts)
        return cls(**{**_known(cls, sent), "facts": read})

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def answer(plan: Plan, evidence: Sequence[str], chance: Random) -> str:
    """What the model says to this evidence; pieces are cited by their places, from 1."""
    if plan.by_prompt:
        chance = Random("\n".join(evidence))
    drawn = [_said(fact, evidence, plan, chance) for fact in plan.facts]
    said = [text for text in drawn if text]
    if not said or len(evidence) < plan.fewest:
        return worded(chance.choice(plan.missing), chance)
    if not plan.in_order:
        chance.shuffle(said)
    if plan.extras and chance.random() < plan.extra_rate:
        place = chance.randint(1, len(said))
        said.insert(place, worded(chance.choice(plan.extras), chance))
    opening = worded(chance.choice(plan.openings), chance)
    closing = worded(chance.choice(plan.closings), chance)
    return " ".join(filter(None, (opening, " ".join(said), closing)))


def worded(text: str, chance: Random) -> str:
    """The text with every choice made, the innermost first.

    >>> worded("{Porto|In Porto, everybody} has {25|25} days.", Random(3))
    'Porto has 25 days.'
    """
    while _CHOICE.search(text):
        text = _CHOICE.sub(lambda match: chance.choice(match[1].split("|")), text)
    return text


def script(plan: Plan, seed: int = 0) -> Script:
    """The plan behind the endpoint: evidence comes from the prompt, each call has its own seed."""
    calls = count()

    def planted(messages: Messages) -> str:
        if _TASK.search(all_text(messages)):
            return toy(messages)
        evidence = evidence_of(last_user_text(messages))
        return answer(plan, evidence, Random(f"{seed}:{next(calls)}"))

    return planted


def evidence_of(prompt: str) -> list[str]:
    """The pieces of a prompt, in the order of their numbers."""
    return [text.strip() for _number, text in EVIDENCE.findall(NEIGHBOUR.sub("", prompt))]


def _said(fact: Fact, evidence: Sequence[str], plan: Plan, chance: Random) -> str:
    """The fact with its citations; nothing without its evidence, or in an unsteady moment."""
    if not fact.holds(evidence):
        return ""
    if plan.unsteady and chance.random() < plan.unsteady:
        return worded(chance.choice(fact.vaguely), chance) if fact.vaguely else ""
    text = _reworded(worded(chance.choice(fact.says), chance), plan.reworded, chance)
    return text + "".join(f" [{number}]" for number in fact.cited(evidence))


def _reworded(text: str, rate: float, chance: Random) -> str:
    """With other words in the places of some ordinary ones: no names, and nothing with a digit."""
    if not rate:
        return text
    return _ORDINARY.sub(
        lambda word: chance.choice(OTHER_WORDS) if chance.random() < rate else word[0], text
    )


def _places(texts: Sequence[str], evidence: Sequence[str]) -> list[int]:
    """Where those of them stand that do."""
    found = [_place(text, evidence) for text in texts]
    return [place for place in found if place is not None]


def _place(text: str, evidence: Sequence[str]) -> int | None:
    """Where a text stands, whatever its line breaks: in a prompt it is indented."""
    wanted = _in_one_line(text)
    for place, piece in enumerate(evidence):
        if wanted in _in_one_line(piece):
            return place
    return None


@lru_cache(maxsize=4096)
def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _known(cls: type[Fact] | type[Plan], sent: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with lists as tuples, which JSON has none of."""
    unknown = set(sent) - {field.name for field in fields(cls)}
    if unknown:
        raise WrongPlan(f"unknown in a plan: {', '.join(sorted(unknown))}")
    return {name: tuple(v) if isinstance(v, list) else v for name, v in sent.items()}
