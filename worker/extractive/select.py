"""Selects what is shown: the span that answers best, and what the kind of the question wants."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence.lexical.analyzer import content_words
from core.evidence.spans import Span
from core.manner import Length
from core.pages import PageKey
from core.question import Completed, QuestionKind
from worker.extractive.rank import ScoredSpan
from worker.extractive.table_rows import Rarity, naming, same_rows

# Another place is shown from this part of the best one's score, by how much somebody wants to read.
CLOSE = {Length.SHORT: 2.0, Length.NORMAL: 0.8, Length.LONG: 0.7}
CLOSE_ROWS = 0.92  # the same for further rows of one table
FAR = 0.6  # the same for what is compared with the best one
MOST_PLACES = {Length.SHORT: 1, Length.NORMAL: 4, Length.LONG: 6}
COMPARED = 3  # spans: fewer would leave out one of two things

Where = tuple[PageKey, str]


def where(span: Span) -> Where:
    """What is shown together: rows of one table, or spans of one piece."""
    piece = span.hit.evidence
    return span.hit.page.key, f"table {piece.table_number}" if span.is_row else piece.id


def select(
    best: Sequence[ScoredSpan],
    completed: Completed,
    rarity: Rarity,
    length: Length = Length.NORMAL,
) -> list[ScoredSpan]:
    """The spans to show, the best first; `best` is not empty."""
    if completed.kind is QuestionKind.COMPARISON:
        return _compared(best, completed)
    first = best[0]
    chosen = _rows(best, completed, rarity) if first.span.is_row else [first]
    shown = {where(scored.span) for scored in chosen}
    said = {(scored.span.text, scored.span.cells) for scored in chosen}
    for scored in best:
        place = where(scored.span)
        says_same = (scored.span.text, scored.span.cells) in said and place not in shown
        is_close = scored.score >= CLOSE[length] * first.score
        has_room = len(shown) < MOST_PLACES[length]
        if says_same:
            chosen.append(scored)
        elif is_close and has_room and place not in shown:
            shown.add(place)
            said.add((scored.span.text, scored.span.cells))
            chosen.append(scored)
    return chosen


def _rows(
    best: Sequence[ScoredSpan], completed: Completed, rarity: Rarity
) -> list[ScoredSpan]:
    """The rows of one table that answer: all that match a list, else those nearly as good."""
    first = best[0]
    of_table = [each for each in best if where(each.span) == where(first.span)]
    if completed.kind is QuestionKind.LIST:
        spans = [each.span for each in of_table]
        matching = same_rows(first.span, spans, completed)
        by_span = {id(each.span): each for each in of_table}
        return [by_span[id(span)] for span in matching]
    named = naming(first.span, completed, rarity)
    alike: list[ScoredSpan] = []
    for each in of_table:
        is_close = each.score >= CLOSE_ROWS * first.score
        if is_close and naming(each.span, completed, rarity) >= named:
            alike.append(each)
    return alike


def _compared(best: Sequence[ScoredSpan], completed: Completed) -> list[ScoredSpan]:
    """The best one, then always the one that says most of what is not said yet."""
    open_terms = set(content_words(completed.question))
    enough = FAR * best[0].score
    good = [scored for scored in best if scored.score >= enough]
    if not good:
        return []
    chosen = [max(good, key=lambda scored: scored.score)]
    while len(chosen) < COMPARED:
        open_terms -= _terms(chosen[-1].span)
        scored = _covering_most(good, open_terms)
        if scored is None:
            break
        chosen.append(scored)
    return chosen


def _covering_most(
    good: Sequence[ScoredSpan],
    open_terms: set[str],
) -> ScoredSpan | None:
    """The span with the most open terms, of several the one with the best score."""

    def rank(scored: ScoredSpan) -> tuple[int, float]:
        return len(_terms(scored.span) & open_terms), scored.score

    best = max(good, key=rank)
    return best if _terms(best.span) & open_terms else None


def _terms(span: Span) -> frozenset[str]:
    return span.own_terms | span.context_terms
