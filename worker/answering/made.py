"""Makes the answer to a saved turn: for its reader, in its manner, after its conversation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.jobs.progress_events import Event
from core.policy import people
from core.turns.turn import Turn
from worker import budget, confirmation
from worker.afterwards.late_suggestions import Suggesting
from worker.answering.conversation import history
from worker.bootstrap import WorkerParts
from worker.manner import manner_of
from worker.pipeline.steps import AnswerRequest
from worker.prompting import templates

DELIVERY_S = 5.0  # of the time limit is left for the delivery


def made_for(
    parts: WorkerParts,
    turn: Turn,
    deadline: float,
    report: Callable[[Event], None],
) -> Suggesting:
    """The answer, with what is still looked for; it is not saved.

    `deadline` is in seconds since 1970; `report` is told how far it is.

    Raises:
        AccessUnknown: no source says right now who may read its pages.
        EvidenceClosed: pages of it were closed while it was made.
    """
    manner = manner_of(parts.database, parts.settings, turn)
    reader = parts.readers.of(turn).within(manner.spaces)
    past = history(parts, turn, reader)
    over_budget = budget.is_over(parts, turn, turn.user)
    pipeline = parts.without_model if over_budget else parts.pipeline
    request = AnswerRequest(
        question=turn.question,
        history=past,
        deadline=deadline,
        reader=reader,
        filtered=turn.filtered,
        manner=manner,
        locale=people.locale(parts.database, turn.address.team, turn.user),
        origin=turn.question_shows.pages,
        report=confirmation.renewing(parts, reader, report),
    )
    settings = parts.settings.of_answers | {"prompts": templates.version()}
    record = pipeline.made(request).model_copy(update={"settings": settings})
    find = partial(pipeline.suggest, record, request)
    suggesting = Suggesting(parts, turn, reader, record, find)
    confirmation.require(parts, record.pages, reader)
    model = record.answer.model or parts.settings.llm_model or ""
    budget.charge(parts, turn, turn.user, record.usage, model=model)
    return suggesting
