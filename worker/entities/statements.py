"""Writes statements about an entity: what it belongs to, what belongs to it, and how many.

One sentence a line, each readable alone: a name may hold a full stop, and a quote must not be cut
there. When the question asks for one thing, such as departments or who leads, only that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import organization_terms
from core.pages import PageKey
from worker.entities.asked import OrganizationQuestion
from worker.entities.mentions import Mention
from worker.entities.tree import PAGE, EntityNode, View

SHOWN = 10  # names of one kind; the others are counted
LEVELS = 5  # of the way up


@dataclass(frozen=True)
class Statement:
    """Sentences, and the pages behind the names in them."""

    text: str
    pages: frozenset[PageKey]


@dataclass(frozen=True)
class _Fact:
    """A sentence, and whom it names."""

    about: str  # as core.organization_terms.meaning says it; empty for what the entity belongs to
    text: str
    named: Sequence[EntityNode]


def statement(
    mention: Mention,
    about: OrganizationQuestion,
    view: View,
) -> Statement | None:
    """What there is to say of a mentioned node; None when that is nothing."""
    facts = _wanted(list(_facts(mention, view)), about)
    if not facts:
        return None
    sentences: list[str] = []
    pages = {mention.node.page}
    for fact in facts:
        sentences.append(fact.text)
        pages.update(node.page for node in fact.named)
    return Statement("\n".join(sentences), frozenset(pages))


def _wanted(facts: list[_Fact], about: OrganizationQuestion) -> list[_Fact]:
    """What was asked for, where there is something of the kind; else all."""
    roles = set(about.roles)
    if about.belonging:
        roles.add("")
    for wanted in (about.units, roles):
        found = [fact for fact in facts if fact.about in wanted]
        if found:
            return found
    return facts


def _facts(mention: Mention, view: View) -> Iterator[_Fact]:
    node, name = mention.node, _as_mentioned(mention)
    above = view.above(node)[:LEVELS]
    if above:
        yield _Fact("", _way_up(mention, above), above)
    under = _by_kind(view.under(node))
    below = _by_kind(view.below(node))
    for kind, nodes in under.items():
        about = organization_terms.meaning(kind)
        sentence = f"{_belong(kind, name, nodes)}."
        if organization_terms.role(kind):
            sentence = _role(kind, name, nodes)
        yield _Fact(about, sentence, nodes[:SHOWN])
    for kind, nodes in below.items():
        directly_under = under.get(kind, [])
        if organization_terms.unit(kind) and len(nodes) > len(directly_under):
            about = organization_terms.meaning(kind)
            sentence = f"At all levels, {_belong(kind, name, nodes)}."
            yield _Fact(about, sentence, nodes[:SHOWN])


def _way_up(mention: Mention, above: Sequence[EntityNode]) -> str:
    kind = mention.node.kind
    way = ", which is part of ".join(_with_kind(node) for node in above)
    if organization_terms.role(kind):
        return f"{_as_mentioned(mention)} is {kind} of {way}."
    shown_kind = "" if kind == PAGE else kind
    return f"{_as_mentioned(mention, shown_kind)} belongs to {way}."


def _role(
    kind: str,
    name: str,
    nodes: Sequence[EntityNode],
) -> str:
    """`The lead of Crane is Ida Holm.`"""
    if len(nodes) == 1:
        return f"The {kind} of {name} is {_list(nodes)}."
    return f"The {organization_terms.plural(kind)} of {name} are {_list(nodes)} ({len(nodes)})."


def _belong(
    kind: str,
    name: str,
    nodes: Sequence[EntityNode],
) -> str:
    """`7 teams belong to Harbour Operations: …`; parts where no kind is known."""
    one = kind or "part"
    if len(nodes) == 1:
        return f"1 {one} belongs to {name}: {_list(nodes)}"
    many = organization_terms.plural(one)
    return f"{len(nodes)} {many} belong to {name}: {_list(nodes)}"


def _list(nodes: Sequence[EntityNode]) -> str:
    """The first names, and how many there are besides."""
    names = [node.name for node in nodes[:SHOWN]]
    if len(nodes) > SHOWN:
        names.append(f"and {len(nodes) - SHOWN} more")
    return ", ".join(names)


def _as_mentioned(mention: Mention, kind: str = "") -> str:
    """Both names: `Harbour Operations (also Hafenbetrieb; department)`."""
    name = mention.node.name
    is_alias = mention.name.casefold() != name.casefold()
    also = f"also {mention.name}" if is_alias else ""
    details = "; ".join(filter(None, (also, kind)))
    return f"{name} ({details})" if details else name


def _with_kind(node: EntityNode) -> str:
    if node.kind in ("", PAGE):
        return node.name
    return f"{node.name} ({node.kind})"


def _by_kind(nodes: Sequence[EntityNode]) -> dict[str, list[EntityNode]]:
    """Nodes by what they are; who leads stands before what is led."""
    roles_first = sorted(nodes, key=lambda node: not organization_terms.role(node.kind))
    found: dict[str, list[EntityNode]] = {}
    for node in roles_first:
        found.setdefault(node.kind, []).append(node)
    return found
