"""The messages of an answer in its thread: the one that shows progress, and those after it."""

from __future__ import annotations

from collections.abc import Sequence

from bot import voices
from bot.delivery.answer_progress import AnswerProgress
from bot.delivery.confirmer import Confirmer
from bot.delivery.delete_messages import MessageDeletion
from bot.delivery.status import Statuses, WorkStatus
from bot.delivery.stream import Stream, Streams
from bot.delivery.turn_message import Messages, TurnMessage
from bot.views.answer_blocks import MessageBlocks
from core.access.disclosure import Disclosure
from core.states import PostKind
from core.storage.database import Database
from core.turns import post_store
from core.turns.turn import Turn


class AnswerMessages:
    """Brings together what Slack shows of an answer."""

    def __init__(
        self,
        database: Database,
        messages: Messages,
        streams: Streams,
        statuses: Statuses,
        deletion: MessageDeletion,
        confirmer: Confirmer,
    ) -> None:
        self._database = database
        self._messages = messages
        self._streams = streams
        self._statuses = statuses
        self._deletion = deletion
        self._confirmer = confirmer

    def status(self, turn: Turn) -> WorkStatus:
        return WorkStatus(self._database, self._statuses, turn)

    def progress(self, turn: Turn, status: WorkStatus) -> AnswerProgress:
        message = self._message(turn, 1)
        stream = Stream(self._streams, turn, message)
        say = voices.about(self._database, turn)
        return AnswerProgress(
            say,
            turn,
            message=message,
            stream=stream,
            status=status,
            names_question=self._confirmer.may_name_question(turn),
        )

    def post_rest(self, turn: Turn, rest: Sequence[MessageBlocks], *, shows: Disclosure) -> None:
        """The other messages of a long answer; a re-delivered one may need fewer than before."""
        for number, (text, blocks) in enumerate(rest, 2):
            message = self._message(turn, number)
            message.finish(text, blocks, shows=shows)
        last = 1 + len(rest)
        for post in post_store.of_turn(self._database, turn.id):
            if post.kind is PostKind.ANSWER and post.number > last:
                self._deletion.delete(turn, post)
                post_store.drop(self._database, post)

    def _message(self, turn: Turn, number: int) -> TurnMessage:
        kind = PostKind.ANSWER
        return TurnMessage(self._database, self._messages, turn, kind, number=number)
