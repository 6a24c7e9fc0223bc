"""Turns citations of evidence into citations of sources: what the reader sees numbered under the answer.

The answerer cites pieces of evidence by their place in the prompt; several pieces of one section become one source, numbered
in the order of their first citation. A citation of something that was never given is taken out. Code is left as it is: `a[1]` in a
command cites nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.models import Hit, Source

# As asked for: [2], [1][3]. As small models write it all the same: [1, 2], [1-3], [Evidence 2], [[2]], 【2†source】, \[2\], [^2].
_NAME = r"(?:(?:evidence|sources?|pieces?|ref(?:erence)?s?|citations?|quellen?|belege?|nr\.?|no\.?)\s*)?[#^]?\s*"
_NUMBER = rf"{_NAME}(?:[1-9]\d?\s*[-–—]\s*[#^]?\d{{1,2}}|\d+)"  # [0-9] and [2024-2026] are no ranges of citations
_NUMBERS = rf"{_NUMBER}(?:\s*(?:,|;|&|and|und)\s*{_NUMBER})*"
_CITATION = re.compile(
    rf"(?P<gap>\s*)(?:\[\[\s*(?P<double>{_NUMBERS})\s*\]\]|\\?\[\s*(?P<single>{_NUMBERS})\s*\\?\]|【\s*(?P<thick>{_NUMBERS})\s*(?:†[^】\n]*)?】)",
    re.IGNORECASE,
)
_ONE = re.compile(r"(\d+)(?:\s*[-–—]\s*[#^]?(\d+))?")
_REPEATED = re.compile(
    r"(\[\d+\])(?:\s*\1)+"
)  # two pieces of one source, cited one after the other
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)


def cite(text: str, hits: Sequence[Hit]) -> tuple[str, tuple[Source, ...]]:
    """The text with its citations renumbered, and the sources they point to.

    >>> cite("Green [2][9].", [])
    ('Green.', ())
    """
    sources: dict[str, Source] = {}

    def renumber(match: re.Match[str]) -> str:
        numbers = _numbers(_cited(match), len(hits))
        cited = dict.fromkeys(_source(hits[n - 1], sources) for n in numbers if 0 < n <= len(hits))
        return match["gap"] + "".join(f"[{n}]" for n in cited) if cited else ""

    parts = [
        part if is_code else _REPEATED.sub(r"\1", _CITATION.sub(renumber, part))
        for part, is_code in _parts(text)
    ]
    return "".join(parts), tuple(sources.values())


def without_brackets(text: str) -> str:
    """Page text whose own footnotes, such as [1], cannot be taken for citations.

    >>> without_brackets("tripped on reboot [1]")
    'tripped on reboot (1)'
    """
    return _CITATION.sub(lambda match: f"{match['gap']}({_cited(match)})", text)


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, and whether each is code."""
    for number, part in enumerate(_CODE.split(text)):
        yield part, number % 2 == 1


def _cited(match: re.Match[str]) -> str:
    return match["single"] or match["double"] or match["thick"]


def _numbers(text: str, most: int) -> Iterator[int]:
    """`1, 3-5` gives 1, 3, 4, 5; a range ends with what was given."""
    for one in _ONE.finditer(text):
        first, last = int(one[1]), int(one[2] or one[1])
        yield from range(first, max(first, min(last, most)) + 1)


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
        also = dict.fromkeys(
            [*known.also, *((copy.page.title, copy.page.url) for copy in hit.copies)]
        )
        known = known.model_copy(
            update={"evidence_ids": (*known.evidence_ids, hit.evidence.id), "also": tuple(also)}
        )
    sources[url] = known
    return known.number


def _url(hit: Hit) -> str:
    return f"{hit.page.url}#{hit.evidence.anchor}" if hit.evidence.anchor else hit.page.url
