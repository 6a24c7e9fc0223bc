"""Pointing: where on a page that was read as a whole its citations lead.

Such a page is one source. Who follows its link wants the heading under which the words stand that
the answer has of it. What stands before its first citation decides, so a link that was shown while
the answer grew stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.evidence.lexical.analyzer import content_words
from core.markdown.reading import outside
from core.models import Evidence, Hit, Source

_CITATIONS = re.compile(r"(?:\s*\[\d+\])+\Z")


def pointed(text: str, sources: Sequence[Source], hits: Sequence[Hit]) -> tuple[Source, ...]:
    """The sources that a text cites; those that are whole pages lead to the likeliest heading."""
    whole = {hit.evidence.id: hit for hit in hits if hit.whole_page}
    found = []
    for source in sources:
        hit = next((whole[each] for each in source.evidence_ids if each in whole), None)
        found.append(_pointed(source, hit, _cited_for(text, source.number)) if hit else source)
    return tuple(found)


def _cited_for(text: str, number: int) -> str:
    """What stands before the first citation of it, back to another one or the line's begin.

    >>> _cited_for("It is red [1]. It is 5 km [2][3].", 3)
    '. It is 5 km'
    """
    before = ""
    for part, is_code in outside(text):
        found = -1 if is_code else part.find(f"[{number}]")
        before += part if found < 0 else part[:found]
        if found >= 0:
            break
    return re.split(r"\[\d+\]|\n", _CITATIONS.sub("", before))[-1]


def _pointed(source: Source, hit: Hit, words: str) -> Source:
    said = set(content_words(words))
    pieces = (hit.evidence, *hit.block)
    shared = [len(said & _words(piece)) for piece in pieces]
    best = pieces[shared.index(max(shared))]
    if not any(shared) or not best.anchor:
        return source
    heading = best.heading_path[-1] if best.heading_path else ""
    return source.model_copy(update={"heading": heading, "url": f"{hit.page.url}#{best.anchor}"})


def _words(piece: Evidence) -> set[str]:
    return set(content_words(" ".join([*piece.heading_path, piece.text])))
