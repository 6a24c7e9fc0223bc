"""Polarity of a claim: whether the pages deny what it affirms, or affirm what it denies.

A claim is compared with the clauses nearest to it, all without their negations, which would make
any two denials look alike. Words that say no without a negation, such as "unless", leave open what
is denied: nothing is concluded from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core import grammar
from worker.support.claims import resumes
from worker.support.nearness import NearClause
from worker.support.statements import PageStatement
from worker.support.words import content

_WORDS = grammar.merged().support
NEGATION = re.compile(rf"\b{_WORDS.negations}\b|[✗❌]", re.IGNORECASE)
DENIES_ALL = re.compile(rf"\W*{_WORDS.nobody}\b", re.IGNORECASE)
_IMPLIED = re.compile(rf"\b{_WORDS.implied_negations}\b", re.IGNORECASE)
_BOUND = re.compile(rf"\b{_WORDS.bounds}\b", re.IGNORECASE)
_CONDITION = re.compile(rf"^\W*{_WORDS.conditions}\b", re.IGNORECASE)
# Chosen on answers of people who had read no rule, so that few right ones are flagged; see
# docs/benchmarks.md. Nearness, of 1.2 at most:
SAME = 0.65  # from which a clause may be compared with a claim, and names the opposite of its word
SAME_AFFIRMED = 0.8  # from which its denial is one of what a claim affirms
SAME_DENIED = 0.75  # and it affirms what a claim denies
ABOUT = 0.05  # as near as the nearest, or clearly nearer than another
LEAST_WORDS = 2  # of a clause that affirms something: less is part of a sentence


def _patterns(table: Mapping[str, object]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"\b{words}\b", re.IGNORECASE) for name, words in table.items()}


_AFFIRMING, _DENYING = _patterns(_WORDS.affirming), _patterns(_WORDS.denying)


def is_turned_round(
    part: str, found: Sequence[NearClause], statements: Sequence[PageStatement]
) -> bool:
    """Whether the pages say the opposite of this clause of a claim.

    `found`: the clauses of these statements, compared without negations, the nearest first.
    """
    if _CONDITION.search(part):
        return False  # "if nobody answers" tells of nobody who does not
    if not denies(part):
        return _nearest_is_opposite(part, found)
    compared = nearest(found)
    if not compared or compared[0].nearness < SAME_DENIED or _leaves_open(part):
        return False
    if sets_a_limit(part):
        return False
    shared = _agreements(part, compared[0].text)
    if shared:
        return not any(shared)
    return not any(_is_denied_at(each, statements) for each in compared)


def nearest(found: Sequence[NearClause]) -> list[NearClause]:
    """Those that are about as near as the first; none where that is too far to be compared."""
    enough = max(SAME, found[0].nearness - ABOUT) if found else SAME
    return [each for each in found if each.nearness >= enough]


def denies(text: str) -> bool:
    """Whether it has an odd number of negations.

    >>> denies("It is never paid"), denies("Nobody never pays")
    (True, False)
    """
    return len(NEGATION.findall(text)) % 2 == 1


def opposes(one: str, other: str) -> bool:
    """Whether one of two clauses about the same thing denies what the other says.

    >>> opposes("It is forbidden", "It is allowed"), opposes("It is forbidden", "It is not allowed")
    (True, False)
    >>> opposes("You pay", "You never pay"), opposes("You pay", "Nobody pays unless he must")
    (True, False)
    """
    if _CONDITION.search(other):
        return False
    shared = _agreements(one, other)
    if shared:
        return not any(shared)
    if _leaves_open(one) != _leaves_open(other) or _has_denying(one) != _has_denying(other):
        return False
    return denies(one) != denies(other)


def sets_a_limit(text: str) -> bool:
    """Whether what it denies may be a limit: another one says the same without a negation.

    >>> sets_a_limit("It carries no more than 90 kg"), sets_a_limit("It is not paid")
    (True, False)
    """
    return _BOUND.search(text) is not None


def _agreements(one: str, other: str) -> list[bool]:
    """Of each pair of opposites that both name, whether they say the same."""
    mine, theirs = _signs(one), _signs(other)
    return [mine[name] == theirs[name] for name in mine.keys() & theirs.keys()]


def _signs(text: str) -> dict[str, bool]:
    """Of each pair of opposites that it names one of, whether it affirms it: not forbidden, yes."""
    found: dict[str, bool] = {}
    for name, denying in _DENYING.items():
        says_no = denying.search(text) is not None
        says_yes = _AFFIRMING[name].search(denying.sub(" ", text)) is not None
        if says_no != says_yes:
            found[name] = says_yes != denies(text)
    return found


def _is_denied_at(found: NearClause, statements: Sequence[PageStatement]) -> bool:
    """Whether its statement, what leads to it or what goes on from it says no in any way."""
    statement = statements[found.place]
    following = [
        each for each in statements[found.place + 1 : found.place + 2] if resumes(each.text)
    ]
    texts = [each.text for each in following if each.number == statement.number]
    return any(_says_no(text) for text in [statement.text, statement.lead, *texts])


def _nearest_is_opposite(part: str, found: Sequence[NearClause]) -> bool:
    if len(frozenset(content(part))) < LEAST_WORDS:
        return False
    if found and sets_a_limit(found[0].text):
        return False  # "not earlier than 14 days before" affirms what is later
    other = next((each.nearness for each in found if not opposes(part, each.text)), 0.0)
    # The first is the nearest of those that say the opposite, unless it says no such thing.
    enough = SAME if found and _agreements(part, found[0].text) else SAME_AFFIRMED
    return bool(found) and found[0].nearness >= max(enough, other + ABOUT)


def _says_no(text: str) -> bool:
    return bool(NEGATION.search(text)) or _has_denying(text) or _leaves_open(text)


def _has_denying(text: str) -> bool:
    return any(pattern.search(text) for pattern in _DENYING.values())


def _leaves_open(text: str) -> bool:
    return _IMPLIED.search(text) is not None
