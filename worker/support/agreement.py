"""Agreement of a claim with a statement: quantifiers and limits, and the clauses to compare."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core import grammar
from core.evidence.lexical.sentence_ends import SENTENCE_END
from worker.support.quantities import Quantity, quantities

_WORDS = grammar.merged().support
# "And" between numbers joins the two ends of a range.
_CLAUSES = re.compile(rf"([,;:()]\s+|\s[–—-]\s|\s+(?={_WORDS.clauses}\b(?!\s*\d)))", re.IGNORECASE)
_LEADING = 2  # words before a colon that say something of what follows: "Not allowed: …"
_QUANTIFIERS = {
    name: re.compile(rf"\b{words}\b", re.IGNORECASE) for name, words in _WORDS.quantifiers.items()
}
_LIMIT_BEFORE = 28  # characters in which a limit stands before its number
# What no text can say of the same thing at once.
_LOWER, _UPPER = frozenset({"at_least", "more"}), frozenset({"at_most", "less"})
_EXCLUDE = (
    (frozenset({"all"}), frozenset({"some", "most", "only"})),
    (frozenset({"before"}), frozenset({"after"})),
)


def clauses(text: str) -> list[str]:
    """The parts of a sentence that may deny different things; short ones stay with the one before.

    >>> clauses("Ask first, because nobody may enter alone.")
    ['Ask first', 'because nobody may enter alone.']
    >>> clauses("Not allowed: flights, and taxis at night")
    ['Not allowed: flights', 'and taxis at night']
    """
    found: list[str] = []
    between = ""
    for place, part in enumerate(_CLAUSES.split(text)):
        if place % 2:
            between = part.strip()
        elif part.strip():
            is_led = between == ":" and len(found) == 1 and len(found[0].split()) <= _LEADING
            if found and (is_led or min(len(part.split()), len(found[-1].split())) < 2):
                found[-1] = f"{found[-1]}{between or ','} {part.strip()}"
            else:
                found.append(part.strip())
    return found


def contradicts(one: str, other: str) -> bool:
    """Whether the quantifiers of two clauses about the same thing exclude each other.

    >>> contradicts("All sites are open", "Some sites are open")
    True
    """
    found, others = _named(one), _named(other)
    for left, right in _EXCLUDE:
        for mine, theirs in ((left, right), (right, left)):
            # Whatever has both speaks of several things.
            if found & mine and not found & theirs and others & theirs and not others & mine:
                return True
    return False


def limits_contradict(one: Quantity, text: str, other: Quantity, other_text: str) -> bool:
    """Whether the same number is a lower limit in one text, and an upper one in the other."""
    mine, theirs = _limits(one, text), _limits(other, other_text)
    pairs = ((_LOWER, _UPPER), (_UPPER, _LOWER))
    return any(_is_only(mine, low, high) and _is_only(theirs, high, low) for low, high in pairs)


def says_more_without_a_number(text: str) -> bool:
    """Whether it goes on from a limit before it: "More than that needs another signature"."""
    parts = SENTENCE_END.split(text)
    limits = [part for part in parts if _named(part[:_LIMIT_BEFORE]) & (_LOWER | _UPPER)]
    return any(not quantities(part) for part in limits)


def _limits(quantity: Quantity, text: str) -> frozenset[str]:
    """Those that stand before the number, or right behind it as in "30 or more"."""
    behind = text[quantity.end :].lstrip()
    found = {name for name, words in _QUANTIFIERS.items() if words.match(behind)}
    return _named(text[max(0, quantity.start - _LIMIT_BEFORE) : quantity.start]) | found


def _is_only(found: frozenset[str], wanted: frozenset[str], unwanted: frozenset[str]) -> bool:
    return bool(found & wanted) and not found & unwanted


def _named(text: str) -> frozenset[str]:
    return frozenset(_names(text))


def _names(text: str) -> Iterator[str]:
    for name, pattern in _QUANTIFIERS.items():
        if pattern.search(text):
            yield name
