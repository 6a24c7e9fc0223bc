"""Typed questions as cases: what employees ask of our own corpora, answered there or not.

One that no page answers names things that pages do speak of: it looks more as if it had an answer
than a question whose page was taken out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaluation.answerability.cases import TYPED, Asked, Case
from evaluation.answerability.expected import Expected, ids_by_title, of_typed
from evaluation.answerability.without import page_texts
from evaluation.employees.questions import Wanted
from evaluation.harness.remembered import as_past
from evaluation.retrieval.left_out.opened import Embedders, Opened
from worker.question.rewrite import Completer, Past


def typed_cases(opened: Opened, load: Embedders, questions: Iterable[Wanted]) -> Iterator[Case]:
    """Each question about the pages that are open, after those before it in its thread."""
    asked = Asked(opened, load, page_texts(opened.database))
    ids = ids_by_title(opened.corpus.pages)
    for wanted in questions:
        case = _case(asked, wanted, of_typed(wanted, ids))
        if case:
            yield case


def _case(asked: Asked, wanted: Wanted, expected: Expected) -> Case | None:
    completer = Completer(None, asked.retriever.evidence)
    history: list[Past] = []
    named = (TYPED, wanted.language, wanted.id)
    for text in wanted.before:
        completed = completer.complete(text, history, deadline=0.0)[0]
        _, completed, hits = asked.case(completed, Expected(), named)
        history.append(as_past(completed, hits))
    completed = completer.complete(wanted.ask, history, deadline=0.0)[0]
    return asked.case(completed, expected, named)[0]
