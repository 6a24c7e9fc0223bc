"""Authorizers for tests: a confirmation of theirs counts for a moment only."""

from __future__ import annotations

from core.access.authorizer import Authorizer
from core.access.policy import Policy
from core.access.verdicts import Freshness
from core.page_source import PageSource
from core.storage.database import Database

AT_ONCE = Freshness(valid_s=1e-6)  # every question is asked anew
AWARE = Policy(aware=True, everybody=frozenset({"group:confluence-users"}))


def authorizer(
    database: Database,
    *sources: PageSource,
    policy: Policy = AWARE,
    freshness: Freshness = AT_ONCE,
) -> Authorizer:
    return Authorizer(
        database,
        sources={source.name: source for source in sources},
        policy=lambda: policy,
        freshness=freshness,
    )
