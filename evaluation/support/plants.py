"""Plants errors into right sentences by rules of its own: it knows nothing of what the check reads.

Each plant returns the sentences that it makes wrong, or none where it finds nothing to change.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluation.support.replacements import (
    ADDED,
    DAYS,
    MONTHS,
    NEGATIONS,
    QUANTIFIERS,
    SPELLED,
    UNITS,
)

Draw = random.Random
Plant = Callable[[str, str, Draw], str]  # sentence, text of its page: another sentence, or empty

_DIGITS = re.compile(r"(?<![\w.:/#-])(\d{1,3}(?:[.,]\d{3})+|\d+)(?![\w:/]|[.,]\d|-\d)")
_DENIAL = re.compile(
    r"\b(?:not|no|none|nobody|never|nicht|kein\w*|nie\w*|un\w{5,})\b|n['’]t", re.IGNORECASE
)
_NAME = re.compile(r"\b([A-ZÄÖÜ][a-zäöüßøæ]+ [A-ZÄÖÜ][a-zäöüßøæ]+)\b")
PEOPLE = ("Ada Winter", "Bruno Keller", "Carla Jensen", "Milan Novak", "Greta Sommer")
_IDENTIFIER = re.compile(r"(?<![\w.])[A-Za-z]*[A-Z0-9#][\w.-]*\d[\w.-]*(?<![.])")


def number(sentence: str, page: str, draw: Draw) -> str:
    """Another number, that the page has nowhere."""

    def other(value: int) -> int:
        wrong = [value + step for step in (1, 2, 3, 5, 7, 10, 15, -1) if value + step > 1]
        free = [each for each in wrong if not re.search(rf"(?<!\d){each}(?!\d)", page)]
        return draw.choice(free or [value * 3 + 1])

    return _with_other_number(sentence, draw, other)


def number_of_the_page(sentence: str, page: str, draw: Draw) -> str:
    """A number that the page has elsewhere."""
    known = {int(found) for found in re.findall(r"(?<![\w.:-])\d{1,4}(?![\w.:,-])", page)}
    known = {each for each in known if f"{each}" not in sentence and each > 1}

    def other(value: int) -> int:
        near = sorted(known - {value}, key=lambda each: abs(each - value))[:3]
        return draw.choice(near) if near else value

    return _with_other_number(sentence, draw, other)


def _with_other_number(sentence: str, draw: Draw, other: Callable[[int], int]) -> str:
    digits = _DIGITS.finditer(sentence)
    places = [(*found.span(), int(re.sub(r"\D", "", found[0]))) for found in digits]
    values = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14)
    for names in SPELLED:
        for name, value in zip(names.split(), values, strict=True):
            places += [(*f.span(), value) for f in re.finditer(rf"\b{name}\b", sentence)]
    if not places:
        return ""
    start, end, value = draw.choice(places)
    wrong = other(value)
    return "" if wrong == value else f"{sentence[:start]}{wrong}{sentence[end:]}"


def unit(sentence: str, _page: str, draw: Draw) -> str:
    """Another unit behind a number."""
    options: list[str] = []
    for line in UNITS:
        names = line.split()
        for place, name in enumerate(names):
            wrong = names[(place + 1) % len(names)]
            pattern = rf"(?<=[\d\w] ){re.escape(name)}(?!\w)|(?<=\d){re.escape(name)}(?!\w)"
            changed = re.sub(pattern, wrong, sentence, count=1)
            if changed != sentence and _is_behind_a_number(sentence, name):
                options.append(changed)
    return draw.choice(options) if options else ""


def _is_behind_a_number(sentence: str, name: str) -> bool:
    numbers = "|".join([r"\d", *SPELLED[0].split(), *SPELLED[1].split()])
    pattern = rf"(?:{numbers})(?: working)? ?{re.escape(name)}(?!\w)"
    return re.search(pattern, sentence) is not None


def date(sentence: str, _page: str, draw: Draw) -> str:
    """Another day, month or day of the week."""
    options: list[str] = []
    for names in (*MONTHS, *DAYS):
        listed = names.split()
        for place, name in enumerate(listed):
            wrong = listed[(place + draw.choice((1, 2, 3))) % len(listed)]
            changed = re.sub(rf"\b{name}(?=s?\b)", wrong, sentence)
            options += [changed] if changed != sentence else []
    for found in re.finditer(
        r"\b(\d{1,2})(\.\d{1,2}\.|\. ?[A-ZJ][a-zä]+| [A-Z][a-z]{2,})", sentence
    ):
        wrong = str((int(found[1]) + 3) % 28 + 1)
        options.append(sentence[: found.start(1)] + wrong + sentence[found.end(1) :])
    dated = [each for each in options if re.search(r"\d|day|tag", sentence)]
    return draw.choice(dated) if dated else ""


def name(sentence: str, page: str, draw: Draw) -> str:
    """Another person, of the same page where it names one."""
    people = [each for each in _NAME.findall(page) if each not in sentence]
    inside = [each for each in _NAME.findall(sentence) if _NAME.search(page) and each in page]
    inside = [each for each in inside if each.split()[0] not in _NO_PEOPLE]
    if not inside:
        return ""
    others = [each for each in people if each.split()[0] in _FIRST_NAMES] or list(PEOPLE)
    return sentence.replace(draw.choice(inside), draw.choice([*others, draw.choice(PEOPLE)]))


_FIRST_NAMES = frozenset(
    [
        "Sofie",
        "Jonas",
        "Yusuf",
        "Tobias",
        "Daniel",
        "Nora",
        "Lena",
        "Katrin",
        "Rui",
        "Mara",
        "Priya",
        "Emil",
        "Ines",
        "Holger",
        "Urs",
        "Mirjam",
        "Evelyn",
        "Astrid",
        "Hanne",
    ]
)
_NO_PEOPLE = frozenset({"Site", "Field", "Lane", "Feldspar", "Team", "Die", "Der", "Das"})


def identifier(sentence: str, page: str, draw: Draw) -> str:
    """Another code or version: of the page, or with another digit."""
    inside = [each for each in _IDENTIFIER.findall(sentence) if _is_code(each) and each in page]
    if not inside:
        return ""
    right = draw.choice(inside)
    others = [each for each in set(_IDENTIFIER.findall(page)) if _is_code(each) and each != right]
    same = sorted(each for each in others if each not in sentence and each[0] == right[0])
    digits = [place for place, sign in enumerate(right) if sign.isdigit()]
    place = draw.choice(digits)
    changed = f"{right[:place]}{(int(right[place]) + 3) % 10}{right[place + 1 :]}"
    return sentence.replace(right, draw.choice([changed, *same[:1]]))


def _is_code(text: str) -> bool:
    return bool(re.search(r"[A-Za-z]", text)) or text.count(".") > 1


def dropped_negation(sentence: str, _page: str, draw: Draw) -> str:
    return _replaced(sentence, NEGATIONS, draw)


def added_negation(sentence: str, _page: str, draw: Draw) -> str:
    if re.search(
        r"\b(?:not|no|none|nobody|never|nicht|kein\w*|nie\w*|un\w{5,})\b|n['’]t", sentence, re.I
    ):
        return ""
    return _replaced(sentence, ADDED, draw)


def quantifier(sentence: str, _page: str, draw: Draw) -> str:
    """All for some, at least for at most, before for after."""
    pairs = [(rf"\b{right}\b", wrong) for right, wrong in QUANTIFIERS]
    return _replaced(sentence, pairs, draw)


def _replaced(sentence: str, pairs: Sequence[tuple[str, str]], draw: Draw) -> str:
    options: list[str] = []
    for pattern, wrong in pairs:
        changed = re.sub(pattern, wrong, sentence, count=1)
        options += [changed] if changed != sentence else []
    return draw.choice(options) if options else ""


PLANTS: Mapping[str, Plant] = {
    "number": number,
    "number of the page": number_of_the_page,
    "unit": unit,
    "date": date,
    "name": name,
    "identifier": identifier,
    "dropped negation": dropped_negation,
    "added negation": added_negation,
    "quantifier": quantifier,
}


def planted(sentence: str, page: str, draw: Draw) -> Iterator[tuple[str, str]]:
    """Each kind of error that fits, with the wrong sentence."""
    for kind, plant in PLANTS.items():
        wrong = plant(sentence, page, draw)
        if wrong and wrong != sentence:
            yield kind, wrong
