"""A small site of which every page has canaries: words in its title and body, said nowhere else."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sandbox.confluence.site.content import EVERYBODY, Content, Entry, Person

WITNESS = "sandbox:witness"
NAMES = ("Ann", "Bob", "Cem")
PEOPLE = {name: f"sandbox:{name.lower()}" for name in NAMES}
GROUPS = ("red", "blue")
SPACES = ("DOC", "OPS")
CHILDREN = '<ac:structured-macro ac:name="children" />'
SYLLABLES = tuple(a + b for a in "bdfgklmnprtvz" for b in ("a", "e", "i", "o", "u", "ai", "ou"))


@dataclass(frozen=True)
class Place:
    """Where a page stands at first, and what it shows of others."""

    space: str
    parent: str | None = None
    kind: str = "page"
    links: tuple[str, ...] = ()
    has_children: bool = False
    groups: tuple[str, ...] = ()


PLACES: Mapping[str, Place] = {
    "1": Place("DOC", links=("4", "7", "6"), has_children=True),
    "2": Place("DOC", "1", links=("9",)),
    "3": Place("DOC", "1", has_children=True),
    "4": Place("DOC", "3", groups=("red",)),
    "5": Place("DOC", "3", links=("2", "8")),
    "6": Place("DOC", kind="blogpost", links=("4", "3")),
    "7": Place("OPS", links=("2",), has_children=True),
    "8": Place("OPS", "7", groups=("blue",), has_children=True),
    "9": Place("OPS", "8", links=("5",)),
}
PAGES = tuple(PLACES)


@dataclass
class Words:
    """The nonsense of one site: what pages are about, and their canaries."""

    chance: random.Random
    topics: dict[str, str] = field(default_factory=dict)  # by page; people ask with these
    bodies: dict[str, str] = field(default_factory=dict)  # the canary of each body now
    canaries: dict[str, str] = field(default_factory=dict)  # ids of pages by every canary ever

    @classmethod
    def new(cls) -> Words:
        """The same words each time, so that one index fits the beginning of every history."""
        words = cls(random.Random(1))
        for page_id in PAGES:
            words.topics[page_id] = words._word()
            words.bodies[page_id] = words.canary(page_id)
        return words

    def copy(self) -> Words:
        chance = random.Random()
        chance.setstate(self.chance.getstate())
        return Words(chance, dict(self.topics), dict(self.bodies), dict(self.canaries))

    def title(self, page_id: str) -> str:
        """A new title."""
        return f"{self.topics[page_id].capitalize()} {self.canary(page_id)}"

    def canary(self, page_id: str) -> str:
        word = self._word()
        self.canaries[word] = page_id
        return word

    def said_in(self, text: str) -> Iterator[tuple[str, str]]:
        """The canaries in a text, each with the id of its page."""
        lowered = text.lower()
        for word, page_id in self.canaries.items():
            if word in lowered:
                yield word, page_id

    def _word(self) -> str:
        return "".join(self.chance.choice(SYLLABLES) for _ in range(4)) + "x"


def build_content(words: Words) -> Content:
    """The site at the beginning of a history."""
    entries = {
        page_id: Entry(
            page_id,
            place.space,
            words.title(page_id),
            kind=place.kind,
            parent_id=place.parent,
            groups=list(place.groups),
        )
        for page_id, place in PLACES.items()
    }
    for page_id, entry in entries.items():
        entry.body = body(page_id, words, entries)
    people = [Person(account, name, f"{name.lower()}@example.com") for name, account in _people()]
    groups = {
        "red": [PEOPLE["Ann"], PEOPLE["Bob"]],
        "blue": [PEOPLE["Bob"], PEOPLE["Cem"]],
        EVERYBODY: [person.account_id for person in people],
    }
    return Content(list(entries.values()), people, {}, groups)


def body(page_id: str, words: Words, entries: Mapping[str, Entry]) -> str:
    """The page's markup, with links under the titles that other pages have now."""
    topic, canary, place = words.topics[page_id], words.bodies[page_id], PLACES[page_id]
    parts = [
        f"<h2>Rules of {canary}</h2><p>The {topic} costs 12 EUR, and {canary} pays for it.</p>",
        *(_link(topic, entries[other]) for other in place.links if other in entries),
    ]
    return "".join(parts) + CHILDREN * place.has_children


def _people() -> Iterator[tuple[str, str]]:
    yield "Witness", WITNESS
    yield from PEOPLE.items()


def _link(topic: str, to: Entry) -> str:
    kind = "ri:blog-post" if to.kind == "blogpost" else "ri:page"
    target = f'<{kind} ri:content-title="{to.title}" ri:space-key="{to.space}" />'
    return f"<p>More about the {topic} is in <ac:link>{target}</ac:link>.</p>"
