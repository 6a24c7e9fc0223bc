"""Celery tasks of the worker: thin, the work is in `jobs` and `explanation_jobs`.

Threads do them (core.jobs.pool), because a task waits for the model most of its time, and because
the embedder's weights are then loaded once.
"""

from __future__ import annotations

from core.jobs.queue import TaskName, app
from core.turns.upkeep import fair_share
from worker import confirmation, explanation_jobs, jobs, understanding
from worker.answering import taking_up
from worker.bootstrap import parts
from worker.digest import telling


@app.task(name=TaskName.ANSWER.value)  # type: ignore[untyped-decorator]
def answer(turn_id: str) -> None:
    for each in (*fair_share.before(parts().database, turn_id), turn_id):
        suggesting = jobs.answer(parts(), each)
        if suggesting:
            suggesting.join_later()


@app.task(name=TaskName.TAKE_UP.value)  # type: ignore[untyped-decorator]
def take_up(turn_id: str) -> None:
    taking_up.take_up(parts(), turn_id)


@app.task(name=TaskName.ADMIT.value)  # type: ignore[untyped-decorator]
def admit(view_id: str) -> None:
    jobs.admit(parts(), view_id)


@app.task(name=TaskName.UNDERSTAND.value)  # type: ignore[untyped-decorator]
def understand(row_id: str) -> None:
    understanding.understand(parts(), row_id)


@app.task(name=TaskName.CONFIRM.value)  # type: ignore[untyped-decorator]
def confirm(turn_id: str) -> None:
    confirmation.confirm(parts(), turn_id)


@app.task(name=TaskName.CONFIRM_EXAMPLES.value)  # type: ignore[untyped-decorator]
def confirm_examples(then: str, *ids: str) -> None:
    confirmation.confirm_examples(parts().database, parts().authorizer, TaskName(then), *ids)


@app.task(name=TaskName.CONFIRM_DIGEST.value)  # type: ignore[untyped-decorator]
def confirm_digest(digest_id: str) -> None:
    telling.confirm(parts(), digest_id)


@app.task(name=TaskName.EXPLAIN.value)  # type: ignore[untyped-decorator]
def explain(turn_id: str) -> None:
    explanation_jobs.explain(parts(), turn_id)
