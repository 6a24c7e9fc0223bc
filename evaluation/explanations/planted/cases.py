"""Scenarios with known causes: planted evidence, the scripted answer, the right explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from core.models import Hit
from evaluation.answers.haystack import haystack
from evaluation.explanations.planted.stories import Story, longs, stories
from sandbox.llm.planted import Fact, Plan

FEWEST, MOST = 4, 12  # clusters
UNSTEADY = 0.15

Ids = frozenset[str]


@dataclass(frozen=True)
class Case:
    """An answer that is to be explained, and the truth."""

    scenario: str
    number: int
    question: str
    hits: tuple[Hit, ...]
    plan: Plan
    causes: tuple[Ids, ...] = ()  # each is to be found; in one of them are the copies of one text
    redundant: Ids = field(default_factory=frozenset)  # pieces either of which is enough

    @property
    def planted(self) -> Ids:
        return self.redundant.union(*self.causes)

    @property
    def is_null(self) -> bool:
        """Whether no evidence can matter."""
        return not self.planted


@dataclass(frozen=True)
class _Planted:
    """What a scenario puts among the other pieces."""

    question: str
    plan: Plan
    hits: tuple[Hit, ...]
    clusters: int  # that these make
    causes: tuple[Ids, ...] = ()
    redundant: Ids = field(default_factory=frozenset)


def case(scenario: str, number: int, seed: int = 0, *, clusters: int | None = None) -> Case:
    """The case of this number: it draws the story, the other pieces, their places and their count.

    `clusters` gives the count instead.
    """
    chance = Random(f"{seed}:{scenario}:{number}")
    planted = SCENARIOS[scenario](number, chance)
    others = max((clusters or chance.randint(FEWEST, MOST)) - planted.clusters, 1)
    hits = [*planted.hits, *_others(others, chance)]
    chance.shuffle(hits)
    return Case(
        scenario=scenario,
        number=number,
        question=planted.question,
        hits=tuple(hits),
        plan=planted.plan,
        causes=planted.causes,
        redundant=planted.redundant,
    )


def _others(count: int, chance: Random) -> list[Hit]:
    """Pieces of the sample company, of different pages, so that each is a cluster of its own."""
    pages = chance.sample(sorted(_by_page()), count)
    return [chance.choice(_by_page()[page]) for page in pages]


@cache
def _by_page() -> dict[str, list[Hit]]:
    found: dict[str, list[Hit]] = {}
    for hit in haystack():
        found.setdefault(hit.page.id, []).append(hit)
    return found


def _single(number: int, chance: Random) -> _Planted:
    """One piece answers."""
    return _one(_story(number), ())


def _decoys(number: int, chance: Random) -> _Planted:
    """One piece answers, and others share its words."""
    story = _story(number)
    return _one(story, story.decoys)


def _unsteady(number: int, chance: Random) -> _Planted:
    """As with decoys, but now and then the model leaves the fact out, or says it vaguely."""
    planted = _decoys(number, chance)
    return replace(planted, plan=replace(planted.plan, unsteady=UNSTEADY))


def _duplicates(number: int, chance: Random) -> _Planted:
    """One text three times, once as a near duplicate; others share words."""
    story = _story(number)
    copies = (story.cause, *story.copies)
    plan = _says(story, Fact(story.says, any_of=_texts(copies), vaguely=story.vaguely))
    hits = (*copies, *story.decoys)
    return _Planted(story.question, plan, hits, 1 + len(story.decoys), causes=(_ids(copies),))


def _pair(number: int, chance: Random) -> _Planted:
    """Two pieces answer only together, and a third one is built like one of them."""
    story = _story(number)
    plan = _says(story, Fact(story.half_says, all_of=_texts(story.halves)))
    causes = tuple(_ids([half]) for half in story.halves)
    return _Planted(story.half_question, plan, (*story.halves, story.half_decoy), 3, causes=causes)


def _either(number: int, chance: Random) -> _Planted:
    """Two pieces answer in different words, and one of them is enough; others share words."""
    story = _story(number)
    both = (story.cause, story.other)
    texts = tuple(chance.sample(_texts(both), 2))
    plan = _says(story, Fact(story.says, any_of=texts, vaguely=story.vaguely))
    hits = (*both, *story.decoys)
    return _Planted(story.question, plan, hits, len(hits), redundant=_ids(both))


def _sentences(number: int, chance: Random) -> _Planted:
    """An answer of several sentences, each from a piece of its own; others share words."""
    long = longs()[number % len(longs())]
    facts = tuple(Fact(says, any_of=_texts([hit])) for hit, says in long.parts)
    plan = replace(long.manner, facts=facts)
    parts = [hit for hit, _says in long.parts]
    hits = (*parts, *long.decoys)
    causes = tuple(_ids([part]) for part in parts)
    return _Planted(long.question, plan, hits, len(hits), causes=causes)


def _figure(number: int, chance: Random) -> _Planted:
    """Without its cause the answer comes from an older piece, and only a figure changes."""
    story = _story(number)
    cause, older = _texts([story.cause]), _texts([story.older])
    now = Fact(story.figure.now, any_of=cause)
    before = Fact(story.figure.before, any_of=older, unless=cause)
    plan = _says(story, now, before)
    hits = (story.cause, story.older, *story.decoys)
    causes = (_ids([story.cause]),)
    return _Planted(story.figure.question, plan, hits, len(hits), causes=causes)


def _none(number: int, chance: Random) -> _Planted:
    """The model knows the answer by itself; in half of the cases the evidence says it too."""
    story = _story(number)
    hits = story.decoys
    if chance.random() < 0.5:
        hits = (*hits, story.cause)
    plan = _says(story, Fact(story.says, vaguely=story.vaguely))
    return _Planted(story.question, plan, hits, len(hits))


def _none_unsteady(number: int, chance: Random) -> _Planted:
    """The same with a model that sometimes forgets what it knows."""
    planted = _none(number, chance)
    return replace(planted, plan=replace(planted.plan, unsteady=UNSTEADY))


SCENARIOS: dict[str, Callable[[int, Random], _Planted]] = {
    "single cause": _single,
    "decoys": _decoys,
    "unsteady": _unsteady,
    "duplicates": _duplicates,
    "pair needed": _pair,
    "either enough": _either,
    "several sentences": _sentences,
    "figure only": _figure,
    "none used": _none,
    "none used, unsteady": _none_unsteady,
}
NULLS = ("none used", "none used, unsteady")
CAUSES = tuple(name for name in SCENARIOS if name not in NULLS)


def _one(story: Story, others: Sequence[Hit]) -> _Planted:
    plan = _says(story, Fact(story.says, any_of=_texts([story.cause]), vaguely=story.vaguely))
    hits = (story.cause, *others)
    return _Planted(story.question, plan, hits, len(hits), causes=(_ids([story.cause]),))


def _story(number: int) -> Story:
    return stories()[number % len(stories())]


def _says(story: Story, *facts: Fact) -> Plan:
    return replace(story.manner, facts=facts)


def _texts(hits: Sequence[Hit]) -> tuple[str, ...]:
    return tuple(hit.evidence.text for hit in hits)


def _ids(hits: Sequence[Hit]) -> Ids:
    return frozenset(hit.evidence.id for hit in hits)
