"""Takes our messages about a forgotten turn back from Slack, and what Redis still knows of it.

It waits until nobody works on the turn any more: whoever began before it was forgotten may post, or report, for some moments after.
What Slack does not let us delete is replaced by a sentence.
"""

from __future__ import annotations

from contextlib import ExitStack

from slack_sdk.errors import SlackApiError

from bot.bootstrap import Parts
from bot.delivery.turn_message import code, find, is_gone
from bot.views import messages
from core import logs
from core.errors import StoreUnavailable
from core.jobs.leases import lease
from core.jobs.queue import Task, enqueue
from core.turns import erasure, turn_store
from core.turns.erasure import Forgotten
from core.turns.turn_store import Post, Turn

BUSY = (Task.ANSWER, Task.DELIVER, Task.EXPLAIN, Task.POST_EXPLANATION)
FILE_IS_GONE = {"file_not_found", "file_deleted"}

log = logs.get(__name__)


def soon(parts: Parts, forgotten: Forgotten) -> None:
    """Have Slack cleaned at once; what cannot be enqueued now the sweeper finds."""
    for turn_id in forgotten.turns:
        parts.events.forget(turn_id)
    try:
        for task, turn_ids in ((Task.TAKE_BACK, forgotten.turns), (Task.DELIVER, forgotten.mended)):
            for turn_id in turn_ids:
                enqueue(task, turn_id)
    except StoreUnavailable as error:
        log.error("enqueue.unavailable", error=str(error))


def take_back(parts: Parts, turn_id: str) -> None:
    """Delete all our messages about a forgotten turn; does nothing while somebody works on it, since the sweeper comes again."""
    with ExitStack() as held:
        if not all(held.enter_context(lease(parts.database, f"{task}:{turn_id}")) for task in BUSY):
            return
        turn = turn_store.load(parts.database, turn_id)
        if turn is None or not turn.is_forgotten or turn.delivered:
            return
        posts = turn_store.posts(parts.database, turn_id)
        for post in posts:
            delete(parts, turn, post)
        parts.events.forget(turn_id)
        erasure.taken_back(parts.database, turn_id)
        log.info("taken_back", turn=turn_id, messages=len(posts))


def delete(parts: Parts, turn: Turn, post: Post) -> None:
    """Delete one of our messages, with the picture in it."""
    if post.file:
        _delete_file(parts, post.file)
    try:
        if ts := post.ts or find(parts.client, parts.database, turn, post):
            _delete_message(parts, post.channel, ts)
    except SlackApiError as error:
        if not is_gone(error):
            raise  # the sweeper lets somebody try again


def _delete_message(parts: Parts, channel: str, ts: str) -> None:
    try:
        parts.client.chat_delete(channel=channel, ts=ts)
    except SlackApiError as error:
        if is_gone(error):
            return
        log.warning("takeback.not_deleted", channel=channel, error=code(error))
        parts.client.chat_update(channel=channel, ts=ts, text=messages.FORGOTTEN, blocks=[])


def _delete_file(parts: Parts, file: str) -> None:
    try:
        parts.client.files_delete(file=file)
    except SlackApiError as error:
        if code(error) not in FILE_IS_GONE:
            raise
