"""What grows around published pages: drafts, older versions, what was archived, copies in personal spaces, and lists of children."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.corpus.chance import Chance, later
from evaluation.corpus.families import Press, company
from evaluation.corpus.nouns import Sheet, Subject
from evaluation.corpus.storage import to_storage
from sandbox.confluence.site.content import account_id

DRAFT_TITLES = {
    "en": ("[DRAFT] {}", "{} (draft)", "WIP: {}"),
    "de": ("[ENTWURF] {}", "{} (Entwurf)", "[DRAFT] {}"),
}
OLD_TITLES = {
    "en": ("{} (2023)", "{} (old)", "OLD – {}"),
    "de": ("{} (2023)", "{} (alt)", "ALT – {}"),
}
NOTICES = {
    "en": "%%panel|warning|Draft, for comments.%%",
    "de": "%%panel|warning|Entwurf zur Diskussion.%%",
}


def sheets(press: Press) -> list[Sheet]:
    """Every page of the wiki, sorted by space and title."""
    made = [sheet for subject in press.subjects for sheet in _with_editions(press, subject)]
    return sorted([*made, *_indexes(made)], key=lambda sheet: (sheet.space, sheet.title))


def _with_editions(press: Press, subject: Subject) -> Iterator[Sheet]:
    published = press.sheet(subject)
    yield published
    makers = {"draft": _draft, "older": _older, "archived": _archived, "copy": _copy}
    for edition in subject.given.get("editions", []):
        chance = press.chance(subject.key, edition)
        drawn = published if edition == "copy" else press.sheet(subject, edition)
        yield makers[edition](replace(drawn, edition=edition, front=published.front), chance)


def _draft(sheet: Sheet, chance: Chance) -> Sheet:
    """Older than the page that came of it, often unfinished, sometimes kept in the writer's own space."""
    whole = sheet.body if chance.is_so(0.5) else _unfinished(sheet.body)
    body = to_storage(NOTICES[sheet.language]) + whole if chance.is_so(0.5) else whole
    front = {
        **sheet.front,
        "updated": later(sheet.front["updated"], -chance.number(20, 150)),
        "labels": [*sheet.front["labels"], "draft"],
    }
    drafted = replace(
        sheet,
        title=chance.one(*DRAFT_TITLES[sheet.language]).format(sheet.title),
        body=body,
        front=front,
    )
    return _at_home(drafted, chance) if chance.is_so(0.3) else drafted


def _older(sheet: Sheet, chance: Chance) -> Sheet:
    """The page as it was years ago, still there."""
    title = re.sub(r" v2$", " v1", sheet.title)
    if title == sheet.title:
        title = chance.one(*OLD_TITLES[sheet.language]).format(sheet.title)
    labels = [*sheet.front["labels"], *(["outdated"] if chance.is_so(0.4) else [])]
    return replace(
        sheet,
        title=title,
        front={**sheet.front, "updated": chance.day("2022-11-01", "2024-03-31"), "labels": labels},
    )


def _archived(sheet: Sheet, chance: Chance) -> Sheet:
    old = _older(sheet, chance)
    return replace(
        old,
        title=f"{sheet.title} ({old.front['updated'][:4]}, archived)",
        front={**old.front, "status": "archived"},
    )


def _copy(sheet: Sheet, chance: Chance) -> Sheet:
    """Word for word, in somebody's own space, made at some time before or after the last change of the page."""
    front = {**sheet.front, "updated": later(sheet.front["updated"], chance.number(-90, 90))}
    return _at_home(replace(sheet, front=front), chance)


def _at_home(sheet: Sheet, chance: Chance) -> Sheet:
    person = chance.one(*company()["collectors"])
    key = "~" + account_id(person).partition(":")[2]
    return replace(
        sheet, space=key, front={**sheet.front, "owner": person, "author": person, "parent": None}
    )


def _unfinished(body: str) -> str:
    """Without its last section."""
    *kept, _ = body.split("<h2>")
    return "<h2>".join(kept) if len(kept) > 1 else body


def _indexes(made: Sequence[Sheet]) -> Iterator[Sheet]:
    """A home for each space and a page for each of its sections, with the list of what is under it."""
    below: dict[tuple[str, str], list[Sheet]] = defaultdict(list)
    for sheet in made:
        if sheet.front.get("parent"):
            below[sheet.space, sheet.front["parent"]].append(sheet)
    for key, space in company()["spaces"].items():
        yield _index(key, space["home"], space["welcome"], None)
        for title, intro in space["sections"].items():
            links = "\n".join(f"- [[{key}:{child.title}]]" for child in below[key, title])
            yield _index(key, title, f"{intro}\n\n{links}", space["home"])


def _index(key: str, title: str, text: str, parent: str | None) -> Sheet:
    space = company()["spaces"][key]
    body = to_storage("\n\n".join([space["before"], text, "%%children%%", space["after"]]))
    front = {
        "owner": company()["people"][0],
        "updated": "2025-06-02",
        "labels": ["index"],
        "parent": parent,
    }
    return Sheet(f"index/{key}/{title}", "published", space["language"], key, title, body, front)
