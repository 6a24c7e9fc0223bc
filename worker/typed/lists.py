"""Leads over a whole list: how many items it has."""

from __future__ import annotations

from collections.abc import Sequence

from core import grammar
from core.evidence.lexical.analyzer import words
from core.evidence.lexical.page_status import is_unsettled
from core.language.sentences import Sentences
from core.models import Hit, Kind
from core.structure import ListItem
from worker.typed.asked import Operation, TypedQuestion, content
from worker.typed.tables.said_otherwise import behind, changes, is_annulled, is_denied
from worker.typed.written import cited, fits, listed, plain

LONGEST_NAMES = 240  # characters of all items that a sentence can name
_STEPS = frozenset(content(" ".join(grammar.merged().headings.steps)))


def in_list(say: Sentences, asked: TypedQuestion, hits: Sequence[Hit]) -> str:
    """`Steps: 3`, where exactly one list has all the words of the question above it."""
    if asked.operation is not Operation.COUNT or not asked.noun:
        return ""
    found = [
        (number, hit)
        for number, hit in enumerate(hits, start=1)
        if _counts(asked, hit) and not is_unsettled(hit.page)
    ]
    if len(found) != 1:
        return ""
    number, hit = found[0]
    items = _items(hit)
    names = [item.text for item in items]
    scope = plain(_scope(hit))
    if fits(*names) and sum(map(len, names)) <= LONGEST_NAMES:
        sentence = say("lead-count", scope=scope, count=len(names), names=listed(say, names))
    else:
        sentence = say("lead-items", scope=scope, count=len(names))
    return cited(sentence, [number])


def _counts(asked: TypedQuestion, hit: Hit) -> bool:
    """Whether this is the whole list of what is asked for, and it says how many there are."""
    piece = hit.evidence
    is_cut = piece.before.is_list or piece.after.is_list
    if piece.kind is not Kind.LIST or is_cut or len(_items(hit)) < 2:
        return False
    above = _above(hit)
    if is_denied(above) or is_annulled(item.text for item in _items(hit)) or changes(behind(piece)):
        return False
    if any(map(str.isdigit, _scope(hit))):  # `18 beds. Our pages:` counts something itself
        return False
    is_ordered = all(item.mark[:1].isdigit() for item in _items(hit))
    said = set(words(" ".join(above[1:])))
    known = said.union(words(above[0]))
    if is_ordered and asked.noun <= _STEPS:
        return asked.is_within(known | _STEPS | asked.turning)  # `steps to restore it`
    is_of_all = asked.open_terms.union(asked.noun).issuperset(content(_scope(hit)))
    return is_of_all and asked.noun <= said and asked.is_within(known)


def _items(hit: Hit) -> list[ListItem]:
    """Of the outermost level."""
    return [item for item in hit.evidence.items if item.depth == 0]


def _above(hit: Hit) -> list[str]:
    """The page's title, the heading right above the list, and the line that announces it."""
    lines = [item.text for item in hit.evidence.items if item.depth < 0]
    return [hit.page.title, *hit.evidence.heading_path[-1:], *lines]


def _scope(hit: Hit) -> str:
    title, *rest = _above(hit)
    return rest[0].rstrip(":") if rest else title
