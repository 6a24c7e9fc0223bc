"""Access control at query time: keeps the evidence that may be shown now, by the authorizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from core.access.authorizer import MOST_REQUESTS, OF_WIDENING
from core.access.verdicts import Verdicts
from core.evidence import SearchResult
from core.models import Copy, Hit, Note
from core.pages import PageKey
from core.policy.acl import Reader


class AccessControl(Protocol):
    """Who decides, see core.access.authorizer."""

    def check(self, pages: Sequence[PageKey], reader: Reader, *, most: int) -> Verdicts: ...
    def check_all(self, pages: Iterable[PageKey], reader: Reader) -> Verdicts: ...


@dataclass(frozen=True)
class Confirmed:
    """The evidence that a reader may be shown right now."""

    hits: tuple[Hit, ...]
    verdicts: Verdicts

    @property
    def unchecked(self) -> bool:
        """Of some pages nobody knows: their source did not answer."""
        return bool(self.verdicts.failed)

    @property
    def as_of(self) -> float | None:
        """See Verdicts."""
        return self.verdicts.as_of


class LiveAccess:
    """Drops the evidence that the reader may not read any more."""

    def __init__(self, control: AccessControl) -> None:
        self._control = control

    def confirmed(
        self,
        hits: Sequence[Hit],
        reader: Reader,
        *,
        most: int = MOST_REQUESTS,
    ) -> Confirmed:
        """The hits that may be shown, with the copies that may; asked with so many requests."""
        verdicts = self._control.check(list(_in_order(hits)), reader, most=most)
        return _within(hits, verdicts)

    def widened(self, confirmed: Confirmed, hits: Sequence[Hit], reader: Reader) -> Confirmed:
        """The same with what stands beside it, of which the pages that are new are asked about.

        The others were confirmed a moment ago. Some of them by an answer before this one: asked
        again, what is used again for a part of its time may be just too old, and that would take
        out what was found.
        """
        known = confirmed.verdicts
        new = [page for page in _in_order(hits) if page not in known]
        return _within(hits, known | self._control.check(new, reader, most=OF_WIDENING))


def _within(hits: Sequence[Hit], verdicts: Verdicts) -> Confirmed:
    left = (within(hit, verdicts.allowed) for hit in hits)
    return Confirmed(tuple(hit for hit in left if hit is not None), verdicts)


def within(hit: Hit, readable: Set[PageKey]) -> Hit | None:
    """What of a hit gives away none but these pages; None for nothing.

    The first copy that is left takes the hit's place; a block belongs to its own page.
    """
    left = [copy for copy in hit.everywhere if copy.pages <= readable]
    if not left:
        return None
    first, *copies = left
    own = hit.block if first.page == hit.page else ()
    block = [piece for piece in own if Copy(evidence=piece, page=hit.page).pages <= readable]
    changes = {
        "evidence": first.evidence,
        "page": first.page,
        "copies": tuple(copies),
        "block": tuple(block),
    }
    return hit.model_copy(update=changes)


def notes(found: SearchResult, confirmed: Confirmed) -> Iterator[Note]:
    """What readers must know of the search."""
    if confirmed.unchecked:
        yield Note.UNCHECKED
    if found.words_only:
        yield Note.WORDS_ONLY
    if found.conditions_dropped:
        yield Note.CONDITIONS_DROPPED


def _in_order(hits: Sequence[Hit]) -> Iterator[PageKey]:
    """The pages that the hits give away: their own, then those that they name, then copies'."""
    for hit in hits:
        yield hit.page.key
    for hit in hits:
        yield from sorted(hit.everywhere[0].pages)
    for hit in hits:
        yield from sorted(hit.pages)
