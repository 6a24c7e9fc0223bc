"""Policy: how the operator reads the permissions of a source; one for indexing and answering."""

from __future__ import annotations

from dataclasses import dataclass

from core.page_source import Path, Readers
from core.pages import PageKind
from core.policy.acl import OPEN, Clauses


@dataclass(frozen=True)
class Policy:
    """What of the permissions counts, and what the operator vouches for."""

    # PERMISSION_MODE: pages for some are indexed too, with their ACL
    aware: bool = False
    # groups that everybody in Slack belongs to: a clause with one of them is no clause
    everybody: Readers = frozenset()
    # Confluence reports no restrictions of folders (CONFCLOUD-82920); unless open, they deny
    folders_are_open: bool = False

    def clause(self, readers: Readers) -> Clauses:
        """The clause of these readers, of which an empty set means that nobody is kept out."""
        is_open = not readers or not readers.isdisjoint(self.everybody)
        return OPEN if is_open else frozenset({readers})

    def is_closed(self, kind: PageKind) -> bool:
        """Whether nobody is shown what stands under this, since its restrictions are unknown."""
        return not kind.is_indexed and not self.folders_are_open

    def clauses(self, path: Path, space: Clauses) -> Clauses | None:
        """Who may read the page at the end of a path; None for nobody."""
        found = space
        for level in path.levels:
            if level.readers is None or self.is_closed(level.kind):
                return None
            found |= self.clause(level.readers)
        return found
