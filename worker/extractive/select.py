"""Selects what is shown: the span that answers best, and what the kind of the question wants."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from math import log

from core.evidence.lexical.analyzer import content_words
from core.evidence.spans import Span
from core.manner import Length
from core.pages import PageKey
from core.question import Completed, QuestionKind
from worker.extractive.later_year import asks_for_an_earlier_year
from worker.extractive.ranking.rank import ScoredSpan
from worker.extractive.table_rows import Rarity, called, naming, same_rows

# Another place is shown from this part of the best one's score, by how much somebody wants to read.
CLOSE = {Length.SHORT: 2.0, Length.NORMAL: 0.8, Length.LONG: 0.7}
SAME_PAGE = 0.12  # of the best one's score is what a place on its own page is preferred by
AS_MUCH = 0.8  # of the share of the question that the best one covers
RIVAL = 0.9  # of the best one's score: a place that reaches it may as well be the answer
CLOSE_ROWS = 0.92  # the same for further rows of one table …
UNNAMED_ROWS = 0.7  # … of which the question names none, so that the reader has to choose
FAR = 0.6  # the same for what is compared with the best one
MOST_PLACES = {Length.SHORT: 1, Length.NORMAL: 4, Length.LONG: 6}
COMPARED = 3  # spans: fewer would leave out one of two things
SURELY = 2.0  # log-odds of the reader from which one second opinion is enough, else two
RANK_WEIGHT = 1.5  # of the logarithm of a hit's rank, against the reader's log-odds
# Of what was asked: where the first has so much, what has fewer of the words is of something else.
COVERED = 0.8
BEHIND = 3.0  # log-odds: what the reader thinks so much less of than of the first stays out

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
    rows = _rows(best, completed, rarity) if first.span.is_row else [first]
    chosen = _Chosen(rows)
    if length is not Length.SHORT:
        for scored in _seconded(best):
            chosen.add_place(scored)
    for scored in _others(best):
        is_close = scored.score + _bonus(scored, first) >= CLOSE[length] * first.score
        if chosen.says(scored.span):
            chosen.add(scored)
        elif is_close and len(chosen.places) < MOST_PLACES[length] and _says_as_much(scored, first):
            chosen.add_place(scored)
    if asks_for_an_earlier_year(completed):
        return chosen.spans
    return _settled_first(chosen.spans, first)


def _settled_first(chosen: list[ScoredSpan], first: ScoredSpan) -> list[ScoredSpan]:
    """What counts now before what a draft or an outdated page says, where both may answer."""
    if not first.unsettled:
        return chosen
    return sorted(chosen, key=lambda each: each.unsettled or not _may_answer(each, first))


def _may_answer(scored: ScoredSpan, first: ScoredSpan) -> bool:
    return scored.read.answers or scored.score >= RIVAL * first.score


def is_rivalled(best: Sequence[ScoredSpan]) -> bool:
    """Whether another place answers nearly as well, so that more is shown."""
    first = best[0]
    for scored in best:
        if where(scored.span) != where(first.span) and scored.score >= RIVAL * first.score:
            return True
    return False


class _Chosen:
    """What is shown so far: its spans, its places, and what it says."""

    def __init__(self, spans: Sequence[ScoredSpan]) -> None:
        self.spans = list(spans)
        self.places = {where(scored.span) for scored in spans}
        self._said = {(scored.span.text, scored.span.cells) for scored in spans}

    def says(self, span: Span) -> bool:
        """Whether the same stands in a place that is shown already; then both are cited."""
        return (span.text, span.cells) in self._said and where(span) not in self.places

    def add(self, scored: ScoredSpan) -> None:
        self.spans.append(scored)

    def add_place(self, scored: ScoredSpan) -> None:
        if where(scored.span) not in self.places:
            self.places.add(where(scored.span))
            self._said.add((scored.span.text, scored.span.cells))
            self.spans.append(scored)


def _others(best: Sequence[ScoredSpan]) -> list[ScoredSpan]:
    """All but the best, in the order in which they are shown: its own page before others.

    Beside what answers, titles of other pages only take room.
    """
    first = best[0]
    answering = [scored for scored in best[1:] if not scored.leads]
    return sorted(answering, key=lambda scored: -scored.score - _bonus(scored, first))


def _seconded(best: Sequence[ScoredSpan]) -> list[ScoredSpan]:
    """Of the one or two pieces that the reader would take, with their rank, the best span.

    Words and meaning weigh most in what is shown first; where the reader has another opinion it is
    often right, so that stands second. A draft says something else than the page that counts.
    """
    least = _opinion(best[0]) - BEHIND
    pieces: dict[str, ScoredSpan] = {}
    for scored in best:
        is_else = best[0].asked >= COVERED and not _covers_as_much(scored, best[0])
        if _opinion(scored) > least and not is_else and not (scored.unsettled or scored.leads):
            pieces.setdefault(scored.span.hit.evidence.id, scored)
    most = 1 if best[0].read.piece >= SURELY else 2
    return nlargest(most, pieces.values(), key=_opinion)


def _opinion(scored: ScoredSpan) -> float:
    """The rank moves when a page before it is taken away, which changes few answers: measured."""
    return scored.read.piece - RANK_WEIGHT * log(scored.span.number)


def _says_as_much(scored: ScoredSpan, first: ScoredSpan) -> bool:
    """Whether it covers nearly as much of the question: another page else is of something else."""
    is_same = scored.span.hit.page.key == first.span.hit.page.key
    return is_same or _covers_as_much(scored, first)


def _covers_as_much(scored: ScoredSpan, first: ScoredSpan) -> bool:
    return scored.asked >= AS_MUCH * first.asked


def _bonus(scored: ScoredSpan, first: ScoredSpan) -> float:
    """Where one thing of the answer stands, its other things stand too."""
    is_same = scored.span.hit.page.key == first.span.hit.page.key
    return SAME_PAGE * first.score if is_same else 0.0


def _rows(best: Sequence[ScoredSpan], completed: Completed, rarity: Rarity) -> list[ScoredSpan]:
    """The rows of one table that answer: all that match a list, else those nearly as good."""
    first = best[0]
    of_table = [each for each in best if where(each.span) == where(first.span)]
    if completed.kind is QuestionKind.LIST:
        spans = [each.span for each in of_table]
        matching = same_rows(first.span, spans, completed)
        by_span = {id(each.span): each for each in of_table}
        return [by_span[id(span)] for span in matching]
    if called(first.span, completed, rarity):
        of_table = [each for each in of_table if called(each.span, completed, rarity)]
    named = naming(first.span, completed, rarity)
    close = CLOSE_ROWS if named else UNNAMED_ROWS
    alike: list[ScoredSpan] = []
    for each in of_table:
        is_close = each.score >= close * first.score
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
