"""Yes/no verdicts: only where the quoted evidence says so plainly; else the quote stands alone."""

from __future__ import annotations

import re

from core import grammar
from core.evidence.lexical.analyzer import content_words
from core.evidence.spans import Span
from core.question import Completed, QuestionKind
from worker.extractive.table_rows import asked_columns, named_columns

# Share of the question's words that a sentence, with its heading, must have for a plain verdict,
# and by itself: what stands under `In another country` is not all about that.
PLAIN = 0.75
OWN = 0.5

_GRAMMAR = grammar.merged()
_YES = {*_GRAMMAR.answers.yes, "✓", "✔", "✅"}
_NO = {*_GRAMMAR.answers.no, "✗", "✘", "❌"}
_WORD = re.compile(r"[✓✔✅✗✘❌]|\w+")
# A negation of the verb: "visitors wear a badge, not a sticker" negates something else.
_NEGATED = re.compile(str(_GRAMMAR.negation.of_verbs), re.IGNORECASE)
# `Only on Mondays` and `except in Porto` leave it to the reader.
_LIMITED = re.compile(rf"\b{_GRAMMAR.composing.limits}\b", re.IGNORECASE)


def verdict(span: Span, completed: Completed) -> str:
    """Its key in the catalogue, `yes` or `no`; empty for none."""
    if completed.kind is not QuestionKind.CONFIRMATION or _LIMITED.search(completed.question):
        return ""
    is_so = _of_row(span, completed) if span.is_row else _of_sentence(span, completed)
    if is_so is None:
        return ""
    return "yes" if is_so else "no"


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
    covered = own | (asked & span.context_terms)
    if not asked or len(covered) < PLAIN * len(asked) or len(own) < OWN * len(asked):
        return None
    if _NEGATED.search(completed.question) or _LIMITED.search(span.text):
        return None
    return False if len(_NEGATED.findall(span.text)) == 1 else None
