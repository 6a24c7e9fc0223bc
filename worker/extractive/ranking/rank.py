"""Ranks answer spans: how well a sentence, an item or a row answers the question.

A span's score is the share of the question's weight that its words cover (a word weighs as much as
it is rare; what the conversation added weighs less than what was asked), plus its similarity in
meaning and that of its evidence, the retrieval score, what the text reader makes of it, and what
fits the kind of the question. No part of a score depends on the other hits: else ablating one piece
would shift all others and look like a cause. They only say which spans are compared, and read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.embeddings import Embedder, Vectors
from core.evidence.lexical.analyzer import content_words
from core.evidence.query.thesaurus import said_otherwise
from core.evidence.spans import Span, spans_of
from core.language import language as spoken_in
from core.models import Hit, Kind
from core.question import Completed, QuestionKind, embedded
from worker.extractive.editions import is_of_another, unsettled
from worker.extractive.noise import Boilerplate, is_index, is_noise, leads_elsewhere, never
from worker.extractive.ranking.by_reader import NOT_READ, ReadSpan, of_spans
from worker.extractive.ranking.coverage import AskedTerms, Weights
from worker.extractive.ranking.fitting import fit
from worker.extractive.table_rows import Rarity, asked_columns, called
from worker.reading.readings import Readings
from worker.text.openings import sums_up

CONTEXT_WEIGHT = 0.4  # of a word that the conversation added, against one that was asked
TELLING = 3  # words of a question that says enough by itself
CONTEXT_SHARE = 0.5  # of the weight of its words is the most that its conversation may weigh
# Of what is in another language than the question, which shares few of its words; the same for all
# of it, since they tell these apart as well.
FOREIGN_WEIGHT = 0.2
# Of cosine similarities to the question, against full coverage of its words: of the span, and of
# its piece with its title and headings.
MEANING_WEIGHT = 0.6
PIECE_WEIGHT = 0.8
SEARCH_WEIGHT = 1.0  # of the retrieval score of the evidence
SURE = 7.0  # fused score (a sum of z-scores) from which the retrieval score counts in full
COLUMN_WEIGHT = 0.2  # of a row that has a column of the name that was asked for
CALLED_WEIGHT = 0.3  # of a row that the question itself calls by its name
PLACE_WEIGHT = NEWS_WEIGHT = 0.2  # news: of a span that says something which the question does not
NEWS = 5  # words that count as such
OPENING_WEIGHT = 0.5  # of what sums its page up, where only that is asked for
KIND_WEIGHT = 0.25  # of what the kind of the question asks for
LONG_WEIGHT = 0.2  # taken from a span of twice the length from which it is long
LONG = 300  # characters
UNSETTLED_WEIGHT = 0.5  # taken from drafts, copies and the like, unless they are asked for
ANOTHER_WEIGHT = 0.4  # taken from what is said of another version than is asked for
NOISE_WEIGHT = 0.6  # taken from what answers nothing: bylines, boilerplate, placeholders
# Kinds of question whose answer is not one item.
WHOLE_LISTS = {QuestionKind.LIST, QuestionKind.PROCEDURE}
EMBEDDED = 32  # spans whose similarity is computed: the best by words
REMEMBERED = 4096  # texts: an explanation asks for the same ones many times

Terms = Callable[[str], Sequence[str]]


@dataclass(frozen=True)
class ScoredSpan:
    """A span, and how well it answers."""

    score: float
    asked: float  # share of what was asked that it covers; of a row, the conversation counts too
    span: Span
    read: ReadSpan = NOT_READ  # what the text reader makes of it
    unsettled: bool = False  # of a draft, an outdated section or the like, not asked for
    leads: bool = False  # elsewhere: titles of other pages, which nobody has asked for


class Ranker:
    """Scores spans; `rarity` says how much a word weighs, 0 for one that stands everywhere."""

    def __init__(
        self,
        embedder: Embedder,
        rarity: Rarity,
        terms: Terms = content_words,
        boilerplate: Boilerplate = never,
        readings: Readings | None = None,
    ) -> None:
        """`terms` gives the index terms of a question, after spelling correction and the like;
        `boilerplate` says whether a sentence stands at the edges of many pages.
        """
        self._readings = readings
        self._boilerplate = boilerplate
        self.rarity = rarity
        self._terms = terms
        self._embedder = embedder
        self._remembered: dict[str, Vectors] = {}

    def rank(self, completed: Completed, hits: Sequence[Hit]) -> list[ScoredSpan]:
        """The spans that answer best, the best first."""
        asked = {term: self.rarity(term) for term in self._terms(completed.question)}
        weights = self._context_weights(completed, asked) | asked
        otherwise = said_otherwise(completed.question)
        own, whole = AskedTerms(asked, otherwise), AskedTerms(weights, otherwise)
        spans = _best_by_words(completed, hits, whole)
        similar = self._similarities(_compared(completed), spans)
        outdated = unsettled(completed, hits)
        language = spoken_in(completed.question, *completed.context)
        unread = [
            _score(span, completed.kind, whole, asked)
            + FOREIGN_WEIGHT * span.is_foreign_to(language)
            + meaning
            + CALLED_WEIGHT * called(span, completed, self.rarity)
            + OPENING_WEIGHT * sums_up(span.hit, completed.question)
            - self._noise(span, completed, asked)
            - UNSETTLED_WEIGHT * outdated.has(span.hit)
            - ANOTHER_WEIGHT * is_of_another(span, completed.question)
            for span, meaning in zip(spans, similar, strict=True)
        ]
        readings = of_spans(self._readings, completed, spans, unread)
        scored = [
            ScoredSpan(
                score=score + read.added,
                asked=(whole if span.is_row else own).coverage(span),
                span=span,
                read=read,
                unsettled=outdated.has(span.hit),
                leads=leads_elsewhere(span.hit.evidence, completed) and is_index(span.hit.evidence),
            )
            for span, score, read in zip(spans, unread, readings, strict=True)
        ]
        return sorted(scored, key=lambda item: (item.leads, -item.score))

    def _noise(self, span: Span, completed: Completed, asked: Weights) -> float:
        leads = leads_elsewhere(span.hit.evidence, completed)
        return NOISE_WEIGHT if leads or is_noise(span, asked, self._boilerplate) else 0.0

    def _similarities(self, question: str, spans: Sequence[Span]) -> list[float]:
        """What the similarity in meaning adds to the score of each span."""
        vectors = self._vectors([question, *(span.text for span in spans)])
        asked = vectors[question]
        similar = [float(vectors[span.text] @ asked) for span in spans]
        return [MEANING_WEIGHT * max(0.0, each) for each in similar]

    def _vectors(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """By text, each of shape (dimensions,); what is new is embedded at once."""
        remembered = self._remembered
        found = {text: remembered[text] for text in texts if text in remembered}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            new = dict(zip(missing, self._embedder.embed(missing), strict=True))
            has_room = len(remembered) + len(new) <= REMEMBERED
            self._remembered = remembered | new if has_room else new
            found |= new
        return found

    def _context_weights(self, completed: Completed, asked: Weights) -> dict[str, float]:
        """What the words of the conversation weigh.

        A question that says enough by itself weighs more, however long the conversation is.
        """
        context: dict[str, float] = {}
        for part in completed.context:
            for term in self._terms(part):
                if term not in asked:
                    context[term] = CONTEXT_WEIGHT * self.rarity(term)
        total = sum(context.values())
        limit = CONTEXT_SHARE * sum(asked.values())
        if len(asked) < TELLING or not limit or total <= limit:
            return context
        return {term: limit / total * weight for term, weight in context.items()}


def _compared(completed: Completed) -> str:
    """As the search compares it, or as a person or a model has completed it."""
    if not completed.context:
        return completed.text
    return embedded(completed.question, completed.context)


def _best_by_words(completed: Completed, hits: Sequence[Hit], whole: AskedTerms) -> list[Span]:
    spans = spans_of(hits, whole_lists=completed.kind in WHOLE_LISTS)
    best = sorted(spans, key=lambda span: (-whole.coverage(span), span.number))
    return best[:EMBEDDED]


def _score(span: Span, kind: QuestionKind, whole: AskedTerms, asked: Weights) -> float:
    """How well a span answers, apart from its similarity in meaning."""
    return _words_score(span, whole, asked) + _fitting(span, kind)


def _words_score(span: Span, whole: AskedTerms, asked: Weights) -> float:
    """What the span's words and the search say of it."""
    covered = whole.coverage(span) + _has_columns(span, asked)
    of_piece = _retrieval_score(span.hit) + PIECE_WEIGHT * max(span.hit.dense, 0.0)
    answers = covered + _news(span, whole.weights) + of_piece
    return answers - LONG_WEIGHT * _length(span)


