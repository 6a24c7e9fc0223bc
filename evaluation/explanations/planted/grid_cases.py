"""The grid's cases: invented facts in invented pieces, said by known rules.

Each case draws its facts, its other pieces and their places by a seed. Of the sentences of an
answer some follow the rule of the case; the model knows the others by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from core.attribution import Role
from core.models import Evidence, Hit, Kind, Page
from sandbox.llm.planted import Fact, Plan

NEEDED = frozenset({Role.NEEDED, Role.TOGETHER})
PART = frozenset({*NEEDED, Role.PART})
DROPPED = 0.1  # of the sentences, for no reason

SUBJECTS = [
    "pump",
    "valve",
    "ladder",
    "crane",
    "harbour",
    "badge",
    "invoice",
    "printer",
    "shuttle",
    "canteen",
    "mooring",
    "antenna",
    "turbine",
    "warehouse",
    "scanner",
    "locker",
    "voucher",
    "contract",
    "manual",
    "sensor",
    "battery",
    "forklift",
    "depot",
    "gate",
    "survey",
    "permit",
    "ticket",
    "roster",
    "budget",
    "library",
    "garden",
    "fence",
    "tunnel",
    "bridge",
    "engine",
    "trailer",
    "pallet",
    "helmet",
    "charter",
    "ledger",
    "beacon",
]
VERBS = [
    "costs",
    "lasts",
    "carries",
    "needs",
    "serves",
    "measures",
    "weighs",
    "contains",
    "covers",
    "allows",
]
UNITS = [
    "EUR",
    "days",
    "hours",
    "litres",
    "metres",
    "tonnes",
    "visitors",
    "seats",
    "boxes",
    "cables",
]
TAILS = [
    "during summer evenings",
    "before winter storms",
    "under heavy load",
    "after every inspection",
    "without written approval",
    "behind northern walls",
    "between public holidays",
    "beside older docks",
    "through quiet weekends",
    "against rising demand",
    "among trained crews",
    "near frozen channels",
    "despite narrow entrances",
    "within wooden frames",
    "above painted lines",
    "below steel roofs",
]
PLACES = [
    "Aldby",
    "Brenholt",
    "Corvik",
    "Dunmere",
    "Elstad",
    "Farnau",
    "Gorling",
    "Hestvik",
    "Ibsund",
    "Jorland",
    "Kelby",
    "Lomvik",
    "Marstal",
    "Norby",
    "Ostrau",
    "Pellin",
    "Quarne",
    "Ravnes",
    "Solvang",
    "Torbek",
    "Ulmen",
    "Varby",
    "Westrup",
    "Ystad",
    "Zellin",
]


@dataclass(frozen=True)
class Expected:
    """What is right of a sentence: which pages, and in which roles."""

    pages: frozenset[str] = frozenset()
    roles: frozenset[Role] = NEEDED
    is_redundant: bool = False  # any one of the pages is enough


@dataclass(frozen=True)
class Setting:
    """A place on the grid."""

    case: str
    clusters: int = 10
    sentences: int = 3
    reworded: float = 0.02
    is_fixed: bool = False  # equal prompts bring equal answers


@dataclass(frozen=True)
class GridCase:
    """An answer that is to be explained, and the truth, a value for each of its sentences."""

    question: str
    hits: tuple[Hit, ...]
    plan: Plan
    expected: tuple[Expected, ...]


class _Drawing:
    """Draws facts and pieces that have no more than ordinary words in common."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.hits: list[Hit] = []
        self._subjects = chance.sample(SUBJECTS, len(SUBJECTS))

    def fact(self, number: int | None = None) -> str:
        """A sentence with a number and a name."""
        chance = self.chance
        amount = number or chance.randint(11, 989)
        subject, place = self._subjects.pop(), chance.choice(PLACES)
        verb, unit, tail = chance.choice(VERBS), chance.choice(UNITS), chance.choice(TAILS)
        return f"The {subject} of {place} {verb} {amount} {unit} {tail}."

    def piece(self, *said: str) -> str:
        """A page that says this; its text."""
        number = len(self.hits)
        place, tail = self.chance.choice(PLACES), self.chance.choice(TAILS)
        frame = f"Office note {self.chance.randint(1000, 9999)} from {place}, {tail}."
        text = " ".join([frame, *said])
        page = Page(
            id=f"p{number}",
            space="GRID",
            title=f"Note {number}",
            url=f"https://wiki.example/p{number}",
            updated_at="2026-04-01",
        )
        evidence = Evidence(id=f"p{number}", page_id=f"p{number}", kind=Kind.PASSAGE, text=text)
        self.hits.append(Hit(evidence=evidence, page=page, score=1.0))
        return text

    def others(self, count: int) -> None:
        for _ in range(count):
            subject, place = self.chance.choice(SUBJECTS), self.chance.choice(PLACES)
            tail = self.chance.choice(TAILS)
            self.piece(
                f"A {subject} near {place} was painted {tail} in {self.chance.randint(1950, 2020)}."
            )


