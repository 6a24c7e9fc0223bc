"""Vocabulary of organizations, English and German: units (team, department) and roles (lead)."""

from __future__ import annotations

# Singular and plural, as they are written.
UNITS = {
    "team": "teams",
    "department": "departments",
    "division": "divisions",
    "group": "groups",
    "unit": "units",
    "section": "sections",
    "squad": "squads",
    "tribe": "tribes",
    "chapter": "chapters",
    "guild": "guilds",
    "crew": "crews",
    "branch": "branches",
    "subsidiary": "subsidiaries",
    "committee": "committees",
    "directorate": "directorates",
    "company": "companies",
    "Abteilung": "Abteilungen",
    "Bereich": "Bereiche",
    "Gruppe": "Gruppen",
    "Referat": "Referate",
    "Sparte": "Sparten",
    "Einheit": "Einheiten",
    "Ressort": "Ressorts",
    "Dezernat": "Dezernate",
    "Stabsstelle": "Stabsstellen",
    "Fachbereich": "Fachbereiche",
    "Geschäftsbereich": "Geschäftsbereiche",
    "Arbeitsgruppe": "Arbeitsgruppen",
    "Niederlassung": "Niederlassungen",
    "Gesellschaft": "Gesellschaften",
}
ROLES = frozenset(
    """lead leader head manager director chief deputy member captain chair owner
    leitung leiter leiterin teamleitung teamleiter teamleiterin mitglied vertretung
    stellvertretung vorsitz""".split()  # noqa: SIM905
)
_LEADING = ROLES - {"member", "mitglied", "deputy", "vertretung", "stellvertretung"}
_ENGLISH = {
    "Abteilung": "department",
    "Bereich": "department",
    "Fachbereich": "department",
    "Gruppe": "group",
    "Arbeitsgruppe": "group",
    "Einheit": "unit",
    "Sparte": "division",
    "Geschäftsbereich": "division",
    "Gesellschaft": "company",
    "Referat": "section",
    "mitglied": "member",
    "vertretung": "deputy",
    "stellvertretung": "deputy",
    **dict.fromkeys(_LEADING, "lead"),
}
_SINGULAR = {
    form.casefold(): one
    for one, many in UNITS.items()
    for form in (one, many, f"{one}s", f"{many}n")
}
_ROLE_FORMS = {form: role for role in ROLES for form in (role, f"{role}s", f"{role}er")}


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
    known = unit(kind.split()[-1]) or role(kind)
    return _ENGLISH.get(known, known)


def plural(kind: str) -> str:
    """The plural of a kind as people wrote it.

    >>> plural("team"), plural("Abteilung"), plural("laboratory"), plural("business unit")
    ('teams', 'Abteilungen', 'laboratories', 'business units')
    """
    *before, last = kind.split() or [""]
    known = UNITS.get(unit(last)) if unit(last) else None
    return " ".join([*before, known or _english_plural(last)])


def _english_plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
