"""Hundreds of random little sites: what is told agrees with the rule of Confluence."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from accounts_site import chosen, may_by_path, principal, synced
from wiki_site import datacenter, settings

from core.confluence import connect_live, witness
from core.models import Page
from core.page_source import PageSource, Path, Viewer
from sandbox.confluence import control
from sandbox.confluence.app import build_app
from sandbox.confluence.site.content import EVERYBODY, Content, Entry, Person
from sandbox.http.server import running

SITES, PAGES_AT_ONCE = 160, 40  # of each flavor
PEOPLE = [Person(f"sandbox:p{n}", f"P {n}", f"p{n}@example.com") for n in range(3)]
GROUPS = ["g0", "g1", "g2", EVERYBODY]
KINDS = ["page", "page", "page", "page", "folder", "blogpost"]


class Sites:
    """Little sites in one, a space each, so that pages can also move from one to another."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        entries = [entry for number in range(SITES) for entry in self._site(number)]
        members = {name: self._some([each.account_id for each in PEOPLE]) for name in GROUPS[:3]}
        self.content = Content(entries, PEOPLE, {}, members)
        for number in range(0, SITES, 5):
            self._restrict_space(f"S{number}")

    def change(self) -> None:
        """What has happened since the sync: about one thing a site."""
        for entry in list(self.content.entries.values()):
            if self._chance.random() < 0.4:
                self._change(entry)
        self.content.groups["g0"] = self._some([each.account_id for each in PEOPLE])
        self._restrict_space("S1")

    def _site(self, number: int) -> list[Entry]:
        made: list[Entry] = []
        for place in range(self._chance.randint(2, 3)):
            kind = self._chance.choice(KINDS) if place else "page"
            above = [each.id for each in made if each.kind != "blogpost"]
            parent = self._chance.choice([*above, None]) if kind != "blogpost" else None
            entry_id = str(1000 + 10 * number + place)
            entry = Entry(entry_id, f"S{number}", entry_id, kind=kind, parent_id=parent)
            if self._chance.random() < 0.3:
                self._restrict(entry)
            made.append(entry)
        return made

    def _change(self, entry: Entry) -> None:
        does = self._chance.choice(["restrict", "open", "move", "move", "away", "archive"])
        if does == "restrict":
            self._restrict(entry)
        elif does == "open":
            entry.users, entry.groups = [], []
        elif does == "archive" and entry.kind == "page":
            entry.status = self._chance.choice(["archived", "trashed"])
        elif does in ("move", "away") and entry.kind != "blogpost":
            self._move(entry, away=does == "away")

    def _move(self, entry: Entry, *, away: bool) -> None:
        targets: list[Entry] = []
        for each in self.content.entries.values():
            is_near = (each.space == entry.space) is not away
            if is_near and each.kind != "blogpost" and each is not entry:
                targets.append(each)
        target = self._chance.choice(targets) if targets else None
        if target is not None and entry not in self.content.ancestors(target):
            control.move(self.content, entry, {"parent_id": target.id})

    def _restrict(self, entry: Entry) -> None:
        entry.users = self._some([each.account_id for each in PEOPLE])
        entry.groups = self._some(GROUPS)

    def _restrict_space(self, key: str) -> None:
        users = self._some([each.account_id for each in PEOPLE])
        self.content.space_readers[key] = (users, [*self._some(GROUPS), "nobodys"])

    def _some(self, among: Sequence[str]) -> list[str]:
        return [each for each in among if self._chance.random() < 0.4]


@pytest.fixture(params=["cloud", "datacenter"])
def flavor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def sites() -> Sites:
    return Sites(seed=14)


@pytest.fixture
def url(sites: Sites) -> Iterator[str]:
    with running(build_app(sites.content)) as url:
        yield url


def eyes_of(flavor: str, url: str, person: Person) -> Viewer:
    token = f"of-{person.username}"
    given = (
        settings(url, confluence_witness_username=person.email, confluence_witness_token=token)
        if flavor == "cloud"
        else datacenter(url, confluence_witness_token=token)
    )
    found = witness(given)
    assert found is not None
    return found


def in_parts(pages: Sequence[Page]) -> Iterator[Sequence[Page]]:
    for start in range(0, len(pages), PAGES_AT_ONCE):
        yield pages[start : start + PAGES_AT_ONCE]


def truth(content: Content, person: Person, pages: Sequence[Page]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for page in pages:
        entry = content.entries[page.id]
        found[page.id] = entry.status == "current" and content.may_read(person.account_id, entry)
    return found


def paths_of(source: PageSource, pages: Sequence[Page]) -> dict[str, Path | None]:
    found: dict[str, Path | None] = {}
    for part in in_parts(pages):
        found |= source.paths(part, most=999)
    return found


def test_eyes_and_clauses_agree_with_the_rule_for_every_account(
    flavor: str, sites: Sites, url: str
) -> None:
    content = sites.content
    ids = [each.id for each in content.entries.values() if each.kind != "folder"]
    pages = synced(content, ids)
    before = {person: truth(content, person, pages) for person in PEOPLE}
    sites.change()
    source = connect_live(chosen(flavor, url))
    paths = paths_of(source, pages)
    may = may_by_path(flavor, content, source)
    for person in PEOPLE:
        expected = truth(content, person, pages)
        assert expected != before[person]
        by_path = {page_id: may(person.account_id, path) for page_id, path in paths.items()}
        assert by_path == expected
        content.tokens[f"of-{person.username}"] = person.account_id
        eyes, seen = eyes_of(flavor, url, person), dict[str, bool]()
        for part in in_parts(pages):
            seen |= eyes.visible(part, most=99)
        assert seen == expected
    first, told = PEOPLE[0], dict[str, bool]()
    for part in in_parts(pages):
        told |= source.visible_to(principal(flavor, first), part, most=999)
    assert told == truth(content, first, pages)
