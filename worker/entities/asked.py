"""Question classification for entities: whether a question asks about the organization."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core import grammar, organization_terms


def _unit_words() -> str:
    """Every form of a unit's name, the longest first, as alternatives of a pattern."""
    forms: set[str] = set()
    for singular, unit in organization_terms.UNITS.items():
        forms |= {singular.lower(), unit.plural.lower()}
    return "|".join(sorted(forms, key=len, reverse=True))


_ORGANIZATION = grammar.merged().organization
_UNITS = _unit_words()
_WHICH = _ORGANIZATION.which

_PLACE = re.compile(
    rf"\b{_ORGANIZATION.place}\b"
    rf"|\b{_WHICH}\b(?:\W+[\w'’-]+){{0,3}}?"
    rf"\W+(?:[\w]*(?:{_UNITS})(?:n|s)?|{_ORGANIZATION.sub_pages})\b"
    rf"|\b{_WHICH}\b.*\b{_ORGANIZATION.below}\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(rf"\b{_ORGANIZATION.people}\b", re.IGNORECASE)
_ROLES = {
    "lead": re.compile(rf"\b{_ORGANIZATION.lead}\b", re.IGNORECASE),
    "member": re.compile(rf"\b{_ORGANIZATION.member}\b", re.IGNORECASE),
    "deputy": re.compile(rf"\b{_ORGANIZATION.deputy}\b", re.IGNORECASE),
}
_BELONGING = re.compile(rf"\b{_ORGANIZATION.belonging}\b", re.IGNORECASE)
_FOLLOWS = re.compile(rf"^{_ORGANIZATION.follows}\b", re.IGNORECASE)


@dataclass(frozen=True)
class OrganizationQuestion:
    """What the words of a question ask about."""

    place: bool  # where something belongs, what belongs to it, how many
    people: bool  # who leads, who is responsible, who is in it
    follows: bool  # it leans on the question before it
    belonging: bool = False  # what something belongs to, or what belongs to it
    # Units of which several are asked for, as core.organization_terms.meaning says them: team.
    units: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()  # lead, member, deputy

    @property
    def organization(self) -> bool:
        return self.place or self.people


def asked(question: str) -> OrganizationQuestion:
    """
    >>> asked("Welche Abteilungen gehören zur Nautik?").units, asked("Who leads Crane?").roles
    (frozenset({'department'}), frozenset({'lead'}))
    """
    roles: set[str] = set()
    for role, pattern in _ROLES.items():
        if pattern.search(question):
            roles.add(role)
    plurals = filter(_is_plural, re.findall(r"\w+", question))
    return OrganizationQuestion(
        place=bool(_PLACE.search(question)),
        people=bool(roles or _PEOPLE.search(question)),
        follows=bool(_FOLLOWS.search(question.strip())),
        belonging=bool(_BELONGING.search(question)),
        units=frozenset(map(organization_terms.meaning, plurals)),
        roles=frozenset(roles),
    )


def _is_plural(word: str) -> bool:
    singular = organization_terms.unit(word).casefold()
    return singular not in ("", word.casefold())
