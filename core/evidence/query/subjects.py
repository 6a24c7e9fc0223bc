"""Which pages a question names, and whether it names a subject of other pages.

By the titles of pages that the reader may see.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from core.evidence.lexical.analyzer import asked
from core.evidence.lexical.bm25f import BM25F, Alternatives
from core.evidence.lexical.readable import Readable
from core.pages import PageKey


def titles_named(readable: Readable, question: str) -> list[str]:
    """The titles, of two words or more, that a question names completely."""
    said = {word.terms[0] for word in asked(question)}
    snapshot = readable.snapshot
    titles = enumerate(snapshot.title_terms)
    pages = [place for place, terms in titles if len(terms) > 1 and terms <= said]
    if not pages:
        return []
    return [snapshot.titles[place] for place in pages if readable.pages[place]]


def has_new_subject(
    readable: Readable,
    question: str,
    known: Collection[PageKey],
    ranking: BM25F,
) -> bool:
    """Whether a word is the subject of other pages, and these known ones do not have it.

    A subject stands in the title of at least half of the pages that have the word.
    """
    snapshot = readable.snapshot
    there = set(np.flatnonzero(readable.pages).tolist())
    for word in asked(question):
        term = word.terms[0]
        alone = [Alternatives(1.0, ((term, 1.0),))]
        scores = snapshot.pages.scores(alone, ranking)
        having = there.intersection(np.flatnonzero(scores).tolist())
        titled = sum(term in snapshot.title_terms[place] for place in having)
        is_subject = having and 2 * titled >= len(having)
        if is_subject and not any(snapshot.page_keys[place] in known for place in having):
            return True
    return False
