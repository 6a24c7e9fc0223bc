"""What fits a kind of question: a cause says why, a procedure has steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from core import grammar
from core.evidence.spans import Span
from core.models import Kind
from core.question import QuestionKind


def fit(span: Span, kind: QuestionKind) -> float:
    """From -3 to 2; other kinds prefer nothing."""
    return _FITS[kind](span) if kind in _FITS else 0.0


_SAID = grammar.merged().answers
_CAUSE = re.compile(rf"\b{_SAID.causes}\b", re.IGNORECASE)
_CAUSE_HEADING = re.compile(rf"\b{_SAID.cause_headings}\b", re.IGNORECASE)
_CONDITION = re.compile(rf"\b{_SAID.conditions}\b", re.IGNORECASE)


def _cause(span: Span) -> float:
    """A cell says what is, seldom why."""
    if span.is_row:
        return 0.5 if _names_cause(dict(span.cells)) else -3.0
    below_cause = _names_cause(span.hit.evidence.heading_path)
    names_cause = _CAUSE.search(span.text) is not None
    return float(below_cause) + float(names_cause)


def _names_cause(headings: Iterable[str]) -> bool:
    return any(map(_CAUSE_HEADING.search, headings))


def _hypothetical(span: Span) -> float:
    return 1.0 if _CONDITION.search(span.text) else 0.0


def _procedure(span: Span) -> float:
    has_steps = span.hit.evidence.kind in (Kind.LIST, Kind.CODE, Kind.TASK)
    return 1.0 if has_steps else 0.0


def _list(span: Span) -> float:
    is_list = span.hit.evidence.kind in (Kind.LIST, Kind.TASK, Kind.CHILD_PAGES)
    return 0.5 if is_list or span.is_row else 0.0


_FITS: Mapping[QuestionKind, Callable[[Span], float]] = {
    QuestionKind.CAUSE: _cause,
    QuestionKind.HYPOTHETICAL: _hypothetical,
    QuestionKind.PROCEDURE: _procedure,
    QuestionKind.LIST: _list,
}
