"""Entity recognition: which nodes of the organization tree a question mentions.

An ordinary word is not a mention: a name of one word needs `team` or its like beside it, a capital
where no capital has to stand, or a question about the organization that asks for it. An
abbreviation stands in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import grammar
from worker.entities.asked import OrganizationQuestion
from worker.entities.names import Name
from worker.entities.tree import EntityNode, View
from worker.entities.words import NameWord, as_written, words

# Nodes of one name: of two, both are described; more than that is an ordinary title.
MOST_MEANT = 2
_ORGANIZATION = grammar.merged().organization
_CAPITAL_NOUNS = re.compile(rf"\b{_ORGANIZATION.signs_of_capitals}\b", re.IGNORECASE)
_ALL_CAPITALS = 3  # words: a question of so many in capitals has no abbreviations
_LEADING_TO = frozenset(_ORGANIZATION.before_names)


_Rank = tuple[bool, bool, bool, bool]


@dataclass(frozen=True)
class Mention:
    """A node, and the name it was called by."""

    node: EntityNode
    name: str  # or one of its aliases


def mentions(
    question: str,
    about: OrganizationQuestion,
    view: View,
) -> list[Mention]:
    """The nodes that are mentioned and may be read, in the order of the question."""
    asked = words(question)
    finder = _MentionFinder(
        words=asked,
        about=about,
        view=view,
        capital_nouns=bool(_CAPITAL_NOUNS.search(question)),
        lowercase=_is_lowercase(asked),
    )
    found: dict[str, Mention] = {}
    start = 0
    while start < len(asked):
        length, meant = finder.at(start)
        for mention in meant:
            found.setdefault(mention.node.key, mention)
        start += length
    return list(found.values())


@dataclass(frozen=True)
class _MentionFinder:
    """Looks for names in the words of one question."""

    words: Sequence[NameWord]
    about: OrganizationQuestion
    view: View
    capital_nouns: bool  # in the language of the question
    lowercase: bool  # who asks writes no capitals

    def at(self, start: int) -> tuple[int, list[Mention]]:
        """The length in words of the name that begins here, and its nodes; (1, []) without one."""
        tree = self.view.tree
        # Names of pages count only when the question asks for places.
        names = tree.names if self.about.place else tree.file_names
        for length, named in names.at(self.words, start):
            end = start + length
            known = list(self._known(named, start, end))
            if known:
                return length, self._meant(known, start, end)
        return 1, []

    def _known(
        self,
        named: Sequence[Name],
        start: int,
        end: int,
    ) -> Iterator[Name]:
        """The names of nodes that the reader may see, where the words look like a name."""
        for name in named:
            node = self.view.tree.nodes[name.key]
            if self.view.may(node) and self._looks_like(name, start, end):
                yield name

    def _looks_like(
        self,
        name: Name,
        start: int,
        end: int,
    ) -> bool:
        written = self.words[start:end]
        if name.abbreviation:
            return _in_capitals(written) and not self._is_all_capitals
        if name.is_unmistakable or self._units_beside(start, end):
            return True
        return self._is_name(written[0], start)

    @property
    def _is_all_capitals(self) -> bool:
        if len(self.words) < _ALL_CAPITALS:
            return False
        return all(word.text.isupper() for word in self.words)

    def _is_name(self, word: NameWord, start: int) -> bool:
        """Whether one word looks like a name.

        Some languages give every noun a capital, and every one the first word of a sentence.
        """
        if word.text[0].isupper():
            return self.about.organization or not (word.first or self.capital_nouns)
        if start == 0 or not (self.lowercase and self.about.organization):
            return False
        return self.words[start - 1].text in _LEADING_TO

    def _units_beside(self, start: int, end: int) -> set[str]:
        """What the words before and behind say that it is."""
        before = self.words[max(start - 1, 0) : start]
        behind = self.words[end : end + 1]
        return {word.unit for word in (*before, *behind)} - {""}

    def _meant(
        self,
        names: Sequence[Name],
        start: int,
        end: int,
    ) -> list[Mention]:
        """Those that fit best: none when too many do."""
        units = self._units_beside(start, end)
        written = as_written(self.words[start:end])
        ranks = {name: self._rank(name, units, written) for name in names}
        best = max(ranks.values())
        meant: dict[str, Mention] = {}
        for name in names:
            if ranks[name] == best:
                node = self.view.tree.nodes[name.key]
                meant[name.key] = Mention(node, name.written)
        if len(meant) > MOST_MEANT:
            return []
        return list(meant.values())

    def _rank(
        self,
        name: Name,
        units: set[str],
        written: str,
    ) -> _Rank:
        """How well a name fits, the most important reason first.

        The file ranks before the page tree, a unit that stands beside the name before none, and
        the name as it is written before a form of it.
        """
        node = self.view.tree.nodes[name.key]
        fits = name.unit in units or _is_of_kind(node, units)
        return node.from_file, fits, name.exact == written, bool(name.exact)


def _is_lowercase(asked: Sequence[NameWord]) -> bool:
    return not any(word.text[0].isupper() for word in asked if not word.first)


def _in_capitals(written: Sequence[NameWord]) -> bool:
    return all(word.text.isupper() or word.text.isdigit() for word in written)


def _is_of_kind(node: EntityNode, units: set[str]) -> bool:
    kind = node.kind.casefold()
    return any(unit.casefold() in kind for unit in units)
