"""Questions for a first week, made from pages by templates; some are asked where none answers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.evidence.lexical.analyzer import STOP
from core.manner import Manner
from core.models import Hit, Page
from groundwire.golden.proposing import asked_of, languages_of, rare_words
from groundwire.golden.questions import GoldenQuestion, Origin
from indexer.tuning.pieces import in_turns, open_pieces, said_once
from indexer.tuning.standalone import fault_of
from worker.bootstrap import WorkerParts

FEWEST_WORDS = 2  # of a question in telegraphic style

_WORD = re.compile(r"[^\s?.,;:!“”„\"]+")


@dataclass(frozen=True)
class PosedQuestion:
    """A question, the page that answers it, and where it is asked."""

    golden: GoldenQuestion
    page: Page
    is_answerable: bool = True  # False: only other spaces are searched
    manner: Manner = field(default_factory=Manner)


def posed(parts: WorkerParts, count: int, unanswerable: int, seed: int) -> list[PosedQuestion]:
    """So many from pages, then so many of them once more where no page answers them.

    One of each page before a second one of any. Every second one is in telegraphic style, as people
    type; none names its page, where it can be asked without. With a single space all can be
    answered.
    """
    chance = random.Random(seed)
    everywhere = list(open_pieces(parts.database))
    found = list(islice(_made(parts, everywhere, chance), count))
    spaces = sorted({piece.page.space for piece in everywhere})
    if len(spaces) == 1:
        return found
    again = chance.sample(found, min(unanswerable, len(found)))
    return [*found, *(_elsewhere(each, spaces) for each in again)]


def _made(
    parts: WorkerParts,
    everywhere: Sequence[Hit],
    chance: random.Random,
) -> Iterator[PosedQuestion]:
    is_rare, written = rare_words(parts), languages_of(everywhere)
    asked: set[str] = set()
    for piece in in_turns(said_once(everywhere), chance):
        made = list(asked_of(piece, written.get(piece.page.id, "")))
        # With a single wording it has to name its page, which makes it too easy.
        wordings, says = chance.choice(made) if made else ((), ())
        if len(wordings) < 2 or fault_of(wordings[0], is_rare) is not None:
            continue
        question = wordings[0] if len(asked) % 2 else _telegraphic(wordings[0])
        if question.casefold() not in asked:
            asked.add(question.casefold())
            golden = GoldenQuestion(
                question=question, pages=(piece.page.id,), says=says, origin=Origin.PAGE
            )
            yield PosedQuestion(golden, piece.page)


def _telegraphic(question: str) -> str:
    """Without the words that every question has.

    >>> _telegraphic("What is the limit for hotels in Porto?")
    'limit hotels porto'
    """
    words = [word.lower() for word in _WORD.findall(question)]
    telling = [word for word in words if word not in STOP]
    return " ".join(telling) if len(telling) >= FEWEST_WORDS else question


def _elsewhere(posed: PosedQuestion, spaces: Sequence[str]) -> PosedQuestion:
    """Asked where only other spaces are searched: there no page has the same text."""
    others = Manner(spaces=tuple(space for space in spaces if space != posed.page.space))
    return PosedQuestion(posed.golden, posed.page, is_answerable=False, manner=others)
