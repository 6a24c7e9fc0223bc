"""Question classification for entities: whether a question asks about the organization (en, de)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core import organization_terms


def _unit_words() -> str:
    """Every form of a unit's name, the longest first, as alternatives of a pattern."""
    forms: set[str] = set()
    for singular, plural in organization_terms.UNITS.items():
        forms |= {singular.lower(), plural.lower()}
    return "|".join(sorted(forms, key=len, reverse=True))


_UNITS = _unit_words()
_PAGES = r"sub-?pages?|child\ pages?|pages?|parts?|unterseiten?|seiten?|teile"
_WHICH = (
    r"(?:how\ many|which|what|list|name|all|other|wie\ viele|welche[mnrs]?|nenne|liste|alle|was)"
)

_PLACE = re.compile(
    rf"""\b(?:
        belongs?|belonging|part\ of|reports?\ (?:in)?to|reporting\ to
        |sub-?(?:teams?|units?|groups?|departments?)
        |consists?\ of|made\ up\ of
        |hierarchy|structured?|org(?:ani[sz]ation)?\ chart|above|parent
        |geh(?:ö|oe)r(?:t|en|ig)\w*|zugeh(?:ö|oe)rig\w*|teil\ (?:von|des|der|vom)
        |untersteh\w*|unterstell\w*|untergeordnet\w*|zugeordnet\w*
        |gliedert|besteht|aufgebaut|aufbau|struktur|organigramm
        |(?:ü|ue)bergeordnet\w*|(?:ü|ue)ber\ wem
    )\b
    |\b{_WHICH}\b(?:\W+[\w'’-]+){{0,3}}?\W+(?:[\w]*(?:{_UNITS})(?:n|s)?|{_PAGES})\b
    |\b{_WHICH}\b.*\b(?:under|beneath|below|unter|unterhalb)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_PEOPLE = re.compile(
    r"\b(?:who|whose|responsible|team|works?\ (?:in|for|at)"
    r"|wer|wem|wessen|verantwort\w*|zust(?:ä|ae)ndig\w*|arbeite\w*)\b",
    re.IGNORECASE,
)
_ROLES = {
    "lead": re.compile(
        r"\b(?:leads?|led|leader|head(?:s|ed)?|manage[sr]?|managed|director|in charge"
        r"|leite\w*|leitung\w*|f(?:ü|ue)hrt|chef\w*)\b",
        re.IGNORECASE,
    ),
    "member": re.compile(
        r"\b(?:members?|mitglied\w*"
        r"|who (?:is|works) (?:in|for|at)|wer (?:ist|arbeitet) (?:in|im|bei))\b",
        re.IGNORECASE,
    ),
    "deputy": re.compile(
        r"\b(?:deput\w+|stands? in|stellvertret\w*|vertritt|vertretung)\b",
        re.IGNORECASE,
    ),
}
_BELONGING = re.compile(
    r"\b(?:belongs?|belonging|part of|reports? (?:in)?to"
    r"|geh(?:ö|oe)r(?:t|en)|teil (?:von|des|der|vom)|untersteh\w*|unterstell\w*)\b",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(r"^(?:and|und|what about|how many|wie viele)\b", re.IGNORECASE)


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
