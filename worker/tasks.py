"""Celery tasks of the worker: thin, the work is in `jobs` and `explanation_jobs`.

    celery -A core.jobs.queue worker -Q answer -I worker.tasks -P threads      questions
    celery -A core.jobs.queue worker -Q explain -I worker.tasks -P threads     explanations

Two pools, so that no question waits behind an explanation. Threads, because a task waits for the
model most of its time, and because the embedder's weights are then loaded once.
"""

from __future__ import annotations

from celery.signals import worker_init

from core.evidence import Query
from core.jobs.queue import TaskName, app
from core.settings import or_exit
from core.turns.upkeep import fair_share, sweeper
from worker import confirmation, explanation_jobs, jobs
from worker.answering import recovery, taking_up
from worker.bootstrap import parts

sweeper.start_with_worker()
recovery.start_with_worker(parts)


@worker_init.connect  # type: ignore[untyped-decorator]
def _load_before_the_first_question(**_: object) -> None:
    with or_exit():
        parts().attributor.embedder.embed(["warm"])
        parts().evidence.search(Query("warm"), 1)


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


@app.task(name=TaskName.CONFIRM.value)  # type: ignore[untyped-decorator]
def confirm(turn_id: str) -> None:
    confirmation.confirm(parts(), turn_id)


@app.task(name=TaskName.CONFIRM_EXAMPLES.value)  # type: ignore[untyped-decorator]
def confirm_examples(then: str, *ids: str) -> None:
    confirmation.confirm_examples(parts().database, parts().authorizer, TaskName(then), *ids)


@app.task(name=TaskName.EXPLAIN.value)  # type: ignore[untyped-decorator]
def explain(turn_id: str) -> None:
    explanation_jobs.explain(parts(), turn_id)