Ruled = tuple[list[Fact], list[Expected]]  # the facts, and what is right of each of their sentences
Rule = Callable[[_Drawing, int], Ruled]


def _one(draw: _Drawing, count: int) -> Ruled:
    said = [draw.fact() for _ in range(count)]
    text = draw.piece(*said)
    return _all(said, Expected(frozenset({"p0"})), all_of=(text,))


def _together(pages: int) -> Rule:
    def planted(draw: _Drawing, count: int) -> Ruled:
        said = [draw.fact() for _ in range(count)]
        texts = _halves(draw, said, pages)
        return _all(said, Expected(_ids(range(pages))), all_of=texts)

    return planted


def _either(pages: int) -> Rule:
    def planted(draw: _Drawing, count: int) -> Ruled:
        said = [draw.fact() for _ in range(count)]
        texts = tuple(draw.piece(*said) for _ in range(pages))
        return _all(said, Expected(_ids(range(pages)), is_redundant=True), any_of=texts)

    return planted


def _two_pairs(draw: _Drawing, count: int) -> Ruled:
    facts: list[Fact] = []
    expected: list[Expected] = []
    for pair in (0, 1):
        said = [draw.fact() for _ in range(max(1, (count + 1 - pair) // 2))]
        first = len(draw.hits)
        texts = tuple(draw.piece(*said) for _ in range(2))
        more = _all(said, Expected(_ids((first, first + 1)), is_redundant=True), any_of=texts)
        facts += more[0]
        expected += more[1]
    return facts, expected


def _list(draw: _Drawing, count: int) -> Ruled:
    facts: list[Fact] = []
    expected: list[Expected] = []
    for number in range(max(2, count)):
        said = draw.fact()
        facts.append(Fact((said,), all_of=(draw.piece(said),)))
        expected.append(Expected(_ids([number])))
    return facts, expected


def _number(draw: _Drawing, count: int) -> Ruled:
    """Without its page the model says another number."""
    facts: list[Fact] = []
    said = [draw.fact(number) for number in range(1011, 1011 + count)]
    text = draw.piece(*said)
    for each in said:
        other = each.replace(" 10", " 20", 1)
        facts += [Fact((each,), all_of=(text,)), Fact((other,), unless=(text,))]
    return facts, [Expected(frozenset({"p0"}))] * count


def _first_found(draw: _Drawing, count: int) -> Ruled:
    """Three pages give three numbers, and the model takes the first page that it is given."""
    said = [draw.fact(number) for number in range(1011, 1011 + count)]
    versions = [[each.replace(" 10", f" {n}0", 1) for each in said] for n in (1, 2, 3)]
    texts = [draw.piece(*version) for version in versions]
    facts: list[Fact] = []
    for place, version in enumerate(versions):
        before = tuple(texts[:place])
        facts += [Fact((each,), all_of=(texts[place],), unless=before) for each in version]
    return facts, [Expected(frozenset({"p0"}))] * count


def _xor(draw: _Drawing, count: int) -> Ruled:
    """Said with both pages or with neither."""
    said = [draw.fact() for _ in range(count)]
    texts = _halves(draw, said, 2)
    return _all(said, Expected(_ids(range(2)), PART), all_or_none_of=texts)


def _majority(draw: _Drawing, count: int) -> Ruled:
    said = [draw.fact() for _ in range(count)]
    texts = tuple(draw.piece(*said) for _ in range(3))
    roles = frozenset({*PART, Role.ENOUGH})
    return _all(said, Expected(_ids(range(3)), roles), most_of=texts)


def _negation(draw: _Drawing, count: int) -> Ruled:
    """Without its page the model says the opposite."""
    facts: list[Fact] = []
    said = [_permission(draw) for _ in range(count)]
    text = draw.piece(*said)
    for each in said:
        opposite = each.replace(" is ", " is not ", 1)
        facts += [Fact((each,), all_of=(text,)), Fact((opposite,), unless=(text,))]
    return facts, [Expected(frozenset({"p0"}))] * count


def _permission(draw: _Drawing) -> str:
    subject, place, tail = (
        draw.fact().split()[1],
        draw.chance.choice(PLACES),
        draw.chance.choice(TAILS),
    )
    return f"The {subject} of {place} is open to visitors {tail}."


def _none(draw: _Drawing, count: int) -> Ruled:
    return _all([draw.fact() for _ in range(count)], Expected())


def _history(draw: _Drawing, count: int) -> Ruled:
    """The model knows it by itself, and pages say it too."""
    said = [draw.fact() for _ in range(count)]
    draw.piece(*said)
    draw.piece(*said)
    return _all(said, Expected())


def _hallucinated(draw: _Drawing, count: int) -> Ruled:
    """Other numbers each time."""
    facts: list[Fact] = []
    for _ in range(count):
        said = draw.fact(1011)
        facts.append(Fact(tuple(said.replace("1011", str(n)) for n in range(1011, 1031))))
    return facts, [Expected()] * count


RULES: dict[str, Rule] = {
    "one": _one,
    "A and B": _together(2),
    "A or B": _either(2),
    "three-way or": _either(3),
    "4-way": _either(4),
    "5-way": _either(5),
    "two OR pairs": _two_pairs,
    "three together": _together(3),
    "list": _list,
    "number only": _number,
    "first found": _first_found,
    "XOR": _xor,
    "majority": _majority,
    "negation flips": _negation,
    "one, dropped": _one,
    "A or B, dropped": _either(2),
    "three-way, dropped": _either(3),
}
NULL_RULES: dict[str, Rule] = {
    "nothing used": _none,
    "history only": _history,
    "hallucinator": _hallucinated,
    "refuses under 3": _none,
}


def grid_case(setting: Setting, number: int, seed: int = 0) -> GridCase:
    """The case of this number at a place of the grid."""
    chance = Random(f"{seed}:{setting}:{number}")
    draw = _Drawing(chance)
    rules = RULES | NULL_RULES
    count = chance.randint(1, setting.sentences)
    facts, expected = rules[setting.case](draw, _ruled(setting, count))
    known = max(setting.sentences - len(expected), 0)
    more, of_more = _none(draw, known)
    draw.others(max(setting.clusters - len(draw.hits), 0))
    plan = Plan(
        facts=(*facts, *more),
        in_order=True,
        reworded=setting.reworded,
        by_prompt=setting.is_fixed,
        unsteady=DROPPED if "dropped" in setting.case else 0.0,
        fewest=3 if setting.case == "refuses under 3" else 0,
    )
    hits = draw.hits
    if setting.case != "first found":
        chance.shuffle(hits)
    return GridCase("What applies?", tuple(hits), plan, (*expected, *of_more))


def _ruled(setting: Setting, drawn: int) -> int:
    """How many sentences follow the rule; a list has a page for each."""
    if setting.case == "list":
        return min(setting.sentences, setting.clusters - 1)
    return drawn


def _all(said: list[str], expected: Expected, **condition: tuple[str, ...]) -> Ruled:
    facts = [Fact((each,), **condition) for each in said]
    return facts, [expected] * len(said)


def _halves(draw: _Drawing, said: list[str], pages: int) -> tuple[str, ...]:
    """Pages each with a part of the words of every sentence."""
    texts: list[str] = []
    for page in range(pages):
        parts = [" ".join(each.split()[1:][page::pages]) for each in said]
        texts.append(draw.piece(*parts))
    return tuple(texts)


def _ids(numbers: object) -> frozenset[str]:
    return frozenset(f"p{number}" for number in numbers)  # type: ignore[attr-defined]
