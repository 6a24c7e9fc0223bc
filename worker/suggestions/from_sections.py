"""Suggests from sections: others of the cited pages, and those that the search found elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from core.evidence.lexical.analyzer import content_words
from core.models import Evidence, Hit, Kind, Page
from worker.suggestions.candidates import Candidate, Neighbourhood, candidate
from worker.suggestions.question_templates import short_title

RELATED = 0.6  # of the best hit's score that a hit on another page must have


def sections(around: Neighbourhood) -> Iterator[Candidate]:
    """Other sections of the cited pages, those that follow first."""
    for page, cited in around.cited_pages().items():
        last_cited = max(piece.position for piece in cited)
        named = {piece.heading_path for piece in cited}
        for section in _by_distance(around.pieces[page.key], last_cited):
            if section[0].heading_path not in named:
                yield from _section(around, page, section)


def _by_distance(
    pieces: Sequence[Evidence],
    here: int,
) -> list[list[Evidence]]:
    """The pieces under one heading together; sections that follow `here` first, nearest first."""

    def distance(section: Sequence[Evidence]) -> tuple[bool, int]:
        position = section[0].position
        return position < here, abs(position - here)

    by_heading = groupby(pieces, key=lambda piece: piece.heading_path)
    return sorted((list(section) for _, section in by_heading), key=distance)


def other_pages(around: Neighbourhood) -> Iterator[Candidate]:
    """Found sections of pages that are not cited; children and siblings of the cited ones first."""
    cited = {page.key for page in around.cited_pages()}
    related: list[Hit] = []
    best = max((hit.score for hit in around.turn.hits), default=0.0)
    for hit in around.turn.hits:
        if hit.page.key in cited or hit.evidence.kind is Kind.PLACE:
            continue
        if hit.score >= RELATED * best:
            related.append(hit)
    parents = set(cited)
    for hit in around.turn.cited:
        if hit.page.parent is not None:
            parents.add(hit.page.parent)
    related.sort(key=lambda hit: hit.page.parent not in parents)
    yield from _found(around, related)


def nearest(around: Neighbourhood) -> Iterator[Candidate]:
    """Where nothing answered: the best sections, if they have to do with the question at all."""
    asked = set(content_words(around.turn.completed.question))
    near: list[Hit] = []
    for hit in around.turn.cited:
        shared = asked & _terms(hit)
        if asked and len(shared) * 2 >= len(asked):
            near.append(hit)
    yield from _found(around, near)


def _terms(hit: Hit) -> set[str]:
    piece = hit.evidence
    texts = [hit.page.title, *piece.heading_path, piece.text]
    return set(content_words(" ".join(texts)))


def _found(around: Neighbourhood, hits: Iterable[Hit]) -> Iterator[Candidate]:
    for hit in hits:
        path = hit.evidence.heading_path
        of_page = around.pieces.get(hit.page.key, ())
        section = [piece for piece in of_page if piece.heading_path == path]
        if section and around.can_ask(hit.page):
            yield from _section(around, hit.page, section)


def _section(
    around: Neighbourhood,
    page: Page,
    section: Sequence[Evidence],
) -> Iterator[Candidate]:
    path = section[0].heading_path
    if not path or section[0].kind is Kind.CHILD_PAGES:
        return
    heading = around.natural(path[-1], page)
    wordings: dict[str, None] = {}
    for title in (page.title, short_title(page.title)):
        wordings |= dict.fromkeys(around.words.section(title, heading))
    texts = [piece.text for piece in section]
    found = candidate(page, tuple(wordings), path[-1], texts, section)
    if found:
        yield found
