"""The product on corpora that its weights were chosen without, beside bm25s and SQLite FTS5."""
