"""Questions: a list to search and filter, of what may be read."""

from __future__ import annotations

from starlette.responses import Response

from console.guard import Visit
from console.reports.questions import QuestionOutcome, questions
from core.storage import clock


def show(visit: Visit) -> Response:
    words = visit.asked("words")
    outcome = _outcome(visit.asked("outcome"))
    found = questions(
        visit.parts.database,
        before=_time(visit.asked("before")),
        words=words,
        outcome=outcome,
    )
    return visit.show(
        "questions",
        found=found,
        words=words,
        outcome=outcome.value,
        outcomes=[each.value for each in QuestionOutcome],
    )


def _outcome(asked: str) -> QuestionOutcome:
    return QuestionOutcome(asked) if asked in list(QuestionOutcome) else QuestionOutcome.ALL


def _time(asked: str) -> float:
    """Now, where the address says no time."""
    try:
        return float(asked)
    except ValueError:
        return clock.now() + 1
