"""The pages of an explanation as people know them: by the citations of the answer, else by title.

What was taken away is smaller than a page: several pieces stand behind one citation. Such a page is
what its most important piece is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.views.mrkdwn import one_line
from core.attribution import Effect, Explanation, Role
from core.language.sentences import Sentences

LABEL_LIMIT = 120
USED = (Role.NEEDED, Role.TOGETHER, Role.PART, Role.ENOUGH)  # the strongest first
SIGNS = {
    Role.NEEDED: "✅",
    Role.TOGETHER: "✅",
    Role.PART: "➕",
    Role.ENOUGH: "🔀",
    Role.UNUSED: "⚪",
}


@dataclass(frozen=True)
class ShownPage:
    """A page, or a section of it."""

    numbers: tuple[int, ...]  # of the answer's citations; empty: it is not cited
    label: str  # title and heading
    role: Role | None
    place: int  # of its most important piece in Explanation.effects
    has_copies: bool = False  # another page says the same

    def name(self, say: Sentences) -> str:
        """`[1] Travel policy › Hotels`."""
        text = f"{self._citations} {one_line(self.label, LABEL_LIMIT)}".lstrip()
        return say("page-with-copies", page=text) if self.has_copies else text

    @property
    def short(self) -> str:
        """`[1]`, by which the page is known under the answer."""
        return self._citations or one_line(self.label, LABEL_LIMIT)

    @property
    def _citations(self) -> str:
        return "".join(f"[{number}]" for number in self.numbers)


class ShownPages:
    """All pages of an explanation."""

    def __init__(self, explanation: Explanation) -> None:
        self._keys = _keys(explanation.effects)
        self._places = _strongest(explanation.effects, self._keys)
        numbers: dict[int, list[int]] = {}
        for key, place in self._places.items():
            numbers.setdefault(place, [])
            if isinstance(key, int):
                numbers[place].append(key)
        self._pages: dict[int, ShownPage] = {}
        for place, cited in numbers.items():
            self._pages[place] = _page(explanation.effects[place], place, sorted(cited))

    @property
    def all(self) -> list[ShownPage]:
        """Cited ones first, in the order of their citations."""
        return sorted(self._pages.values(), key=lambda page: (not page.numbers, page.numbers))

    def of(self, place: int) -> ShownPage:
        """The page of the effect in this place."""
        return self._pages[self._places[self._keys[place][0]]]

    def these(self, places: Iterable[int]) -> list[ShownPage]:
        """The pages of effects, each once, in the order of all."""
        found = set(map(self.of, places))
        return [page for page in self.all if page in found]


def _keys(effects: Sequence[Effect]) -> list[Sequence[int | str]]:
    """Of each effect its citations; else those of its section, which may be cited by a neighbour.

    By the label where nothing of the section is cited.
    """
    cited: dict[str, Sequence[int]] = {}
    for effect in effects:
        if effect.source_numbers:
            cited.setdefault(effect.label, effect.source_numbers)
    return [each.source_numbers or cited.get(each.label) or (each.label,) for each in effects]


def _strongest(
    effects: Sequence[Effect], keys: Sequence[Sequence[int | str]]
) -> dict[int | str, int]:
    """The place of the most important effect of each key."""
    found: dict[int | str, int] = {}
    for place in sorted(range(len(effects)), key=lambda each: _rank(effects[each])):
        for key in keys[place]:
            found.setdefault(key, place)
    return found


def _rank(effect: Effect) -> int:
    return USED.index(effect.role) if effect.role in USED else len(USED)


def _page(effect: Effect, place: int, numbers: Sequence[int]) -> ShownPage:
    has_copies = effect.pages > max(1, len(numbers))
    return ShownPage(tuple(numbers), effect.label, effect.role, place, has_copies=has_copies)
