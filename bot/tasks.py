"""The tasks of the pool that speaks; thin, the work is in bot.deliver, bot.explain and bot.peek.

    celery -A core.queue worker -Q speak -I bot.tasks -P threads -c 32

Threads, many of them: a delivery does nothing but wait for its answer, and must not keep another one from being told.
"""

from __future__ import annotations

from celery.signals import worker_init

from bot import deliver, explain, peek, takeback
from bot.parts import parts
from core import sweeper
from core.queue import Task, app
from core.settings import or_exit

sweeper.start_with_worker()


@worker_init.connect  # type: ignore[untyped-decorator]
def _check_the_settings(**_: object) -> None:
    with or_exit():
        parts()


@app.task(name=Task.DELIVER.value)  # type: ignore[untyped-decorator]
def deliver_answer(turn_id: str) -> None:
    deliver.answer(parts(), turn_id)


@app.task(name=Task.POST_EXPLANATION.value)  # type: ignore[untyped-decorator]
def post_explanation(turn_id: str) -> None:
    explain.deliver(parts(), turn_id)


@app.task(name=Task.SHOW_DETAILS.value)  # type: ignore[untyped-decorator]
def show_details(view_id: str) -> None:
    peek.show(parts(), view_id)


@app.task(name=Task.TAKE_BACK.value)  # type: ignore[untyped-decorator]
def take_back(turn_id: str) -> None:
    takeback.take_back(parts(), turn_id)
