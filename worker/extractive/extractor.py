"""Extractive question answering: quotes the spans that answer best; abstains when none does.

worker.extractive.ranking says which span answers best, worker.extractive.select what is quoted
beside it, and worker.extractive.render writes it down. Without a piece of evidence its quotes are
gone, so ablation explains these answers too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.embeddings import Embedder
from core.evidence.lexical.analyzer import content_words
from core.manner import Length
from core.models import Hit
from core.question import Completed, QuestionKind
from worker.extractive.context import Asked, is_sure
from worker.extractive.later_year import is_of_a_later_year
from worker.extractive.noise import Boilerplate, never
from worker.extractive.ranking.rank import Ranker, ScoredSpan, Terms
from worker.extractive.render import excerpts
from worker.extractive.select import is_rivalled, select, where
from worker.extractive.table_rows import Rarity
from worker.reading.readings import Readings
from worker.text.second_part import second_part
from worker.typed.asked import asks_extreme
from worker.typed.compose import Lead, lead
from worker.typed.written import plain, without_citations

ENOUGH = 0.5  # a best span below this score answers nothing; the gate has judged before
UNSURE = 0.95  # nor does one below this score that covers no more than NOTHING of what was asked
NOTHING = 0.1
LOOKED_AT = 3  # of the best spans
ROOM = {Length.SHORT: 25, Length.NORMAL: 58, Length.LONG: 120}  # words of all excerpts …
NAME_AND_VALUE = 2  # cells of a row that a sentence about the highest, or two, is composed from
ROOM_RIVALLED = 1.5  # … times this where several places answer nearly as well


class _Composed(NamedTuple):
    """A lead, and what it was composed from."""

    completed: Completed
    hits: Sequence[Hit]
    lead: Lead


class Extractor:
    """Picks quotes; `rarity` says how much a word weighs, 0 for one that stands everywhere."""

    def __init__(
        self,
        embedder: Embedder,
        rarity: Rarity,
        terms: Terms = content_words,
        boilerplate: Boilerplate = never,
        readings: Readings | None = None,
    ) -> None:
        """`boilerplate` says whether a sentence stands at the edges of many pages."""
        self._ranker = Ranker(embedder, rarity, terms, boilerplate, readings)
        self._boilerplate = boilerplate
        self._last: _Composed | None = None

    def is_composed(self, completed: Completed, hits: Sequence[Hit]) -> bool:
        """Whether there is a lead: structure answers the question for certain."""
        return bool(self._lead(completed, hits).text)

    def extract(
        self,
        completed: Completed,
        hits: Sequence[Hit],
        length: Length = Length.NORMAL,
    ) -> str | None:
        """Markdown with [n] citations of the hits by their place; None is an abstention.

        Before the quotes stands what the structure of tables, lists and pages makes certain; then
        of the quotes only what it rests on, since others would say it again.
        """
        composed = self._lead(completed, hits)
        if composed.is_all:
            return composed.text
        quoted = self._quotes(completed, hits, length, composed)
        return "\n\n".join(filter(None, (composed.text, quoted))) or None

    def _lead(self, completed: Completed, hits: Sequence[Hit]) -> Lead:
        """Composed once for both who judge and who answer one question from the same hits."""
        last = self._last
        if last is None or last.completed is not completed or last.hits is not hits:
            last = _Composed(completed, hits, lead(completed, hits))
            self._last = last
        return last.lead

    def _quotes(
        self,
        completed: Completed,
        hits: Sequence[Hit],
        length: Length,
        composed: Lead,
    ) -> str | None:
        """Of what is composed only its own row, or the hits it rests on; of all without a lead."""
        # Rows that only complete a table are for what is composed: the search did not find them.
        found = [hit for hit in hits if not hit.table_rows]
        best = self._ranker.rank(completed, found)
        if not best or best[0].score < ENOUGH:
            return None
        if _is_off_topic(best):
            return None
        rarity = self._ranker.rarity
        chosen = select(best, completed, rarity, length)
        chosen = self._with_second(chosen, completed, found)
        chosen = _under(composed, best, chosen) or chosen
        if composed.text and not _may_stand_under(composed, chosen, completed):
            return None
        asked = Asked(completed, rarity, self._boilerplate, hits, bool(composed.text))
        # What stands first for another reason than its score must not take the best one's room.
        is_shared = is_rivalled(best) or chosen[0].unsettled != best[0].unsettled
        room = ROOM[length] * (ROOM_RIVALLED if is_shared else 1)
        quoted = excerpts(chosen, asked, round(room), ROOM[length])
        # When a page went out of date does not tell of which year it speaks.
        is_no_answer = not composed.text and is_of_a_later_year(completed, quoted.said)
        return None if is_no_answer else quoted.text

    def _with_second(
        self, chosen: list[ScoredSpan], completed: Completed, hits: Sequence[Hit]
    ) -> list[ScoredSpan]:
        """With what answers the second of two questions best, where that stands elsewhere."""
        part = second_part(completed.question)
        if not part or completed.kind is QuestionKind.COMPARISON:
            return chosen
        first = completed.question.removesuffix(part)
        changes = {"question": part, "context": (*completed.context, first)}
        own = completed.model_copy(update=changes)
        ranked = self._ranker.rank(own, hits)
        second = next((each for each in ranked if is_sure([each])), None)
        if second is None or where(second.span) in {where(each.span) for each in chosen}:
            return chosen
        return [*chosen[:1], second, *chosen[1:]]


def _under(
    composed: Lead, best: Sequence[ScoredSpan], chosen: list[ScoredSpan]
) -> list[ScoredSpan]:
    """What is chosen of the hits that a lead rests on.

    Of a table the rows that say it, all of them: a figure must not stand above the row of another
    thing, nor two that are compared above one.
    """
    own = [each for each in chosen if each.span.number in composed.numbers]
    rows = [each for each in best if each.span.is_row and each.span.number in composed.numbers]
    if not any(each.span.is_row for each in own):
        return own
    saying = [each for each in rows if _says_of(composed, each)]
    if any(each in saying for each in own):
        return [*own, *(each for each in saying if each not in own)]
    if saying:
        return saying
    sayings = [_says(composed, each) for each in rows]
    most = max(sayings, default=0)
    is_said = most in (_says(composed, each) for each in own)
    return own if is_said else [rows[sayings.index(most)]]


def _may_stand_under(composed: Lead, chosen: Sequence[ScoredSpan], completed: Completed) -> bool:
    """Under what is the highest or lowest, no rows of which none is that: the search missed it."""
    if not asks_extreme(completed.searched):
        return True
    return any(_says(composed, each) >= NAME_AND_VALUE for each in chosen)


def _says(composed: Lead, scored: ScoredSpan) -> int:
    """How many cells of a row stand in the lead, and not in its citations or in a longer word."""
    said = without_citations(composed.text)
    return sum(_stands_in(said, value) for _, value in scored.span.cells if value)


def _says_of(composed: Lead, scored: ScoredSpan) -> bool:
    """Whether the lead says something of what a row is about, which its first cell names."""
    _, name = next((cell for cell in scored.span.cells if cell[1]), ("", ""))
    said = _says(composed, scored) >= NAME_AND_VALUE
    return said and _stands_in(without_citations(composed.text), name)


def _stands_in(said: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(plain(value))}(?!\w)", said) is not None


def _is_off_topic(best: Sequence[ScoredSpan]) -> bool:
    """No page speaks of what was asked: the best spans only look like it."""
    if best[0].score >= UNSURE:
        return False
    return all(scored.asked < NOTHING for scored in best[:LOOKED_AT])