def _fitting(span: Span, kind: QuestionKind) -> float:
    """What the kind of the question asks for; statements of place exist only where asked for."""
    is_place = span.hit.evidence.kind is Kind.PLACE
    return KIND_WEIGHT * fit(span, kind) + (PLACE_WEIGHT if is_place else 0.0)


def _retrieval_score(hit: Hit) -> float:
    """From 0 to SEARCH_WEIGHT, from the hit's score alone."""
    return SEARCH_WEIGHT * min(max(hit.score / SURE, 0.0), 1.0)


def _has_columns(span: Span, asked: Weights) -> float:
    columns = asked_columns(span, asked)
    are_few = len(columns) < len(span.cells) / 2
    return COLUMN_WEIGHT if columns and are_few else 0.0


def _news(span: Span, weights: Weights) -> float:
    """A heading, or the question itself, covers every word that was asked and answers nothing."""
    if span.text.rstrip().endswith("?"):
        return 0.0
    new_terms = span.own_terms - weights.keys()
    return NEWS_WEIGHT * min(len(new_terms) / NEWS, 1.0)


def _length(span: Span) -> float:
    """A log or a page-long sentence covers words by its mere length.

    Of a row, only some cells are shown, and a list is asked for whole.
    """
    is_whole_list = span.is_list and not span.mark
    if span.is_row or is_whole_list:
        return 0.0
    excess = max(len(span.text) - LONG, 0)
    return min(excess / LONG, 1.0)
