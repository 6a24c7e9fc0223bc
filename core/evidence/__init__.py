"""The evidence store: pieces of pages in SQL, findable by words (in memory) and by meaning (Chroma), the two scores fused.

SQL is the truth. A page changes there in one transaction, so a reader sees its old evidence or its new evidence, never a
mixture: whatever the two caches still find of an old version, or of what a reader may not see, is dropped when it is looked up
in SQL.

    store        what the indexer does: replace and hide pages, change who may read them
    search       what the worker does: the best pieces that a reader may see
    live         which collection and embedder are in use; rebuild makes others beside them and switches
    ranking      every weight
    analyze, dates, incoming, lexical, postings     words: from text to terms, and which pieces hold them
    understood, spelling, bridge            a question's words, and what stands for those that no page has
    vectors, nearest, remembered            meaning
    conditions   which pages a question is about, where it says so
    legs, fuse   all scores of a question, and one order from them
    same, standing   pieces that say the same become one, and which page then speaks
"""

from core.evidence.dense.collections import Dense
from core.evidence.query.word_neighbours import WordNeighbours
from core.evidence.search import EvidenceSearch, Query, SearchResult
from core.evidence.store import EvidenceStore

__all__ = ["Dense", "EvidenceSearch", "EvidenceStore", "Query", "SearchResult", "WordNeighbours"]
