"""The evidence store: pieces of pages in SQL, found by words (in memory) and meaning (vectors).

SQL is the truth. A page changes there in one transaction, so a reader sees its old evidence or its
new evidence, never a mixture: whatever the two caches still find of an old version, or of what a
reader may not see, is dropped when it is looked up in SQL.

    store     what the indexer does: replace and hide pages, change who may read them
    search    what the worker does: the best pieces that a reader may see
    by_words  the same in memory, for texts made of the pages' own words
    filters   which pages a question is about, where it says so
    blocks    the pieces around a hit
    spans     the sentences, items and rows of pieces, which answers quote
    lexical   words: from text to terms, and which pieces hold them; BM25F
    dense     meaning: vectors, the live collection, and its rebuild
    query     query expansion and spelling correction
    ranking   every weight; all scores of a question fused into one order; deduplicated hits
"""

from core.evidence.dense.collections import Dense
from core.evidence.query.word_neighbours import WordNeighbours
from core.evidence.search import EvidenceSearch, Query, SearchResult
from core.evidence.store import EvidenceStore

__all__ = ["Dense", "EvidenceSearch", "EvidenceStore", "Query", "SearchResult", "WordNeighbours"]
