"""Access control at query time: keeps the evidence that may be shown now, by the authorizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from core.access.authorizer import MOST_REQUESTS
from core.access.verdicts import Verdicts
from core.models import Evidence, Hit
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
    unchecked: bool = False  # of some pages nobody knows: their source did not answer
    as_of: float | None = None  # see Verdicts


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
        left = tuple(_only_readable(hits, verdicts.allowed))
        return Confirmed(left, bool(verdicts.failed), verdicts.as_of)


def _in_order(hits: Sequence[Hit]) -> Iterator[PageKey]:
    """The pages that the hits give away, the best hits' first, and copies after all of them."""
    for hit in hits:
        yield hit.page.key
        yield from sorted(hit.everywhere[0].pages)
    for hit in hits:
        yield from sorted(hit.pages)


def _only_readable(
    hits: Sequence[Hit],
    readable: Set[PageKey],
) -> Iterator[Hit]:
    """Hits with the copies that may be read; the first of these takes the hit's place."""
    for hit in hits:
        left = [copy for copy in hit.everywhere if copy.pages <= readable]
        if left:
            first, *copies = left
            changes = {
                "evidence": first.evidence,
                "page": first.page,
                "copies": tuple(copies),
                "block": _readable_block(hit, readable) if first.page == hit.page else (),
            }
            yield hit.model_copy(update=changes)


def _readable_block(hit: Hit, readable: Set[PageKey]) -> tuple[Evidence, ...]:
    """The rest of its block, without pieces that name pages that may not be shown."""
    return tuple(piece for piece in hit.block if hit.pages_of(piece) <= readable)
