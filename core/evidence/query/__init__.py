"""Query understanding: query expansion, by neighbouring words in any language."""
