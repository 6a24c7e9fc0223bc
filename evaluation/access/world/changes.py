"""Changes of the site: what editors and administrators do to it in a history."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.access.world.site import GROUPS, PAGES, PEOPLE, PLACES, SPACES, Words, body
from sandbox.confluence import control
from sandbox.confluence.site.content import EVERYBODY, Content, Entry


@dataclass(frozen=True)
class Change:
    """One change; what does not fit the site as it is then does nothing."""

    what: str
    page: str = ""
    to: str = ""  # the page, the space or the group
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    counts: bool = True  # whether a new title in the links of others raises their versions


def apply(change: Change, content: Content, words: Words) -> None:
    """Do it."""
    if change.what in OF_SITE:
        OF_SITE[change.what](content, change)
        return
    entry = content.entries.get(change.page)
    if entry is not None:
        OF_PAGES[change.what](content, entry, words, change)


def _restrict(content: Content, entry: Entry, _words: Words, change: Change) -> None:
    control.restrict(content, entry, {"users": change.users, "groups": change.groups})


def _move(content: Content, entry: Entry, words: Words, change: Change) -> None:
    """Under another page, or to the top of a space; links follow."""
    if entry.kind != "page":
        return
    parent = content.entries.get(change.to)
    if change.to in SPACES:
        control.move(content, entry, {"space": change.to})
    elif parent and parent.kind == "page" and entry not in (parent, *content.ancestors(parent)):
        control.move(content, entry, {"parent_id": parent.id})
    _relink(content, words, change)


def _trash(_content: Content, entry: Entry, _words: Words, _change: Change) -> None:
    entry.status = "trashed"


def _restore(_content: Content, entry: Entry, _words: Words, _change: Change) -> None:
    entry.status = "current"


def _purge(content: Content, entry: Entry, _words: Words, _change: Change) -> None:
    content.purge(entry)


def _rename(content: Content, entry: Entry, words: Words, change: Change) -> None:
    content.change(entry, title=words.title(entry.id))
    _relink(content, words, change)


def _edit(content: Content, entry: Entry, words: Words, _change: Change) -> None:
    words.bodies[entry.id] = words.canary(entry.id)
    content.change(entry, body=body(entry.id, words, content.entries))


def _relink(content: Content, words: Words, change: Change) -> None:
    for entry in content.entries.values():
        if not PLACES[entry.id].links:
            continue
        now = body(entry.id, words, content.entries)
        if now != entry.body and change.counts:
            content.change(entry, body=now)
        entry.body = now


def _members(content: Content, change: Change) -> None:
    witnesses = [each for each in content.members(change.to) if each not in PEOPLE.values()]
    content.groups[change.to] = [*change.users, *witnesses]


def _space_readers(content: Content, change: Change) -> None:
    content.space_readers[change.to] = (list(change.users), list(change.groups))


OfPage = Callable[[Content, Entry, Words, Change], None]
OF_PAGES: dict[str, OfPage] = {
    "restrict": _restrict,
    "move": _move,
    "trash": _trash,
    "restore": _restore,
    "purge": _purge,
    "rename": _rename,
    "edit": _edit,
}
OF_SITE: dict[str, Callable[[Content, Change], None]] = {
    "members": _members,
    "space readers": _space_readers,
}
# How often each happens among a hundred.
WEIGHTS = {
    "restrict": 38,
    "move": 18,
    "trash": 6,
    "restore": 6,
    "purge": 1,
    "rename": 8,
    "edit": 6,
    "members": 10,
    "space readers": 7,
}


def draw(chance: random.Random, page: str = "") -> Change:
    """A change by chance, of this page where one is named."""
    what = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    page = page or chance.choice(PAGES)
    users, groups = _readers(chance)
    if what == "members":
        group = chance.choice([*GROUPS, *GROUPS, EVERYBODY])
        return Change(what, to=group, users=_some(chance, list(PEOPLE.values()), 0.6))
    if what == "space readers":
        groups = groups if chance.random() < 0.5 else (EVERYBODY,)
        return Change(what, to=chance.choice(SPACES), users=users, groups=groups)
    to = chance.choice([*PAGES, *PAGES, *SPACES])
    return Change(what, page, to, users, groups, counts=chance.random() < 0.5)


def _readers(chance: random.Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of a restriction; none of either opens the page."""
    kind = chance.random()
    if kind < 0.3:
        return (), ()
    if kind < 0.45:
        return (), (EVERYBODY,)
    groups = _some(chance, [*GROUPS, EVERYBODY], 0.3)
    return _some(chance, list(PEOPLE.values()), 0.4), groups


def _some(chance: random.Random, among: Sequence[str], share: float) -> tuple[str, ...]:
    return tuple(each for each in among if chance.random() < share)
