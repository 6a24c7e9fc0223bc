"""Which pages a question names, and whether it names a subject of other pages.

By the titles of pages that the reader may see.
"""

from __future__ import annotations

from collections.abc import Collection

from core.evidence.lexical.analyzer import asked
from core.evidence.readable import Readable
from core.pages import PageKey


def titles_named(readable: Readable, question: str) -> list[str]:
    """The titles, of two words or more, that a question names completely."""
    return readable.titles_named({word.terms[0] for word in asked(question)})


def has_new_subject(readable: Readable, question: str, known: Collection[PageKey]) -> bool:
    """Whether a word is the subject of other pages, and these known ones do not have it.

    A subject stands in the title of at least half of the pages that have the word.
    """
    return any(readable.is_subject_elsewhere(word.terms[0], known) for word in asked(question))
