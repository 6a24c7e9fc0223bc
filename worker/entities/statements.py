"""What a reader may be told of a node: what it belongs to, what belongs to it, and how many, in sentences that stand alone.

One sentence a line: a name may hold a full stop, and whoever quotes must not cut it there. When the question asks for one thing, such as
departments or who leads, only that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import organization_terms
from worker.entities.asked import OrganizationQuestion
from worker.entities.mentions import Mention
from worker.entities.tree import PAGE, EntityNode, View

SHOWN = 10  # names of one kind; the others are counted
LEVELS = 5  # of the way up


@dataclass(frozen=True)
class Statement:
    """Sentences, and the pages behind the names in them."""

    text: str
    page_ids: frozenset[str]


@dataclass(frozen=True)
class _Fact:
    """A sentence, what it is about (as `core.organization_terms.meaning` says it; empty for the way up), and whom it names."""

    about: str
    text: str
    named: Sequence[EntityNode]


def statement(mention: Mention, about: OrganizationQuestion, view: View) -> Statement | None:
    """What there is to say of a mentioned node; None when that is nothing."""
    facts = _wanted(list(_facts(mention, view)), about)
    named = [mention.node, *(node for fact in facts for node in fact.named)]
    return (
        Statement("\n".join(fact.text for fact in facts), frozenset(node.page_id for node in named))
        if facts
        else None
    )


def _wanted(facts: list[_Fact], about: OrganizationQuestion) -> list[_Fact]:
    """What was asked for, where there is something of the kind; else all."""
    units = [fact for fact in facts if fact.about in about.units]
    roles = [
        fact for fact in facts if fact.about in about.roles or (not fact.about and about.belonging)
    ]
    return units or roles or facts


def _facts(mention: Mention, view: View) -> Iterator[_Fact]:
    node, name = mention.node, _as_mentioned(mention)
    above = view.above(node)[:LEVELS]
    if above:
        yield _Fact("", _way_up(mention, above), above)
    under, below = _by_kind(view.under(node)), _by_kind(view.below(node))
    for kind, nodes in under.items():
        sentence = (
            _role(kind, name, nodes)
            if organization_terms.role(kind)
            else f"{_belong(kind, name, nodes)}."
        )
        yield _Fact(organization_terms.meaning(kind), sentence, nodes[:SHOWN])
    for kind, nodes in below.items():
        if organization_terms.unit(kind) and len(nodes) > len(under.get(kind, ())):
            yield _Fact(
                organization_terms.meaning(kind),
                f"At all levels, {_belong(kind, name, nodes)}.",
                nodes[:SHOWN],
            )


def _way_up(mention: Mention, above: Sequence[EntityNode]) -> str:
    kind = mention.node.kind
    first, *others = (_with_kind(node) for node in above)
    way = "".join(f", which is part of {node}" for node in others)
    if organization_terms.role(kind):
        return f"{_as_mentioned(mention)} is {kind} of {first}{way}."
    return f"{_as_mentioned(mention, '' if kind == PAGE else kind)} belongs to {first}{way}."


def _role(kind: str, name: str, nodes: Sequence[EntityNode]) -> str:
    """`The lead of Crane is Ida Holm.`"""
    if len(nodes) == 1:
        return f"The {kind} of {name} is {_list(nodes)}."
    return f"The {organization_terms.plural(kind)} of {name} are {_list(nodes)} ({len(nodes)})."


def _belong(kind: str, name: str, nodes: Sequence[EntityNode]) -> str:
    """`7 teams belong to Harbour Operations: …`; parts where no kind is known."""
    one = kind or "part"
    counted = (
        f"1 {one} belongs"
        if len(nodes) == 1
        else f"{len(nodes)} {organization_terms.plural(one)} belong"
    )
    return f"{counted} to {name}: {_list(nodes)}"


def _list(nodes: Sequence[EntityNode]) -> str:
    """The first names, and how many there are besides."""
    more = [f"and {len(nodes) - SHOWN} more"] if len(nodes) > SHOWN else []
    return ", ".join([*(node.name for node in nodes[:SHOWN]), *more])


def _as_mentioned(mention: Mention, kind: str = "") -> str:
    """The name, behind it the one by which the question knows it: `Harbour Operations (also Hafenbetrieb; department)`."""
    name = mention.node.name
    also = f"also {mention.name}" if mention.name.casefold() != name.casefold() else ""
    behind = "; ".join(filter(None, (also, kind)))
    return f"{name} ({behind})" if behind else name


def _with_kind(node: EntityNode) -> str:
    return f"{node.name} ({node.kind})" if node.kind and node.kind != PAGE else node.name


def _by_kind(nodes: Sequence[EntityNode]) -> dict[str, list[EntityNode]]:
    """Nodes by what they are; who leads stands before what is led."""
    found: dict[str, list[EntityNode]] = {}
    for node in sorted(nodes, key=lambda node: not organization_terms.role(node.kind)):
        found.setdefault(node.kind, []).append(node)
    return found
