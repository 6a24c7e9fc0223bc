"""Metrics of the indexer: how old the index is, and what of it is missing, whenever they are asked.

No space is named: some are a person's own.
"""

from __future__ import annotations

from datetime import datetime

from prometheus_client import CollectorRegistry, Gauge
from sqlalchemy.exc import SQLAlchemyError

from core.storage import clock
from core.storage.database import Database
from indexer.sync.status import SpaceStatus, status_of_spaces


class IndexNumbers:
    """Over all spaces; nothing while the database does not answer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def now(self) -> CollectorRegistry:
        registry = CollectorRegistry()
        try:
            spaces = [each for each in status_of_spaces(self._database) if each.space]
        except SQLAlchemyError:
            return registry
        _ages(spaces, registry)
        _counts(spaces, registry)
        return registry


def _ages(spaces: list[SpaceStatus], registry: CollectorRegistry) -> None:
    complete = [each.last_complete for each in spaces]
    if not all(complete):
        return
    oldest = min(map(datetime.fromisoformat, complete), default=None)
    if oldest is None:
        return
    age = Gauge(
        "groundwire_sync_age_seconds",
        "Since the last complete sync of the space that waits longest; none before the first.",
        registry=registry,
    )
    age.set(clock.now() - oldest.timestamp())


def _counts(spaces: list[SpaceStatus], registry: CollectorRegistry) -> None:
    pages = Gauge("groundwire_pages", "Pages by their state.", ["state"], registry=registry)
    pages.labels("indexed").set(sum(each.pages for each in spaces))
    pages.labels("withheld").set(sum(each.withheld for each in spaces))
    pages.labels("hidden").set(sum(each.hidden for each in spaces))
    pages.labels("failing").set(sum(len(each.failures) for each in spaces))
    failed = sum(1 for each in spaces if each.last_error)
    synced = Gauge(
        "groundwire_spaces", "Spaces by how their last sync ended.", ["last"], registry=registry
    )
    synced.labels("failed").set(failed)
    synced.labels("good").set(len(spaces) - failed)
    files = Gauge("groundwire_files", "Attachments by their state.", ["state"], registry=registry)
    for each in spaces:
        for state, count in each.attachments.items():
            files.labels(state).inc(count)
