"""Editions of published pages: drafts, older versions, archived ones, copies, lists of children."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.corpus.chance import Chance, later
from evaluation.corpus.families import PageGenerator, company
from evaluation.corpus.nouns import CorpusPage, Subject
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


def corpus_pages(generator: PageGenerator) -> list[CorpusPage]:
    """Every page of the wiki, sorted by space and title."""
    made: list[CorpusPage] = []
    for subject in generator.subjects:
        made += _with_editions(generator, subject)
    return sorted([*made, *_indexes(made)], key=lambda page: (page.space, page.title))


def _with_editions(generator: PageGenerator, subject: Subject) -> Iterator[CorpusPage]:
    published = generator.page(subject)
    yield published
    makers = {"draft": _draft, "older": _older, "archived": _archived, "copy": _copy}
    for edition in subject.given.get("editions", []):
        chance = generator.chance(subject.key, edition)
        drawn = published if edition == "copy" else generator.page(subject, edition)
        yield makers[edition](replace(drawn, edition=edition, front=published.front), chance)


def _draft(page: CorpusPage, chance: Chance) -> CorpusPage:
    """Older than the published page, often unfinished, sometimes in its author's personal space."""
    whole = page.body if chance.is_so(0.5) else _unfinished(page.body)
    body = to_storage(NOTICES[page.language]) + whole if chance.is_so(0.5) else whole
    front = {
        **page.front,
        "updated": later(page.front["updated"], -chance.number(20, 150)),
        "labels": [*page.front["labels"], "draft"],
    }
    drafted = replace(
        page,
        title=chance.one(*DRAFT_TITLES[page.language]).format(page.title),
        body=body,
        front=front,
    )
    return _at_home(drafted, chance) if chance.is_so(0.3) else drafted


def _older(page: CorpusPage, chance: Chance) -> CorpusPage:
    """The page as it was years ago, still there."""
    title = re.sub(r" v2$", " v1", page.title)
    if title == page.title:
        title = chance.one(*OLD_TITLES[page.language]).format(page.title)
    labels = list(page.front["labels"])
    if chance.is_so(0.4):
        labels.append("outdated")
    updated = chance.day("2022-11-01", "2024-03-31")
    return replace(page, title=title, front={**page.front, "updated": updated, "labels": labels})


def _archived(page: CorpusPage, chance: Chance) -> CorpusPage:
    old = _older(page, chance)
    return replace(
        old,
        title=f"{page.title} ({old.front['updated'][:4]}, archived)",
        front={**old.front, "status": "archived"},
    )


def _copy(page: CorpusPage, chance: Chance) -> CorpusPage:
    """Word for word, in a personal space, made before or after the last change of the page."""
    front = {**page.front, "updated": later(page.front["updated"], chance.number(-90, 90))}
    return _at_home(replace(page, front=front), chance)


def _at_home(page: CorpusPage, chance: Chance) -> CorpusPage:
    person = chance.one(*company()["collectors"])
    key = "~" + account_id(person).partition(":")[2]
    front = {**page.front, "owner": person, "author": person, "parent": None}
    return replace(page, space=key, front=front)


def _unfinished(body: str) -> str:
    """Without its last section."""
    *kept, _ = body.split("<h2>")
    return "<h2>".join(kept) if len(kept) > 1 else body


def _indexes(made: Sequence[CorpusPage]) -> Iterator[CorpusPage]:
    """A home for each space and an index page for each of its sections."""
    below: dict[tuple[str, str], list[CorpusPage]] = defaultdict(list)
    for page in made:
        if page.front.get("parent"):
            below[page.space, page.front["parent"]].append(page)
    for key, space in company()["spaces"].items():
        yield _index(key, space["home"], space["welcome"], None)
        for title, intro in space["sections"].items():
            links = "\n".join(f"- [[{key}:{child.title}]]" for child in below[key, title])
            yield _index(key, title, f"{intro}\n\n{links}", space["home"])


def _index(key: str, title: str, text: str, parent: str | None) -> CorpusPage:
    space = company()["spaces"][key]
    body = to_storage("\n\n".join([space["before"], text, "%%children%%", space["after"]]))
    front = {
        "owner": company()["people"][0],
        "updated": "2025-06-02",
        "labels": ["index"],
        "parent": parent,
    }
    return CorpusPage(
        f"index/{key}/{title}", "published", space["language"], key, title, body, front
    )
