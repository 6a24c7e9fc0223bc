"""What caused an answer, by pages: what it needs, what is enough, what makes it more likely."""

from __future__ import annotations

from dataclasses import dataclass

from bot.views.explained.pages import ShownPage, ShownPages
from core.attribution import Explanation, Role, SentenceCauses

Alternatives = tuple[tuple[ShownPage, ...], ...]  # any one of them is enough


@dataclass(frozen=True)
class Causes:
    """Over all sentences of the answer; a page stands in the first list that it belongs to."""

    needed: tuple[ShownPage, ...]
    together: bool  # all that is needed is needed for one and the same sentence
    enough: tuple[Alternatives, ...]
    part: tuple[ShownPage, ...]
    unexplained: bool  # whether a sentence has no cause


def causes(explanation: Explanation, pages: ShownPages) -> Causes:
    needed = set(_with_role(explanation, pages, Role.NEEDED, Role.TOGETHER))
    enough: dict[frozenset[tuple[ShownPage, ...]], Alternatives] = {}
    for sentence in explanation.sentences:
        alternatives = _alternatives(sentence, pages)
        if len(alternatives) == 1:  # several pieces of one page
            needed |= set(alternatives[0])
        elif alternatives:
            enough.setdefault(frozenset(alternatives), alternatives)
    together = [_together(sentence, pages) for sentence in explanation.sentences]
    part = _with_role(explanation, pages, Role.PART)
    return Causes(
        needed=tuple(page for page in pages.all if page in needed),
        together=len(needed) > 1 and needed in together,
        enough=tuple(enough.values()),
        part=tuple(page for page in part if page not in needed),
        unexplained=not all(sentence.causes for sentence in explanation.sentences),
    )


def _with_role(explanation: Explanation, pages: ShownPages, *roles: Role) -> list[ShownPage]:
    places = [place for place, each in enumerate(explanation.effects) if each.role in roles]
    return pages.these(places)


def _alternatives(sentence: SentenceCauses, pages: ShownPages) -> Alternatives:
    found = [tuple(pages.these(places)) for places in sentence.enough]
    return tuple(dict.fromkeys(found))


def _together(sentence: SentenceCauses, pages: ShownPages) -> set[ShownPage]:
    places = [cause.effect for cause in sentence.causes if cause.role is Role.TOGETHER]
    return set(pages.these(places))
