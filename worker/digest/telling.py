"""Has a digest shown: its pages are confirmed for everybody, then a speaker posts or updates it."""

from __future__ import annotations

from core.digest import digests
from core.jobs.afterwards import PutOff, put_off
from core.policy.acl import EVERYBODY
from worker.bootstrap import WorkerParts


def confirm(parts: WorkerParts, digest_id: str) -> None:
    """What no source confirms now, the gate lets nobody name."""
    digest = digests.load(parts.database, digest_id)
    if digest is None:
        return
    parts.authorizer.check_all(digest.shows.pages, EVERYBODY)
    put_off(parts.database, PutOff.DIGEST, team=digest.team, once=digest_id, digest_id=digest_id)


def tell(parts: WorkerParts) -> None:
    """All that do not stand in Slack as they are now."""
    for digest_id in digests.to_be_shown(parts.database):
        confirm(parts, digest_id)
