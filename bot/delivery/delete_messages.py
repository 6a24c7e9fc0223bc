"""Deletes our Slack messages about a forgotten turn, and what Redis still holds of it.

It waits until nobody works on the turn any more: a process that began before the turn was forgotten
may still post for some moments. What Slack does not let us delete is replaced by a sentence.
"""

from __future__ import annotations

from contextlib import ExitStack

from slack_sdk.errors import SlackApiError

from bot.delivery.turn_message import find
from bot.slack_api.errors import FILE_IS_GONE, code, is_gone
from bot.slack_api.parts import BotParts
from bot.views import messages
from core import logs
from core.jobs.leases import lease
from core.jobs.queue import TaskName, enqueue_or_log
from core.turns import erasure, post_store, turn_store
from core.turns.erasure import Forgotten
from core.turns.post_store import Post
from core.turns.turn import Turn

BUSY = (
    TaskName.ANSWER,
    TaskName.DELIVER,
    TaskName.EXPLAIN,
    TaskName.POST_EXPLANATION,
)

log = logs.get(__name__)


def schedule_deletion(parts: BotParts, forgotten: Forgotten) -> None:
    """Have Slack cleaned at once; what cannot be enqueued now the sweeper finds."""
    for turn_id in forgotten.turns:
        parts.events.forget(turn_id)
    for turn_id in forgotten.turns:
        if not enqueue_or_log(turn_id, TaskName.TAKE_BACK):
            return
    for turn_id in forgotten.mended:
        if not enqueue_or_log(turn_id, TaskName.DELIVER):
            return


def delete_turn_messages(parts: BotParts, turn_id: str) -> None:
    """Delete all our messages about a forgotten turn.

    Does nothing while somebody works on it, since the sweeper comes again.
    """
    with ExitStack() as stack:
        for task in BUSY:
            if not stack.enter_context(lease(parts.database, f"{task}:{turn_id}")):
                return
        turn = turn_store.load(parts.database, turn_id)
        if turn is None or not turn.is_forgotten or turn.delivered:
            return
        posts = post_store.of_turn(parts.database, turn_id)
        for post in posts:
            delete(parts, turn, post)
        parts.events.forget(turn_id)
        erasure.taken_back(parts.database, turn_id)
        log.info("messages_deleted", turn=turn_id, messages=len(posts))


def delete(parts: BotParts, turn: Turn, post: Post) -> None:
    """Delete one of our messages, with the picture in it."""
    if post.file:
        _delete_file(parts, post.file)
    try:
        ts = post.ts or find(parts.client, parts.database, turn, post)
        if ts:
            _delete_message(parts, post.channel, ts)
    except SlackApiError as error:
        if not is_gone(error):
            raise  # the sweeper lets somebody try again


def _delete_message(parts: BotParts, channel: str, ts: str) -> None:
    try:
        parts.client.chat_delete(channel=channel, ts=ts)
    except SlackApiError as error:
        if is_gone(error):
            return
        log.warning("message.not_deleted", channel=channel, error=code(error))
        sentence = messages.FORGOTTEN
        parts.client.chat_update(channel=channel, ts=ts, text=sentence, blocks=[])


def _delete_file(parts: BotParts, file: str) -> None:
    try:
        parts.client.files_delete(file=file)
    except SlackApiError as error:
        if code(error) not in FILE_IS_GONE:
            raise
