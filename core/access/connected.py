"""The authorizer of an installation: connected to its site, and to the witness if there is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from core.access.authorizer import Authorizer
from core.access.policy import read_policy
from core.access.verdicts import Freshness
from core.confluence import connect_live, witness
from core.page_source import Viewer
from core.settings import Settings
from core.storage.database import Database


def connected(
    chosen: Settings,
    database: Database,
    own_eyes: Callable[[str], Viewer | None] = lambda _account: None,
) -> Authorizer:
    """Asks the site that the settings name; `own_eyes` are those of linked accounts.

    Raises:
        SettingsError: a setting of Confluence is missing or cannot be used.
    """
    site = connect_live(chosen)
    eyes = witness(chosen)
    return Authorizer(
        database,
        sources={site.name: site},
        policy=cache(lambda: read_policy(chosen, site)),
        spaces=frozenset(chosen.space_keys),
        freshness=Freshness(
            valid_s=chosen.confirm_valid_s,
            grace_s=chosen.confirm_grace_s,
            grace_spaces=frozenset(chosen.grace_space_keys),
        ),
        witnesses={site.name: eyes} if eyes else {},
        own_eyes=own_eyes,
    )
