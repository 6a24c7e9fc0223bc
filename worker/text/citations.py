"""Citations: turns those of evidence into numbered sources, which the reader sees under the answer.

The answerer cites pieces of evidence by their place in the prompt; several pieces of one section
become one source, and so does a page that was read as a whole, numbered in the order of their first
citation. A citation of something that was never given is taken out. Code is left as it is: `a[1]`
in a command cites nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core import grammar
from core.markdown.reading import outside
from core.models import Hit, Source
from core.pages import PageKey
from worker.text.pointing import pointed

NEAR = 0.75  # of the best hit's score, for a page that is named under an excerpt

# As asked for: [2], [1][3]. As models write it all the same: [1, 2], [1-3], [Evidence 2], [see 2],
# [[2]], 【2†source】, \[2\], [^2], [2.], [2, p. 4], [2:1]. The rest: worker.text.other_citations.
_REPLIES = grammar.merged().replies
_NAME = rf"(?:{_REPLIES.citations}[.:]?\s*)?[#^]?"
NUMBER = r"[1-9]\d{0,2}(?!\d)"
# [0-9], [0, 1], [8080], [2024-2026] and E[07] are no citations; [0] alone is one of nothing.
_ONE_OR_RANGE = rf"{_NAME}(?:[1-9]\d?\s*[-–—]\s*[#^]?\d{{1,2}}(?!\d)|{NUMBER})"
_BETWEEN = rf"(?:\s*[,;&]\s*(?:{_REPLIES.and_citation}\s+)?|\s+{_REPLIES.and_citation}\s+)"
_NUMBERS = rf"(?:{_ONE_OR_RANGE}(?:{_BETWEEN}{_ONE_OR_RANGE})*|0)"
_WHERE = r"(?:\.|:\d{1,4}|,?\s*(?:pp?|S)\.\s*\d{1,4})?"  # in the piece
_CITATION = re.compile(
    r"(?P<gap>(?<![^\S\n])[^\S\n]*)(?:"
    rf"\[\[\s*(?P<double>{_NUMBERS})\s*\]\]"
    rf"|\\?\[\s*(?P<single>{_NUMBERS}){_WHERE}\s*\\?\]"
    rf"|【\s*(?P<thick>{_NUMBERS})\s*(?:†[^】\n]*)?】)",
    re.IGNORECASE,
)
_ONE = re.compile(r"(\d{1,4})(?!\d)(?:\s*[-–—]\s*[#^]?(\d{1,4})(?!\d))?")
# A citation behind the fence that closes code would keep it open: CommonMark, 4.5.
_AT_FENCE = re.compile(r"(?m)^([ \t]*(?:`{3,}|~{3,}))[ \t]+(?=\[\d)")
_REPEATED = re.compile(r"(\[\d+\])(?:[^\S\n]*\1)+")  # two pieces of one source, cited in a row


def cite(text: str, hits: Sequence[Hit]) -> tuple[str, tuple[Source, ...]]:
    """The text with its citations renumbered, and the sources they point to.

    >>> cite("Green [2][9].", [])
    ('Green.', ())
    """
    sources: dict[str, Source] = {}

    def renumber(match: re.Match[str]) -> str:
        cited: dict[int, None] = {}
        for n in _numbers(_cited(match), len(hits)):
            if 0 < n <= len(hits):
                cited[_source(hits[n - 1], sources)] = None
        marks = "".join(f"[{n}]" for n in cited)
        return match["gap"] + marks if marks else ""

    parts = []
    for part, is_code in outside(_AT_FENCE.sub(r"\1\n", text)):
        cited = part if is_code else _REPEATED.sub(r"\1", _CITATION.sub(renumber, part))
        parts.append(cited)
    written = "".join(parts)
    return written, pointed(written, list(sources.values()), hits)


def without_brackets(text: str) -> str:
    """Page text whose own footnotes, such as [1], cannot be taken for citations.

    >>> without_brackets("tripped on reboot [1]")
    'tripped on reboot (1)'
    """
    return _CITATION.sub(lambda match: f"{match['gap']}({_cited(match)})", text)


def _cited(match: re.Match[str]) -> str:
    return match["single"] or match["double"] or match["thick"]


def separately(text: str, most: int) -> str:
    """Each number in brackets of its own: `[1, 3]` becomes `[1][3]`; `most` is the last hit's."""

    def apart(match: re.Match[str]) -> str:
        return match["gap"] + "".join(f"[{n}]" for n in numbers_in(_cited(match), most))

    return _CITATION.sub(apart, text)


def numbers_in(text: str, most: int) -> list[int]:
    """Those of a citation up to the number of the last hit; a range ends there.

    >>> numbers_in("1, 3-5, 2024", 9)
    [1, 3, 4, 5]
    """
    return [number for number in _numbers(text, most) if 0 < number <= most]


def _numbers(text: str, most: int) -> Iterator[int]:
    for one in _ONE.finditer(text):
        first, last = int(one[1]), int(one[2] or one[1])
        yield from range(first, max(first, min(last, most)) + 1)


def nearest(hits: Sequence[Hit], most: int) -> tuple[Source, ...]:
    """The pages that came closest, when nothing answered, each where it did."""
    sources: dict[str, Source] = {}
    seen = set[PageKey]()
    for hit in hits:
        is_new = hit.page.key not in seen and len(seen) < most
        if is_new or _url(hit) in sources:
            seen.add(hit.page.key)
            _source(hit, sources)
    return tuple(sources.values())


def next_best(hits: Sequence[Hit], cited: Iterable[Source], most: int) -> tuple[Source, ...]:
    """Pages that nothing is cited from and whose score is near that of the best hit.

    A page with the text of a cited one is no other page.
    """
    shown_ids = {each for source in cited for each in source.evidence_ids}
    shown = {
        copy.page.key for hit in hits if hit.evidence.id in shown_ids for copy in hit.everywhere
    }
    enough = NEAR * max((hit.score for hit in hits), default=0.0)
    sources: dict[PageKey, Source] = {}
    for hit in hits:
        is_near = not hit.aside and 0 < enough <= hit.score
        if is_near and hit.page.key not in shown and len(sources) < most:
            sources.setdefault(hit.page.key, _new_source(hit, number=0))
    return tuple(sources.values())


def _source(hit: Hit, sources: dict[str, Source]) -> int:
    """The number of this hit's source, which is created or extended by the hit."""
    url = _url(hit)
    source = sources.get(url) or _new_source(hit, number=len(sources) + 1)
    if hit.evidence.id not in source.evidence_ids:
        also = dict.fromkeys(source.also)
        also |= dict.fromkeys((copy.page.title, copy.page.url) for copy in hit.copies)
        ids = (*source.evidence_ids, hit.evidence.id)
        source = source.model_copy(
            update={
                "evidence_ids": ids,
                "also": tuple(also),
            }
        )
    sources[url] = source
    return source.number


def _new_source(hit: Hit, *, number: int) -> Source:
    path = () if hit.whole_page else hit.evidence.heading_path
    return Source(
        number=number,
        title=hit.page.title,
        heading=path[-1] if path else "",
        url=_url(hit),
        space=hit.page.space,
        owner=hit.page.owner,
        updated_at=hit.page.updated_at,
    )


def _url(hit: Hit) -> str:
    anchor = "" if hit.whole_page else hit.evidence.anchor
    return f"{hit.page.url}#{anchor}" if anchor else hit.page.url
