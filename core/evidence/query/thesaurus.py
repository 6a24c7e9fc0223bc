"""The thesaurus: what people at work say, and what their pages call the same.

Neither stemming nor meaning brings a sick note together with the page on certificates of incapacity
for work. `languages/thesaurus/*.txt` do: a concept a line, and in it the terms of each language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import snowballstemmer
from babel import Locale

from core.errors import SettingsError
from core.evidence.lexical.analyzer import STOP, terms_of, written
from core.language import FOLDER, language

LONGEST = 4  # words of a term
ALIKE = 3  # first letters that all forms of a word have in common
REMEMBERED = 1024  # questions: search, gate and excerpt ask about the same one

Phrase = frozenset[str]  # the index terms of a term, all of which have to stand where it is said
Concept = Mapping[str, tuple[str, ...]]  # its terms by language
Places = Mapping[str, Sequence[tuple[str, int]]]  # terms and their concepts, by how they begin


class FoundTerm(NamedTuple):
    """Words of a question that are a term, and what else it is called, in all languages."""

    said: tuple[str, ...]
    phrase: Phrase
    others: Mapping[str, Phrase]


@dataclass(frozen=True)
class Thesaurus:
    """Concepts, and for each language where its terms name them."""

    concepts: Sequence[Concept]
    places: Mapping[str, Places]

    def called(self, question: str) -> Iterator[FoundTerm]:
        """The terms in a question, the longest first from left to right, in its language.

        In each, where it shows none.
        """
        said = written(question)
        spoken = language(question)
        for code in self.places:
            if spoken in (None, code):
                yield from self._called(said, code)

    def _called(self, said: Sequence[str], code: str) -> Iterator[FoundTerm]:
        start = 0
        while start < len(said):
            found = self._longest(said[start : start + LONGEST], code)
            if found:
                yield found
            start += len(found.said) if found else 1

    def _longest(self, said: Sequence[str], code: str) -> FoundTerm | None:
        for end in range(len(said), 0, -1):
            term = " ".join(said[:end])
            phrase = _phrase(term)
            if phrase and (concepts := self._concepts(term.lower(), code)):
                return FoundTerm(tuple(said[:end]), phrase, _others(phrase, concepts))
        return None

    def _concepts(self, term: str, code: str) -> tuple[Concept, ...]:
        """Those that have this very term, else those that have another form of it.

        So `used` means second-hand, and not what is done with it.
        """
        spaces = term.count(" ")
        begin_alike = self.places[code].get(term[:ALIKE], ())
        near = [place for place in begin_alike if place[0].count(" ") == spaces]
        found = [number for each, number in near if each == term]
        if not found:
            stems = _stems(term, code)
            found = [number for each, number in near if _stems(each, code) == stems]
        return tuple(self.concepts[number] for number in dict.fromkeys(found))


def read(files: Iterable[Path]) -> Thesaurus:
    """A file's first line names its languages, `en = de`; each other one has their terms.

    Raises:
        SettingsError: a file names no languages, or a line has another number of columns.
    """
    concepts: list[Concept] = []
    places: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for concept in _concepts(files):
        for code, terms in concept.items():
            beginning = places.setdefault(code, defaultdict(list))
            for term in map(str.lower, terms):
                beginning[term[:ALIKE]].append((term, len(concepts)))
        concepts.append(concept)
    return Thesaurus(concepts, places)


@cache
def bundled() -> Thesaurus:
    """That of `languages/thesaurus/`: 21 MB and a fifth of a second."""
    return read(sorted((FOLDER / "thesaurus").glob("*.txt")))


@lru_cache(maxsize=REMEMBERED)
def _found(question: str) -> tuple[FoundTerm, ...]:
    return tuple(bundled().called(question))


@lru_cache(maxsize=REMEMBERED)
def said_otherwise(question: str) -> Mapping[str, tuple[Phrase, ...]]:
    """What else says the words of a question, by the index term of each word.

    A term of several words counts for all of them.

    >>> frozenset({"breakfast"}) in said_otherwise("When is brekkie?")["brekki"]
    True
    """
    found: dict[str, dict[Phrase, None]] = defaultdict(dict)
    for called in _found(question):
        for term in called.phrase:
            found[term] |= dict.fromkeys(called.others.values())
    return {term: tuple(phrases) for term, phrases in found.items() if phrases}


def in_words_of(question: str, terms: frozenset[str]) -> str:
    """The question as a text with these index terms would put it, where it calls things otherwise.

    >>> in_words_of("When is brekkie?", frozenset({"breakfast", "serv", "7"}))
    'When is breakfast?'
    """
    text = question
    for called in _found(question):
        if not called.phrase <= terms:
            others = called.others.items()
            there = next((other for other, phrase in others if phrase <= terms), None)
            if there:
                text = _replaced(text, called.said, there)
    return text


def _replaced(text: str, said: Sequence[str], other: str) -> str:
    pattern = r"[\W_]+".join(map(re.escape, said))
    return re.sub(rf"(?<!\w){pattern}(?!\w)", lambda _: other, text, count=1)


def _others(own: Phrase, concepts: Iterable[Concept]) -> Mapping[str, Phrase]:
    """The other terms of these concepts; not what is only stop words, nor what says no more."""
    found: dict[str, Phrase] = {}
    for concept in concepts:
        for terms in concept.values():
            found |= {term: _phrase(term) for term in terms if not _phrase(term) <= own}
    return found


def _concepts(files: Iterable[Path]) -> Iterator[Concept]:
    for file in files:
        numbered = enumerate(file.read_text("utf-8").splitlines(), start=1)
        lines = [(n, line) for n, line in numbered if line.strip() and not line.startswith("#")]
        if not lines:
            raise SettingsError(f"languages/thesaurus/{file.name} is empty: begin with en = de")
        (_, head), *others = lines
        codes = [code.strip() for code in head.split("=")]
        for number, line in others:
            columns = line.split("=")
            if len(columns) != len(codes):
                raise SettingsError(
                    f"languages/thesaurus/{file.name}: line {number} has {len(columns)} columns; "
                    f"write the terms of {head}"
                )
            yield dict(zip(codes, map(_terms, columns), strict=True))


def _terms(column: str) -> tuple[str, ...]:
    return tuple(term for term in map(str.strip, column.split(",")) if term)


@lru_cache(maxsize=100_000)
def _phrase(term: str) -> Phrase:
    return frozenset(terms_of(word)[0] for word in written(term) if word.lower() not in STOP)


@lru_cache(maxsize=100_000)
def _stems(term: str, code: str) -> tuple[str, ...]:
    stem = _stemmer(code)
    return tuple(map(stem, term.split(" ")))


@cache
def _stemmer(code: str) -> Callable[[str], str]:
    """Snowball's; a language that it does not know has its words as they are."""
    name = str(Locale(code).get_language_name("en")).lower()
    if name not in snowballstemmer.algorithms():
        return str
    found: Callable[[str], str] = snowballstemmer.stemmer(name).stemWord
    return found
