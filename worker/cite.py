"""Turns citations of evidence into citations of sources: what the reader sees numbered under the answer.

The answerer cites pieces of evidence by their place in the prompt; several pieces of one section become one source, numbered
in the order of their first citation. A citation of something that was never given is taken out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models import Hit, Source

_CITATION = re.compile(r"(\s*)\[(\d+(?:\s*,\s*\d+)*)\]")
_REPEATED = re.compile(r"(\[\d+\])(?:\s*\1)+")  # two pieces of one source, cited one after the other


def cite(text: str, hits: Sequence[Hit]) -> tuple[str, tuple[Source, ...]]:
    """The text with its citations renumbered, and the sources they point to.

    >>> cite("Green [2][9].", [])
    ('Green.', ())
    """
    sources: dict[str, Source] = {}

    def renumber(match: re.Match[str]) -> str:
        numbers = [int(n) for n in match.group(2).split(",")]
        cited = dict.fromkeys(_source(hits[n - 1], sources) for n in numbers if 0 < n <= len(hits))
        return match.group(1) + "".join(f"[{n}]" for n in cited) if cited else ""

    return _REPEATED.sub(r"\1", _CITATION.sub(renumber, text)), tuple(sources.values())


def without_brackets(text: str) -> str:
    """Page text whose own footnotes, such as [1], cannot be taken for citations.

    >>> without_brackets("tripped on reboot [1]")
    'tripped on reboot (1)'
    """
    return _CITATION.sub(r"\1(\2)", text)


def nearest(hits: Sequence[Hit], most: int) -> tuple[Source, ...]:
    """The sections that came closest, when nothing answered."""
    sources: dict[str, Source] = {}
    for hit in hits:
        if len(sources) < most or _url(hit) in sources:
            _source(hit, sources)
    return tuple(sources.values())


def _source(hit: Hit, sources: dict[str, Source]) -> int:
    """The number of this hit's source, which is made or grows by the hit."""
    url = _url(hit)
    known = sources.get(url)
    if known is None:
        known = Source(
            number=len(sources) + 1,
            title=hit.page.title,
            heading=hit.evidence.heading_path[-1] if hit.evidence.heading_path else "",
            url=url,
            space=hit.page.space,
            owner=hit.page.owner,
            updated_at=hit.page.updated_at,
        )
    if hit.evidence.id not in known.evidence_ids:
        known = known.model_copy(update={"evidence_ids": (*known.evidence_ids, hit.evidence.id)})
    sources[url] = known
    return known.number


def _url(hit: Hit) -> str:
    return f"{hit.page.url}#{hit.evidence.anchor}" if hit.evidence.anchor else hit.page.url
