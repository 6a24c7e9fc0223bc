"""Writes statements about an entity: what it belongs to, what belongs to it, and how many.

One sentence a line, each readable alone: a name may hold a full stop, and a quote must not be cut
there. When the question asks for one thing, such as departments or who leads, only that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import organization_terms
from core.language.sentences import Sentences
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
    say: Sentences,
) -> Statement | None:
    """What there is to say of a mentioned node; None when that is nothing."""
    facts = _wanted(list(_facts(say, mention, view)), about)
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


def _facts(say: Sentences, mention: Mention, view: View) -> Iterator[_Fact]:
    node, name = mention.node, _as_mentioned(say, mention)
    above = view.above(node)[:LEVELS]
    if above:
        yield _Fact("", _way_up(say, mention, above), above)
    under = _by_kind(view.under(node))
    below = _by_kind(view.below(node))
    for kind, nodes in under.items():
        about = organization_terms.meaning(kind)
        if organization_terms.role(kind):
            sentence = _role(say, kind, name, nodes)
        else:
            named = _belonging(say, kind, name, nodes)
            sentence = say("place-under", count=len(nodes), **named)
        yield _Fact(about, sentence, nodes[:SHOWN])
    for kind, nodes in below.items():
        directly_under = under.get(kind, [])
        if organization_terms.unit(kind) and len(nodes) > len(directly_under):
            about = organization_terms.meaning(kind)
            named = _belonging(say, kind, name, nodes)
            sentence = say("place-under-all", count=len(nodes), **named)
            yield _Fact(about, sentence, nodes[:SHOWN])


def _way_up(say: Sentences, mention: Mention, above: Sequence[EntityNode]) -> str:
    kind = mention.node.kind
    *parts, whole = [_with_kind(say, node) for node in above]
    for part in reversed(parts):
        whole = say("place-part-of", part=part, whole=whole)
    if organization_terms.role(kind):
        role = _kind(say, kind, 1)
        return say("place-is", name=_as_mentioned(say, mention), role=role, whole=whole)
    shown_kind = "" if kind == PAGE else kind
    return say("place-belongs", name=_as_mentioned(say, mention, shown_kind), whole=whole)


def _role(say: Sentences, kind: str, name: str, nodes: Sequence[EntityNode]) -> str:
    """`The lead of Crane is Ida Holm.`"""
    role = _kind(say, kind, len(nodes))
    people = _list(say, nodes)
    return say("place-role", count=len(nodes), role=role, name=name, people=people)


def _belonging(say: Sentences, kind: str, name: str, nodes: Sequence[EntityNode]) -> dict[str, str]:
    """What the sentence `7 teams belong to Harbour Operations: …` names."""
    return {"kind": _kind(say, kind, len(nodes)), "name": name, "listed": _list(say, nodes)}


def _kind(say: Sentences, kind: str, number: int) -> str:
    """A kind in the language of the sentence, where the catalogue has it; else as it is written."""
    key = f"unit-{kind}"
    if key not in say and kind.casefold() == organization_terms.role(kind):
        key = f"unit-{organization_terms.meaning(kind)}"  # a role in other words
    if key in say:
        return say(key, count=number)
    return kind if number == 1 else organization_terms.plural(kind)


def _list(say: Sentences, nodes: Sequence[EntityNode]) -> str:
    """The first names, and how many there are besides."""
    names = [node.name for node in nodes[:SHOWN]]
    if len(nodes) > SHOWN:
        names.append(say("and-more", count=len(nodes) - SHOWN))
    return ", ".join(names)


def _as_mentioned(say: Sentences, mention: Mention, kind: str = "") -> str:
    """Both names: `Harbour Operations (also Hafenbetrieb; department)`."""
    name = mention.node.name
    is_alias = mention.name.casefold() != name.casefold()
    also = say("place-alias", name=mention.name) if is_alias else ""
    shown_kind = _kind(say, kind, 1) if kind else ""
    details = "; ".join(filter(None, (also, shown_kind)))
    return f"{name} ({details})" if details else name


def _with_kind(say: Sentences, node: EntityNode) -> str:
    if node.kind in ("", PAGE):
        return node.name
    return f"{node.name} ({_kind(say, node.kind, 1)})"


def _by_kind(nodes: Sequence[EntityNode]) -> dict[str, list[EntityNode]]:
    """Nodes by what they are; who leads stands before what is led."""
    roles_first = sorted(nodes, key=lambda node: not organization_terms.role(node.kind))
    found: dict[str, list[EntityNode]] = {}
    for node in roles_first:
        found.setdefault(node.kind, []).append(node)
    return found
