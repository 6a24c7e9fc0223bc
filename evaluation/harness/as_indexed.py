"""Access as indexed: for measuring on folders of pages, where there is no source to be asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.access.authorizer import MOST_REQUESTS
from core.access.verdicts import Verdicts
from core.pages import PageKey
from core.policy.acl import Reader


class AsIndexed:
    """Lets everybody read what the search lets them find."""

    def check(
        self,
        pages: Sequence[PageKey],
        reader: Reader,
        *,
        most: int = MOST_REQUESTS,
    ) -> Verdicts:
        del reader, most
        return Verdicts(frozenset(pages))

    def check_all(self, pages: Iterable[PageKey], reader: Reader) -> Verdicts:
        return self.check(list(pages), reader)
