"""Deletes our Slack messages about a forgotten turn, and what Redis still holds of it.

It waits until nobody works on the turn any more: a process that began before the turn was forgotten
may still post for some moments. What Slack does not let us delete is replaced by a sentence.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Protocol

from bot import voices
from bot.delivery.turn_message import Messages, find
from bot.slack_api.errors import FILE_IS_GONE, PlaceGone, SlackRefused
from core import logs
from core.access.disclosure import NOTHING
from core.jobs.leases import lease
from core.jobs.progress_events import Events
from core.jobs.queue import TaskName, enqueue_or_log
from core.storage.database import Database
from core.turns import erasure, post_store, turn_store
from core.turns.erasure import Forgotten
from core.turns.hand_over.requests import LEASE
from core.turns.post_store import Post
from core.turns.turn import Turn

BUSY = (
    TaskName.ANSWER,
    TaskName.DELIVER,
    TaskName.EXPLAIN,
    TaskName.POST_EXPLANATION,
    LEASE,
)

log = logs.get(__name__)


class DeletableMessages(Messages, Protocol):
    """Messages in Slack that can be deleted too; each method may raise SlackError."""

    def delete(self, channel: str, ts: str) -> None: ...
    def delete_file(self, file: str) -> None: ...


def schedule_deletion(events: Events, forgotten: Forgotten) -> None:
    """Have Slack cleaned at once; what cannot be enqueued now the sweeper finds."""
    for turn_id in forgotten.turns:
        events.forget(turn_id)
    for turn_id in forgotten.turns:
        if not enqueue_or_log(turn_id, TaskName.TAKE_BACK):
            return
    for turn_id in forgotten.mended:
        if not enqueue_or_log(turn_id, TaskName.DELIVER):
            return


class MessageDeletion:
    """Deletes messages of ours, and their pictures."""

    def __init__(self, database: Database, events: Events, messages: DeletableMessages) -> None:
        self._database = database
        self._events = events
        self._messages = messages

    def delete_turn(self, turn_id: str) -> None:
        """Delete all our messages about a forgotten turn.

        Does nothing while somebody works on it, since the sweeper comes again.
        """
        with ExitStack() as stack:
            for task in BUSY:
                if not stack.enter_context(lease(self._database, f"{task}:{turn_id}")):
                    return
            turn = turn_store.load(self._database, turn_id)
            if turn is None or not turn.is_forgotten or turn.delivered:
                return
            posts = post_store.of_turn(self._database, turn_id)
            for post in posts:
                self.delete(turn, post)
            self._events.forget(turn_id)
            erasure.taken_back(self._database, turn_id)
            log.info("messages_deleted", turn=turn_id, messages=len(posts))

    def delete(self, turn: Turn, post: Post) -> None:
        """Delete one of our messages, with the picture in it."""
        if post.file:
            self.delete_file(post.file)
        try:
            ts = post.ts or find(self._database, self._messages, turn, post)
            if ts:
                self._delete_message(turn, post.channel, ts)
        except PlaceGone:
            return  # any other refusal is raised: the sweeper lets somebody try again

    def delete_file(self, file: str) -> None:
        """Delete an uploaded picture, also from the message that shows it."""
        try:
            self._messages.delete_file(file)
        except SlackRefused as error:
            if error.code not in FILE_IS_GONE:
                raise

    def _delete_message(self, turn: Turn, channel: str, ts: str) -> None:
        try:
            self._messages.delete(channel, ts)
        except PlaceGone:
            return
        except SlackRefused as error:
            log.warning("message.not_deleted", channel=channel, error=error.code)
            say = voices.about(self._database, turn)
            self._messages.update(channel, ts, f"_{say('answer-forgotten')}_", shows=NOTHING)
