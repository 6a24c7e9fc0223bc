"""What every sync of one source works with: the source, the index, and how pages are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.access.policy import Policy
from core.evidence import EvidenceStore
from core.page_source import PageSource
from indexer.parse.formats import BodyFormat
from indexer.sync.extras import Extras


@dataclass(frozen=True)
class SyncParts:
    """Made once for a source; who may read what (`policy`) is read anew in every round."""

    source: PageSource
    store: EvidenceStore
    policy: Policy
    extras: Extras
    formats: Mapping[str, BodyFormat]  # by the names that bodies say
