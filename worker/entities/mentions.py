"""Which nodes of the tree a question mentions.

An ordinary word is not a mention: a name of one word needs `team` or its like beside it, a capital where no capital has to stand, or
a question about the organization that asks for it. An abbreviation stands in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from worker.entities.asked import OrganizationQuestion
from worker.entities.names import Name
from worker.entities.tree import EntityNode, View
from worker.entities.words import NameWord, folded, words

MOST_MEANT = (
    2  # nodes of one name: both are told, with their places; more than that is an ordinary title
)
_GERMAN = re.compile(
    r"\b(?:der|die|das|den|dem|des|ein|eine|ist|sind|wie|was|wer|wo|wann|welche\w*|ich|wir|zu|und|im|vom|zum|zur|von)\b",
    re.IGNORECASE,
)
_SHOUTED = 3  # words, all of them in capitals: no abbreviations
_LEADING_TO = frozenset(
    """of under in to for does do is are leads lead heads manages with within below beneath
    von unter zu im vom zum zur leitet leiten für in gehört gehören aus bei""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Mention:
    """A node, and the name it was called by."""

    node: EntityNode
    name: str  # or one of its aliases


def mentions(question: str, about: OrganizationQuestion, view: View) -> list[Mention]:
    """The nodes that the question mentions and the reader may know of, in the order of the question."""
    said = words(question)
    looking = _Looking(
        said, about, view, german=bool(_GERMAN.search(question)), lowercase=_has_no_names(said)
    )
    found: dict[str, Mention] = {}
    at = 0
    while at < len(said):
        length, meant = looking.at(at)
        for mention in meant:
            found.setdefault(mention.node.key, mention)
        at += length
    return list(found.values())


@dataclass(frozen=True)
class _Looking:
    """One question while names are looked for in it."""

    said: Sequence[NameWord]
    about: OrganizationQuestion
    view: View
    german: bool
    lowercase: bool  # whoever asks writes no capitals

    def at(self, start: int) -> tuple[int, list[Mention]]:
        """How many words the name has that stands here, and whom it names; (1, []) where none stands."""
        tree = self.view.tree
        names = (
            tree.names if self.about.place else tree.file_names
        )  # of pages alone only when the question asks for places
        for length, named in names.at(self.said, start):
            end = start + length
            known = [
                name
                for name in named
                if self.view.may(tree.nodes[name.key]) and self._looks_like(name, start, end)
            ]
            if known:
                return length, self._meant(known, start, end)
        return 1, []

    def _looks_like(self, name: Name, start: int, end: int) -> bool:
        written = self.said[start:end]
        if name.abbreviation:
            return (
                all(word.text.isupper() or word.text.isdigit() for word in written)
                and not self._is_shouted
            )
        return (
            name.is_unmistakable
            or bool(self._units_beside(start, end))
            or self._is_name(written[0], start)
        )

    @property
    def _is_shouted(self) -> bool:
        return len(self.said) >= _SHOUTED and all(word.text.isupper() for word in self.said)

    def _is_name(self, word: NameWord, start: int) -> bool:
        """Whether one word looks like a name: German gives every noun a capital, and a sentence its first word."""
        if word.text[0].isupper():
            return self.about.organization or not (word.first or self.german)
        return (
            self.lowercase
            and self.about.organization
            and start > 0
            and self.said[start - 1].text in _LEADING_TO
        )

    def _units_beside(self, start: int, end: int) -> set[str]:
        """What the words before and behind say that it is."""
        return {
            word.unit
            for word in (*self.said[max(start - 1, 0) : start], *self.said[end : end + 1])
            if word.unit
        }

    def _meant(self, names: Sequence[Name], start: int, end: int) -> list[Mention]:
        """Those that fit best: none when too many do."""
        units, written = (
            self._units_beside(start, end),
            " ".join(folded(word.text) for word in self.said[start:end]),
        )
        ranks = {name: self._rank(name, units, written) for name in names}
        best = max(ranks.values())
        meant = {
            name.key: Mention(self.view.tree.nodes[name.key], name.written)
            for name in names
            if ranks[name] == best
        }
        return list(meant.values()) if len(meant) <= MOST_MEANT else []

    def _rank(self, name: Name, units: set[str], written: str) -> tuple[bool, bool, bool, bool]:
        """The file knows better than the page tree, a word such as `team` than none, the name as written than a form of it."""
        node = self.view.tree.nodes[name.key]
        fits = bool(units) and (
            name.unit in units
            or any(unit in node.kind.casefold() for unit in map(str.casefold, units))
        )
        return node.from_file, fits, name.exact == written, bool(name.exact)


def _has_no_names(said: Sequence[NameWord]) -> bool:
    return not any(word.text[0].isupper() for word in said if not word.first)
