"""Selects the spans to quote: the best one, and what the kind of the question wants beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from core.evidence.lexical.analyzer import content_words
from core.evidence.spans import Span
from core.manner import Length
from core.models import Kind
from core.question import Completed, QuestionKind
from core.structure import Cells
from worker.extractive.rank import ScoredSpan
from worker.extractive.table_rows import Rarity, naming, same_rows

# Further quotes must reach this part of the best one's score, by how much somebody wants to read.
CLOSE = {Length.SHORT: 0.92, Length.NORMAL: 0.92, Length.LONG: 0.8}
FAR = 0.6  # the same for what is compared with the best one
MOST_QUOTES = {Length.SHORT: 1, Length.NORMAL: 3, Length.LONG: 5}
COMPARED = 3  # quotes: fewer would leave out one of two things


def select(
    best: Sequence[ScoredSpan],
    completed: Completed,
    rarity: Rarity,
    length: Length = Length.NORMAL,
) -> list[Span]:
    """The spans to quote, the best first; `best` is not empty.

    Lists and what is compared are never shortened.
    """
    first = best[0]
    if completed.kind is QuestionKind.COMPARISON:
        return _compared(best, completed)
    if first.span.is_row and completed.kind is QuestionKind.LIST:
        spans = [scored.span for scored in best]
        return same_rows(first.span, spans, completed)
    if first.span.hit.evidence.kind in (Kind.LIST, Kind.CODE):
        return [first.span]
    return _alike(best, completed, rarity, length)


def _alike(
    best: Sequence[ScoredSpan],
    completed: Completed,
    rarity: Rarity,
    length: Length,
) -> list[Span]:
    """The best one, and what is nearly as good, of the same kind, and names as much."""
    named = naming(best[0].span, completed, rarity)
    close = _close(best, CLOSE[length])
    alike = [span for span in close if naming(span, completed, rarity) >= named]
    return _distinct(alike, MOST_QUOTES[length])


def _close(best: Sequence[ScoredSpan], share: float) -> Iterator[Span]:
    """What is nearly as good, and of the same kind: two cells beside a sentence would be noise."""
    first = best[0]
    for scored in best:
        is_close = scored.score >= share * first.score
        is_same_kind = scored.span.is_row == first.span.is_row
        if is_close and is_same_kind and scored.asked >= first.asked:
            yield scored.span


def _compared(best: Sequence[ScoredSpan], completed: Completed) -> list[Span]:
    """The best one, then always the one that says most of what is not said yet."""
    open_terms = set(content_words(completed.question))
    enough = FAR * best[0].score
    good = [scored for scored in best if scored.score >= enough]
    if not good:
        return []
    spans = [max(good, key=lambda scored: scored.score).span]
    while len(spans) < COMPARED:
        open_terms -= _terms(spans[-1])
        span = _covering_most(good, open_terms)
        if span is None:
            break
        spans.append(span)
    return spans


def _covering_most(
    good: Sequence[ScoredSpan],
    open_terms: set[str],
) -> Span | None:
    """The span with the most open terms, of several the one with the best score."""

    def rank(scored: ScoredSpan) -> tuple[int, float]:
        return len(_terms(scored.span) & open_terms), scored.score

    best = max(good, key=rank)
    return best.span if _terms(best.span) & open_terms else None


def _terms(span: Span) -> frozenset[str]:
    return span.own_terms | span.context_terms


def _distinct(spans: Sequence[Span], most: int) -> list[Span]:
    """The first few texts that differ, each with every span that has it, since all are cited."""
    by_text: dict[str | Cells, list[Span]] = {}
    for span in spans:
        text = span.cells or span.text
        by_text.setdefault(text, []).append(span)
    first_texts = list(by_text.values())[:most]
    return list(chain.from_iterable(first_texts))
