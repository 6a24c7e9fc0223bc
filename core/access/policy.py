"""Policy: how the operator reads the permissions of a source; one for indexing and answering."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core import logs
from core.errors import SettingsError
from core.page_source import PageSource, Path, Readers
from core.pages import PageKind
from core.policy.acl import OPEN, Clauses
from core.settings import Settings
from core.settings.values import Folders, PermissionMode

log = logs.get(__name__)


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


def read_policy(settings: Settings, source: PageSource) -> Policy:
    """How the operator reads Confluence's permissions.

    Raises:
        SettingsError: CONFLUENCE_EVERYBODY names a group that the site does not have.
        SourceError: the site does not say which groups it has.
    """
    aware = settings.permission_mode is PermissionMode.AWARE
    if aware and not settings.everybody_groups:
        log.warning(
            "permissions.nobody_is_everybody",
            effect="nothing is shown in channels",
            cure="CONFLUENCE_EVERYBODY",
        )
    return Policy(
        aware=aware,
        everybody=_everybody(settings.everybody_groups, source),
        folders_are_open=settings.confluence_folders is Folders.OPEN,
    )


def _everybody(names: Iterable[str], source: PageSource) -> Readers:
    wanted = set(names)
    known = source.groups() if wanted else {}
    missing = ", ".join(sorted(wanted - known.keys()))
    if missing:
        raise SettingsError(
            f"CONFLUENCE_EVERYBODY: no group {missing} on the site, or not for this account to see"
        )
    return frozenset(known[name] for name in wanted)
