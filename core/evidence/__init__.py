"""The evidence store: pieces of pages in SQL, findable by words (FTS5) and by meaning (Chroma), the two scores fused.

SQL is the truth. A page changes there in one transaction, so a reader sees its old evidence or its new evidence, never a
mixture: whatever the two caches still find of an old version, or of what a reader may not see, is dropped when it is looked up
in SQL.

    store        what the indexer does: replace and hide pages, change who may read them
    search       what the worker does: the best pieces that a reader may see
    live         which collection and embedder are in use; rebuild makes others beside them and switches
    lexical, bm25f, analyze, nearest, vectors, fuse      the parts of a search
"""

from core.evidence.live import Dense
from core.evidence.search import EvidenceSearch, Found
from core.evidence.store import EvidenceStore

__all__ = ["Dense", "EvidenceSearch", "EvidenceStore", "Found"]
