"""The rules of the grid: which pages the sentences of an answer hang on, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from core.attribution import Role
from evaluation.explanations.planted.grid_drawing import Drawing
from sandbox.llm.planted import Fact

NEEDED = frozenset({Role.NEEDED, Role.TOGETHER})
PART = frozenset({*NEEDED, Role.PART})


@dataclass(frozen=True)
class Expected:
    """What is right of a sentence: which pages, and in which roles."""

    pages: frozenset[str] = frozenset()
    roles: frozenset[Role] = NEEDED
    is_redundant: bool = False  # any one of the pages is enough


Ruled = tuple[list[Fact], list[Expected]]  # the facts, and what is right of each of their sentences
Rule = Callable[[Drawing, int], Ruled]  # of so many sentences


def _one(draw: Drawing, count: int) -> Ruled:
    said = [draw.fact() for _ in range(count)]
    text = draw.page(*said)
    return _all(said, Expected(frozenset({"p0"})), all_of=(text,))


def _together(pages: int) -> Rule:
    def planted(draw: Drawing, count: int) -> Ruled:
        said = [draw.fact() for _ in range(count)]
        texts = _halves(draw, said, pages)
        return _all(said, Expected(_ids(range(pages))), all_of=texts)

    return planted


def _either(pages: int) -> Rule:
    def planted(draw: Drawing, count: int) -> Ruled:
        said = [draw.fact() for _ in range(count)]
        texts = tuple(draw.page(*said) for _ in range(pages))
        return _all(said, Expected(_ids(range(pages)), is_redundant=True), any_of=texts)

    return planted


def _german(draw: Drawing, count: int) -> Ruled:
    """The answer is in another language than its page."""
    said = [draw.fact() for _ in range(count)]
    text = draw.page(*map(draw.in_german.__getitem__, said))
    return _all(said, Expected(frozenset({"p0"})), all_of=(text,))


def _in_both_languages(draw: Drawing, count: int) -> Ruled:
    said = [draw.fact() for _ in range(count)]
    texts = (draw.page(*said), draw.page(*map(draw.in_german.__getitem__, said)))
    return _all(said, Expected(_ids(range(2)), is_redundant=True), any_of=texts)


def _two_pairs(draw: Drawing, count: int) -> Ruled:
    facts: list[Fact] = []
    expected: list[Expected] = []
    for pair in (0, 1):
        said = [draw.fact() for _ in range(max(1, (count + 1 - pair) // 2))]
        first = len(draw.hits)
        texts = tuple(draw.page(*said) for _ in range(2))
        more = _all(said, Expected(_ids((first, first + 1)), is_redundant=True), any_of=texts)
        facts += more[0]
        expected += more[1]
    return facts, expected


def _list(draw: Drawing, count: int) -> Ruled:
    facts: list[Fact] = []
    expected: list[Expected] = []
    for number in range(max(2, count)):
        said = draw.fact()
        facts.append(Fact((said,), all_of=(draw.page(said),)))
        expected.append(Expected(_ids([number])))
    return facts, expected


def _number(draw: Drawing, count: int) -> Ruled:
    """Without its page the model says another number."""
    facts: list[Fact] = []
    said = [draw.fact(number) for number in range(1011, 1011 + count)]
    text = draw.page(*said)
    for each in said:
        other = each.replace(" 10", " 20", 1)
        facts += [Fact((each,), all_of=(text,)), Fact((other,), unless=(text,))]
    return facts, [Expected(frozenset({"p0"}))] * count


def _first_found(draw: Drawing, count: int) -> Ruled:
    """Three pages give three numbers, and the model takes the first page that it is given."""
    said = [draw.fact(number) for number in range(1011, 1011 + count)]
    versions = [[each.replace(" 10", f" {n}0", 1) for each in said] for n in (1, 2, 3)]
    texts = [draw.page(*version) for version in versions]
    facts: list[Fact] = []
    for place, version in enumerate(versions):
        before = tuple(texts[:place])
        facts += [Fact((each,), all_of=(texts[place],), unless=before) for each in version]
    return facts, [Expected(frozenset({"p0"}))] * count


def _xor(draw: Drawing, count: int) -> Ruled:
    """Said with both pages or with neither."""
    said = [draw.fact() for _ in range(count)]
    texts = _halves(draw, said, 2)
    return _all(said, Expected(_ids(range(2)), PART), all_or_none_of=texts)


def _majority(draw: Drawing, count: int) -> Ruled:
    said = [draw.fact() for _ in range(count)]
    texts = tuple(draw.page(*said) for _ in range(3))
    roles = frozenset({*PART, Role.ENOUGH})
    return _all(said, Expected(_ids(range(3)), roles), most_of=texts)


def _negation(draw: Drawing, count: int) -> Ruled:
    """Without its page the model says the opposite."""
    facts: list[Fact] = []
    said = [draw.permission() for _ in range(count)]
    text = draw.page(*said)
    for each in said:
        opposite = each.replace(" is ", " is not ", 1)
        facts += [Fact((each,), all_of=(text,)), Fact((opposite,), unless=(text,))]
    return facts, [Expected(frozenset({"p0"}))] * count


def _none(draw: Drawing, count: int) -> Ruled:
    return _all([draw.fact() for _ in range(count)], Expected())


def _history(draw: Drawing, count: int) -> Ruled:
    """The model knows it by itself, and pages say it too."""
    said = [draw.fact() for _ in range(count)]
    draw.page(*said)
    draw.page(*said)
    return _all(said, Expected())


def _hallucinated(draw: Drawing, count: int) -> Ruled:
    """Other numbers each time."""
    facts: list[Fact] = []
    for _ in range(count):
        said = draw.fact(1011)
        facts.append(Fact(tuple(said.replace("1011", str(n)) for n in range(1011, 1031))))
    return facts, [Expected()] * count


RULES: dict[str, Rule] = {
    "one": _one,
    "one, in German": _german,
    "A and B": _together(2),
    "A or B": _either(2),
    "A or B, in German": _in_both_languages,
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


def _all(said: list[str], expected: Expected, **condition: Any) -> Ruled:
    facts = [Fact((each,), **condition) for each in said]
    return facts, [expected] * len(said)


def _halves(draw: Drawing, said: list[str], pages: int) -> tuple[str, ...]:
    """Pages each with a part of the words of every sentence."""
    texts: list[str] = []
    for page in range(pages):
        parts = [" ".join(each.split()[1:][page::pages]) for each in said]
        texts.append(draw.page(*parts))
    return tuple(texts)


def _ids(numbers: Iterable[int]) -> frozenset[str]:
    return frozenset(f"p{number}" for number in numbers)
