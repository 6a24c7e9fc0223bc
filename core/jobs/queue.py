"""The task queue: Celery on Redis. Messages carry only ids; what they are about is read from SQL.

core.jobs.pool has the workers that take messages from it.
A lost message loses nothing: core.turns.upkeep.sweeper finds in SQL what waits without anybody
working on it, and puts it here again.
"""

from __future__ import annotations

import sys
import threading
from enum import StrEnum
from functools import cache
from typing import Any

import redis
import structlog
from celery import Celery, Task
from celery.signals import setup_logging, task_postrun, task_prerun, worker_init
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from core import logs
from core.errors import StoreUnavailable
from core.logs import tracing
from core.settings import or_exit, settings

log = logs.get(__name__)


class TaskName(StrEnum):
    """The tasks by name; the first part is the program that does it."""

    ANSWER = "worker.answer"
    TAKE_UP = "worker.take_up"
    EXPLAIN = "worker.explain"
    DELIVER = "bot.deliver"
    POST_EXPLANATION = "bot.post_explanation"
    ADMIT = "worker.admit"
    UNDERSTAND = "worker.understand"
    CONFIRM = "worker.confirm"
    CONFIRM_EXAMPLES = "worker.confirm_examples"
    CONFIRM_DIGEST = "worker.confirm_digest"
    SHOW_DETAILS = "bot.show_details"
    TAKE_BACK = "bot.take_back"
    PUBLISH_HOME = "bot.publish_home"
    SUGGEST_PROMPTS = "bot.suggest_prompts"
    AFTERWARDS = "bot.afterwards"
    VET = "bot.vet"


# Answering and delivering never share a pool, and questions never wait behind explanations.
QUEUES = {
    TaskName.ANSWER: "answer",
    TaskName.TAKE_UP: "answer",
    TaskName.ADMIT: "answer",
    TaskName.UNDERSTAND: "answer",
    TaskName.CONFIRM: "answer",
    TaskName.CONFIRM_EXAMPLES: "answer",
    TaskName.CONFIRM_DIGEST: "answer",
    TaskName.EXPLAIN: "explain",
    TaskName.DELIVER: "speak",
    TaskName.POST_EXPLANATION: "speak",
    TaskName.SHOW_DETAILS: "speak",
    TaskName.TAKE_BACK: "speak",
    TaskName.PUBLISH_HOME: "speak",
    TaskName.SUGGEST_PROMPTS: "speak",
    TaskName.AFTERWARDS: "speak",
    TaskName.VET: "speak",
}

# These are about no turn: their messages say for whom they are.
ABOUT_PEOPLE = (
    TaskName.CONFIRM_EXAMPLES,
    TaskName.CONFIRM_DIGEST,
    TaskName.PUBLISH_HOME,
    TaskName.SUGGEST_PROMPTS,
    TaskName.AFTERWARDS,
    TaskName.UNDERSTAND,
)


def _configuration() -> dict[str, Any]:
    with or_exit():  # the first that a pool started by `celery` reads of the settings
        broker_url = settings().redis_url
    return {
        "broker_url": broker_url,
        "broker_connection_timeout": 2,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_transport_options": {
            "socket_connect_timeout": 2,
            "socket_timeout": 10,
            "visibility_timeout": 600,
            "max_retries": 0,
        },
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        # Leases keep a second delivery of the message from doing the work twice.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_prefetch_multiplier": 1,
        "worker_enable_remote_control": False,  # one thing less that listens
        "task_default_queue": "answer",
    }


class TurnTask(Task):  # type: ignore[misc]
    """Every task: its time is a part of the turn's trace."""

    def __call__(self, *ids: str) -> object:
        if self.name in ABOUT_PEOPLE:
            return super().__call__(*ids)
        with tracing.of_turn(self.name, ids[0]):
            return super().__call__(*ids)


app = Celery("groundwire", set_as_current=True, task_cls=TurnTask)
app.add_defaults(_configuration)


def enqueue(task: TaskName, *ids: str) -> None:
    """Put a turn on the queue of `task`.

    For `ADMIT` and `SHOW_DETAILS` the id is a modal's. `CONFIRM_EXAMPLES` begins with the task that
    comes after it; the rest is for that one: who, and where, since it is about no turn.

    Raises:
        StoreUnavailable: Redis does not answer; the turn is in SQL, the sweeper enqueues it later.
    """
    try:
        app.send_task(task.value, args=list(ids), queue=QUEUES[task], retry=False)
    except (OperationalError, RedisError) as error:
        raise StoreUnavailable(
            f"Redis does not answer; is REDIS_URL right and redis-server running? ({error})"
        ) from error


def enqueue_or_log(turn_id: str, *tasks: TaskName) -> bool:
    """Enqueue the tasks in this order; False when Redis is away: the sweeper finds the rest."""
    try:
        for task in tasks:
            enqueue(task, turn_id)
    except StoreUnavailable as error:
        log.error("enqueue.unavailable", turn=turn_id, error=str(error))
        return False
    return True


def confirm_examples(then: TaskName, *ids: str) -> None:
    """Have the pages confirmed that Home and prompts name, and then that task done with these ids.

    Without Redis nothing happens: whoever opens them once more asks again.
    """
    try:
        enqueue(TaskName.CONFIRM_EXAMPLES, then, *ids)
    except StoreUnavailable as error:
        log.error("enqueue.unavailable", task=then.value, error=str(error))


def length(queue: str) -> int:
    """How many messages wait there for somebody to take them.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    try:
        return int(_redis().llen(queue))
    except RedisError as error:
        raise StoreUnavailable(f"Redis does not answer ({error})") from error


@cache
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings().redis_url, socket_connect_timeout=2, socket_timeout=5)


# Set by core.jobs.pool, which begins all that a pool does beside its tasks.
begun = threading.Event()


@worker_init.connect  # type: ignore[untyped-decorator]
def _only_as_a_pool(**_: object) -> None:
    if not begun.is_set():
        sys.exit(
            "groundwire: `celery worker` alone would not find again what was lost: start a pool "
            "with `python -m worker pool answer` or `explain`, or `python -m bot pool`"
        )


@setup_logging.connect  # type: ignore[untyped-decorator]
def _our_logs(**_: object) -> None:
    logs.configure(settings())


@task_prerun.connect  # type: ignore[untyped-decorator]
def _name_the_turn(sender: Any, args: tuple[str, ...], **_: object) -> None:
    # In every line until the end, a traceback of Celery's own included.
    if sender.name not in ABOUT_PEOPLE:
        structlog.contextvars.bind_contextvars(turn=args[0])


@task_postrun.connect  # type: ignore[untyped-decorator]
def _forget_the_turn(**_: object) -> None:
    structlog.contextvars.unbind_contextvars("turn")
