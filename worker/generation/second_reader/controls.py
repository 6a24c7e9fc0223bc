"""Controls among the claims that a model reads: one that a page says, and one that none says.

A model is believed on an answer only where it judges these rightly. Who says yes to all, or no to
all, or does not do what is asked, is found out with each answer; who guesses, three times of four.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from worker.support.statements import PageStatement

Cited = tuple[str, tuple[int, ...]]  # a text, and the places of the pieces it cites, from 1

LEAST_WORDS, MOST_CHARACTERS = 5, 240
# Where no statement has a number that could be another.
MADE_UP = "Whoever joins is given a red bicycle with 24 gears on the first day."
A_TITLE = "One of the pages is called “{}”."  # where no page has a whole sentence
_ITEM = re.compile(r"\W|\d+[.)]\s")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,4}(?![\w:/-]|[.,]\d)")


@dataclass(frozen=True)
class Controlled:
    """Claims with controls among them, in the order in which they are read."""

    texts: tuple[Cited, ...]
    own: tuple[int, ...]  # the places of the claims
    said: int  # the place of the control that a page says
    made_up: int  # of the other

    def believed(self, verdicts: Sequence[bool]) -> tuple[bool, ...] | None:
        """The verdicts on the claims; None where one on a control is wrong."""
        if not verdicts[self.said] or verdicts[self.made_up]:
            return None
        return tuple(verdicts[place] for place in self.own)


def controlled(
    claims: Sequence[Cited], statements: Sequence[PageStatement], titles: Sequence[str]
) -> Controlled | None:
    """The claims with both controls at places drawn by chance, the same ones every time.

    None where neither a sentence nor a title can be a control.
    """
    chance = random.Random("\n".join(text for text, _ in claims))
    whole = [(each.text, (each.number,)) for each in statements if _is_whole(each)]
    named = [(A_TITLE.format(each), (place,)) for place, each in enumerate(titles, 1) if each]
    if not (whole or named):
        return None
    said = chance.choice(whole or named)
    false = list(_with_another_number(whole, statements, chance)) or [(MADE_UP, said[1])]
    both = [said, chance.choice(false)]
    if not any(cited for _, cited in claims):  # or what cites would be a control
        both = [(text, ()) for text, _ in both]
    places = range(len(claims) + 2)
    first, second = chance.sample(places, 2)
    added = dict(zip((first, second), both, strict=True))
    own = tuple(place for place in places if place not in added)
    texts = {**added, **dict(zip(own, claims, strict=True))}
    return Controlled(tuple(texts[place] for place in places), own, first, second)


def _is_whole(statement: PageStatement) -> bool:
    """Whether it says something by itself, as no cell and hardly an item does."""
    text = statement.text
    is_sentence = text.endswith(".") and not statement.cells and not _ITEM.match(text)
    return is_sentence and len(text) <= MOST_CHARACTERS and len(text.split()) >= LEAST_WORDS


def _with_another_number(
    texts: Sequence[Cited], statements: Sequence[PageStatement], chance: random.Random
) -> Iterator[Cited]:
    """Each text that has a number with one in its place that stands nowhere."""
    known = {number for each in statements for number in re.findall(r"\d+", each.whole)}
    for text, places in texts:
        if found := _NUMBER.search(text):
            number = int(found[0])
            other = number + chance.randint(number // 3 + 2, 2 * number + 9)
            while str(other) in known:
                other += 1
            yield f"{text[: found.start()]}{other}{text[found.end() :]}", places
