"""A console without a question in it."""

from __future__ import annotations

import pytest
from closable import Closable
from consoled import Consoled

from core.evidence import EvidenceStore


@pytest.fixture
def console(store: EvidenceStore) -> Consoled:
    return Consoled(store, Closable())
