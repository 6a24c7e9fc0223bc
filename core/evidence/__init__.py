"""The evidence store: pieces of pages in SQL, findable by words (FTS5) and by meaning (Chroma), the two scores fused.

SQL is the truth. A page changes there in one transaction, so a reader sees its old evidence or its new evidence, never a
mixture: whatever the two caches still find of an old version is dropped when it is looked up in SQL.
"""

from core.evidence.store import EvidenceStore, Found

__all__ = ["EvidenceStore", "Found"]
