"""Vocabulary of organizations: units (team, department) and roles (lead), in every language."""

from __future__ import annotations

from core import grammar

_ORGANIZATION = grammar.merged().organization
UNITS = _ORGANIZATION.units  # by their singular
_SINGULAR = {
    form.casefold(): one
    for one, known in UNITS.items()
    for form in (one, known.plural, f"{one}s", f"{known.plural}n")
}
_ROLES = {role: meaning for meaning, words in _ORGANIZATION.roles.items() for role in words}
_ROLE_FORMS = {form: role for role in _ROLES for form in (role, f"{role}s", f"{role}er")}


def unit(word: str) -> str:
    """The part of an organization that a word means, in the singular; empty for every other word.

    >>> unit("Teams"), unit("Bereichen"), unit("crane")
    ('team', 'Bereich', '')
    """
    return _SINGULAR.get(word.casefold(), "")


def role(text: str) -> str:
    """What somebody is in a unit, by the last word of a column or kind; empty for every other text.

    >>> role("Team lead"), role("Members"), role("Site")
    ('lead', 'member', '')
    """
    if not text.strip():
        return ""
    last = text.casefold().split()[-1]
    return _ROLE_FORMS.get(last, "")


def meaning(kind: str) -> str:
    """One English word for a unit or role, in whatever language; empty for every other kind.

    >>> meaning("Abteilung"), meaning("director"), meaning("crane")
    ('department', 'lead', '')
    """
    if not kind.strip():
        return ""
    last = unit(kind.split()[-1])
    if last:
        return UNITS[last].means or last
    return _ROLES.get(role(kind), "")


def plural(kind: str) -> str:
    """The plural of a kind as people wrote it.

    >>> plural("team"), plural("Abteilung"), plural("laboratory"), plural("business unit")
    ('teams', 'Abteilungen', 'laboratories', 'business units')
    """
    *before, last = kind.split() or [""]
    known = unit(last)
    return " ".join([*before, UNITS[known].plural if known else _english_plural(last)])


def size(unit: str) -> int:
    """What contains what: from 0, the largest."""
    return UNITS[unit].size


def _english_plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
