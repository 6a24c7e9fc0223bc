"""Yes/no verdicts: only where the quoted evidence says so plainly; else the quote stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import grammar
from core.evidence.lexical.analyzer import content_words
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.evidence.spans import Span
from core.models import Hit
from core.question import Completed, QuestionKind
from worker.extractive.table_rows import asked_columns, named_columns
from worker.typed.tables.said_otherwise import (
    behind,
    changes,
    changes_on,
    prose_on,
    shares_a_word,
)

# Share of the question's words that a sentence must have by itself for a plain verdict: what stands
# under `In another country` is not all about that.
OWN = 0.5

_GRAMMAR = grammar.merged()
_YES = {*_GRAMMAR.answers.yes, "✓", "✔", "✅"}
_NO = {*_GRAMMAR.answers.no, "✗", "✘", "❌"}
_WORD = re.compile(r"[✓✔✅✗✘❌]|\w+")
# A negation of the verb: "visitors wear a badge, not a sticker" negates something else.
_NEGATED = re.compile(str(_GRAMMAR.negation.of_verbs), re.IGNORECASE)
# `Only on Mondays` and `except in Porto` leave it to the reader.
_LIMITED = re.compile(rf"\b{_GRAMMAR.composing.limits}\b", re.IGNORECASE)


# A sentence of several clauses may deny one of them, and say the opposite in another.
_CLAUSES = re.compile(rf"[;:,(]|\b(?:{_GRAMMAR.support.clauses})\b", re.IGNORECASE)


def verdict(span: Span, completed: Completed, hits: Sequence[Hit] = ()) -> str:
    """Its key in the catalogue, `yes` or `no`; empty for none.

    `hits` are all that was found: what they say of a change is heard before a row says yes or no.
    """
    if completed.kind is not QuestionKind.CONFIRMATION or _LIMITED.search(completed.question):
        return ""
    if span.is_row:
        is_doubtful = _is_changed(span, completed, hits) or _is_denied(span, completed, hits)
        is_so = None if is_doubtful else _of_row(span, completed)
    else:
        is_so = _of_sentence(span, completed)
    if is_so is None:
        return ""
    return "yes" if is_so else "no"


def _is_changed(span: Span, completed: Completed, hits: Sequence[Hit]) -> bool:
    """Whether the page says of something that was asked for that it is not as it was."""
    beside = changes(behind(span.hit.evidence))
    said = (*beside, *changes_on(span.hit.page.key, hits))
    return any(shares_a_word(sentence, [completed.question]) for sentence in said)


def _is_denied(span: Span, completed: Completed, hits: Sequence[Hit]) -> bool:
    """Whether a sentence of the page denies what has much of the question, perhaps elsewhere."""
    asked = set(content_words(completed.question))
    return any(
        _NEGATED.search(sentence) and len(asked & set(content_words(sentence))) >= OWN * len(asked)
        for sentence in prose_on(span.hit.page.key, hits)
    )


def _of_row(span: Span, completed: Completed) -> bool | None:
    """What the one cell that was asked for begins with, where nothing else was asked.

    Under `Laundry` and `Ostry` a `yes` says that there is one, and not that it works today.
    """
    asked = content_words(completed.question)
    if not span.own_terms.union(span.context_terms).issuperset(asked):
        return None
    columns = asked_columns(span, asked, named_columns(span, completed))
    values = [value for name, value in span.cells if name in columns]
    if len(values) != 1 or _NEGATED.search(completed.question):
        return None
    first = _WORD.search(values[0].casefold())
    if first is None or first[0] not in _YES | _NO:
        return None
    return first[0] in _YES


def _of_sentence(span: Span, completed: Completed) -> bool | None:
    """No where its one verb is negated; else nothing, since it may be so only sometimes."""
    asked = set(content_words(completed.question))
    own = asked & span.own_terms
    if not asked or not asked <= own | span.context_terms or len(own) < OWN * len(asked):
        return None
    if _CLAUSES.search(span.text) or len(SENTENCE_END.split(span.text.strip())) > 1:
        return None
    if _NEGATED.search(completed.question) or _LIMITED.search(span.text):
        return None
    return False if len(_NEGATED.findall(span.text)) == 1 else None
