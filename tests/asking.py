"""Authorizers for tests: a confirmation of theirs counts for a moment only."""

from __future__ import annotations

from core.access.authorizer import Authorizer
from core.access.policy import read_policy
from core.access.verdicts import Freshness
from core.page_source import PageSource
from core.settings import Settings
from core.settings.values import PermissionMode
from core.storage.database import Database

AT_ONCE = Freshness(valid_s=1e-6)  # every question is asked anew
AWARE = Settings(permission_mode=PermissionMode.AWARE, confluence_everybody="confluence-users")


def authorizer(database: Database, *sources: PageSource, chosen: Settings = AWARE) -> Authorizer:
    """Of these sources, by default in the permission-aware mode; the first one knows the groups."""
    return Authorizer(
        database,
        sources={source.name: source for source in sources},
        policy=lambda: read_policy(chosen, sources[0]),
        freshness=AT_ONCE,
    )
