"""Question classification for leads: what is asked of structure, and by which words.

A word that no rule has used has to stand in the table or list that answers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from core import grammar
from core.evidence.lexical.analyzer import STOP, terms_of, written
from core.question import Completed, QuestionKind
from worker.entities.asked import asked as organization_question
from worker.typed.small_words import PASSED_OVER, turning

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.composing
_FLAGS = re.IGNORECASE


class Operation(StrEnum):
    """What is done with the rows of a table."""

    CELL = "cell"  # nothing: one of them is asked for
    WHICH = "which"
    COUNT = "count"
    TOTAL = "total"
    HIGHEST = "highest"
    LOWEST = "lowest"
    LATEST = "latest"
    EARLIEST = "earliest"
    DEAREST = "dearest"
    CHEAPEST = "cheapest"
    COMPARED = "compared"


EXTREMES = {
    Operation.HIGHEST,
    Operation.LOWEST,
    Operation.LATEST,
    Operation.EARLIEST,
    Operation.DEAREST,
    Operation.CHEAPEST,
}

# In this order: "the total number of" is a sum only of numbers, and "most expensive" no number.
_OPERATIONS = tuple(
    (operation, re.compile(rf"\b{words}(?!\w)", _FLAGS))
    for operation, words in (
        (Operation.DEAREST, _WORDS.rows.dearest),
        (Operation.CHEAPEST, _WORDS.rows.cheapest),
        (Operation.LATEST, _WORDS.rows.latest),
        (Operation.EARLIEST, _WORDS.rows.earliest),
        (Operation.TOTAL, _WORDS.rows.total),
        (Operation.COUNT, _WORDS.rows.count),
        (Operation.HIGHEST, _WORDS.rows.highest),
        (Operation.LOWEST, _WORDS.rows.lowest),
    )
)
_OPENING = re.compile(rf"^{_GRAMMAR.question.openings}+", _FLAGS)
_COMPARED = re.compile(rf"\b{_WORDS.rows.compared}(?!\w)", _FLAGS)
_COUNT = re.compile(rf"\b{_WORDS.rows.count}(?!\w)", _FLAGS)
_WHICH = re.compile(rf"^{_WORDS.which}(?!\w)", _FLAGS)
_WHO = re.compile(rf"^{_WORDS.who}(?!\w)", _FLAGS)
_UNCERTAIN = re.compile(rf"\b(?:{_WORDS.limits}|{_GRAMMAR.negation.of_filters})(?!\w)", _FLAGS)
_NEGATED = re.compile(rf"\b{_GRAMMAR.negation.words}(?!\w)|{_GRAMMAR.negation.of_verbs}", _FLAGS)
ARTICLES = frozenset((*_WORDS.definite, *_WORDS.indefinite))
_IDLE = frozenset(terms_of(word)[0] for word in _WORDS.idle)


@dataclass(frozen=True)
class TypedQuestion:
    """A question as structure can answer it."""

    text: str  # without what stands before it, and without its question mark
    operation: Operation
    noun: frozenset[str]  # terms of what is counted or looked for: `which hotel limit`
    open_terms: frozenset[str]  # terms that no rule has used
    all_terms: frozenset[str]
    # What a person is in a unit, by the term that says it: `leitet` asks for the team lead.
    roles: Mapping[str, str] = field(default_factory=dict, hash=False)
    asks_who: bool = False
    turning: frozenset[str] = frozenset()  # terms of small words that turn the sense
    written: frozenset[str] = frozenset()  # its words as they are written, without the operation's
    counted: frozenset[str] = frozenset()  # those of the noun

    @property
    def wanted(self) -> frozenset[str]:
        """What may name a column."""
        return self.open_terms | frozenset(self.roles.values())

    def is_within(self, known: Collection[str]) -> bool:
        """Whether all that was asked is among these terms."""
        if not self.turning.issubset(known):
            return False
        return all(term in known or self.roles.get(term) in known for term in self.open_terms)

    def names(self, value: str) -> bool:
        """Whether the question has all words of a cell, what stands in brackets apart.

        >>> as_typed("Who cleans line B?").names("Line B (Osprey 900)")
        True
        >>> as_typed("Who is on call on 18 May?").names("18 (27 April to 3 May)")
        False
        """
        own = without_brackets(value)
        terms = frozenset(whole_terms(own))
        if not terms or not any(map(str.isalpha, own)) or not terms <= self.all_terms:
            return False
        words = list(written(own))  # the department `US` is not us
        return any(word.lower() not in STOP for word in words) or self._has_as_written(words)

    def _has_as_written(self, words: Collection[str]) -> bool:
        _, *others = written(self.text) or [""]  # the first has a capital for another reason
        return all(word in others for word in words)


_IN_BRACKETS = re.compile(r"\([^)]*\)")


def without_brackets(value: str) -> str:
    """What a cell says by itself; what stands in brackets explains it."""
    return _IN_BRACKETS.sub(" ", value)


def typed_question(completed: Completed, text: str) -> TypedQuestion | None:
    """Of what is searched, or of the `text` that counts in it.

    None for a question that rules have completed, limits or negates something.

    What its conversation adds to a question is a guess of theirs, and no ground for certainty.
    """
    if completed.context and not completed.by:
        return None
    asked = as_typed(text, completed.kind)
    if _UNCERTAIN.search(asked.text) or _NEGATED.search(asked.text):
        return None
    return asked


def as_typed(text: str, kind: QuestionKind = QuestionKind.FACTOID) -> TypedQuestion:
    """
    >>> asked = as_typed("How many teams are in Porto?")
    >>> str(asked.operation), sorted(asked.noun), sorted(asked.open_terms)
    ('count', ['team'], ['porto', 'team'])
    """
    plain = _OPENING.sub("", " ".join(text.split())).rstrip("?!. ")
    operation, left = _operation(plain, kind)
    return TypedQuestion(
        text=plain,
        operation=operation,
        noun=frozenset(terms_of(word)[0] for word in _noun(left)),
        open_terms=frozenset(content(PASSED_OVER.sub(" ", left))) - _IDLE,
        all_terms=frozenset(whole_terms(plain)),
        roles=dict(_roles(left)),
        asks_who=bool(_WHO.search(plain)),
        turning=turning(left),
        written=frozenset(word.lower() for word in _words(left)),
        counted=frozenset(word.lower() for word in _noun(left)),
    )


def measured_terms(asked: TypedQuestion) -> frozenset[str]:
    """The term right behind the extreme, where it is said once: the `fewest people`."""
    for operation, pattern in _OPERATIONS:
        found = pattern.search(asked.text)
        if operation is asked.operation and found:
            first = frozenset(whole_terms(asked.text[found.end() :])[:1])
            said = whole_terms(asked.text)
            return frozenset(term for term in first if said.count(term) == 1)
    return frozenset()


@lru_cache(maxsize=64)
def asks_extreme(question: str) -> bool:
    """Whether it asks for the highest, lowest, latest … of something.

    >>> asks_extreme("Which team has the fewest people?"), asks_extreme("Who leads the team?")
    (True, False)
    """
    return as_typed(question).operation in EXTREMES


def content(text: str) -> list[str]:
    """The index terms of a text without stop words; identifiers are not cut, compounds are.

    >>> content("the vision-team and TERN-2238")
    ['vision', 'team', 'tern-2238']
    """
    kept = (word for word in _words(text) if word.lower() not in STOP)
    return [terms_of(word)[0] for word in kept]


def whole_terms(text: str) -> list[str]:
    """The same with stop words."""
    return [terms_of(word)[0] for word in _words(text)]


def _words(text: str) -> Iterator[str]:
    for word in written(text):
        parts = word.split("-")
        yield from parts if all(map(str.isalpha, parts)) else [word]


def without_articles(text: str, besides: Collection[str] = ()) -> str:
    """
    >>> without_articles("the onboarding page", ["page"])
    'onboarding'
    """
    words = re.findall(r"\S+", text.strip(" \"'“”„?!."))
    gone = ARTICLES.union(besides)
    return " ".join(word for word in words if word.lower() not in gone)


def role_term(role: str) -> str:
    """What somebody is in a unit, as a term that no word can be."""
    return f"role:{role}"


def _operation(text: str, kind: QuestionKind) -> tuple[Operation, str]:
    """The operation, and the text without the words that say it."""
    compared = _COMPARED.search(text)
    for operation, pattern in _OPERATIONS:
        if pattern.search(text) and not (compared and operation is Operation.COUNT):
            left = pattern.sub(" ", text)
            return operation, _COUNT.sub(" ", left)
    if compared or kind is QuestionKind.COMPARISON:
        return Operation.COMPARED, _COMPARED.sub(" ", text)
    if any(_noun(text)) and (_WHICH.search(text) or kind is QuestionKind.LIST):
        return Operation.WHICH, text  # `what is` names nothing to look for
    return Operation.CELL, text


def _noun(left: str) -> Iterator[str]:
    """The words behind `which` or `how many`, as far as they are no stop words."""
    behind = _WHICH.sub(" ", left.strip()).strip()
    for word in _words(behind):
        if word.lower() in STOP or word.lower() in ARTICLES:
            return
        yield word


def _roles(left: str) -> Iterator[tuple[str, str]]:
    for word in _words(left):
        for role in organization_question(word).roles:
            yield terms_of(word)[0], role_term(role)
