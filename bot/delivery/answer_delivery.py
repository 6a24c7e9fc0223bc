"""Delivers an answer: posts the placeholder, shows progress, and posts the final text."""

from __future__ import annotations

import time

from bot import voices
from bot.delivery import progress_events
from bot.delivery.answer_messages import AnswerMessages
from bot.delivery.answer_progress import AnswerProgress
from bot.delivery.patience import Patience
from bot.delivery.progress_events import WorkerProgress
from bot.delivery.retry_policy import again_in_s
from bot.slack_api.errors import SlackRefused
from bot.views import answer_blocks
from bot.views.answer_blocks import Message
from bot.views.mrkdwn import escape, sanitize
from bot.views.progress import build_stopped
from bot.views.reasons import no_answer
from core import logs
from core.jobs.leases import lease
from core.jobs.progress_events import Events
from core.jobs.queue import TaskName
from core.language.sentences import Sentences
from core.states import NoAnswer, TurnState
from core.storage.database import Database
from core.turns import turn_delivery, turn_store
from core.turns.turn import Turn

log = logs.get(__name__)


class AnswerDelivery:
    """Sees turns through to their final messages."""

    def __init__(
        self,
        database: Database,
        events: Events,
        patience: Patience,
        messages: AnswerMessages,
    ) -> None:
        self._database = database
        self._events = events
        self._patience = patience
        self._messages = messages

    def deliver(self, turn_id: str) -> None:
        """Deliver one turn.

        Does nothing when its final message was posted already, or when another process holds the
        lease.
        """
        with lease(self._database, f"{TaskName.DELIVER}:{turn_id}") as held:
            turn = turn_store.load(self._database, turn_id)
            if held is None or turn is None or turn.delivered or turn.is_forgotten:
                return
            lost = False
            try:
                final = self._deliver(turn)
            except SlackRefused as error:
                wait = again_in_s(error, turn.deliver_from)
                if wait is not None:  # after that time the sweeper enqueues it again
                    turn_delivery.deliver_later(self._database, turn, wait)
                    return
                final, lost = turn, True
            if final is not None:
                turn_delivery.delivered(self._database, final, lost=lost)

    def _deliver(self, turn: Turn) -> Turn | None:
        """The turn as it was posted; None when it is not answered yet and this thread steps aside.

        Of a turn that is forgotten meanwhile, nothing more is posted.
        """
        with self._messages.status(turn) as status:
            progress = self._messages.progress(turn, status)
            if self._patience.may_begin_again(turn):
                turn = self._patience.begin_again(turn)
            elif self._patience.is_needed_elsewhere(turn):
                progress.wait(queued=turn.queued)
                if self._patience.step_aside(turn):
                    return None
            turn, received = self._finished(turn, progress)
            if turn.is_forgotten:
                return turn
            say = voices.about(self._database, turn)
            first, *rest = _final(say, turn, received)
            progress.finish(*first)
        self._messages.post_rest(turn, rest)
        seconds = time.time() - turn.patience_from
        log.info(
            "delivered",
            turn=turn.id,
            state=turn.state,
            reason=turn.reason,
            seconds=round(seconds, 2),
        )
        return turn

    def _finished(self, turn: Turn, progress: AnswerProgress) -> tuple[Turn, WorkerProgress]:
        """Wait for the turn to finish, or for the patience to end; show progress meanwhile."""
        received, look_at = WorkerProgress(), 0.0
        for events in progress_events.follow(self._events, turn.id):
            received.apply(events)
            # SQL is not read again for every word of a growing answer.
            if received.done or time.monotonic() >= look_at:
                look_at = time.monotonic() + progress_events.POLL_S
                turn = self._patience.reload(turn)
                if turn.state != TurnState.WAITING:
                    return turn, received
            progress.show(received, queued=turn.queued)
        raise AssertionError("events never end")


def _final(say: Sentences, turn: Turn, received: WorkerProgress) -> list[Message]:
    """The final messages; a long answer has several."""
    above, record = [], turn.record
    if turn.by_button:
        above = answer_blocks.build_question(say, turn.question, turn.user)
    if record is not None:
        completed, answer = record.completed, record.answer
        return answer_blocks.build_messages(say, turn.id, completed, answer, above=above)
    text, written = no_answer(say, turn.reason, turn.refused_until), ""
    if turn.reason is NoAnswer.STOPPED:
        written = sanitize(received.text).strip()
    if written:
        text = f"{escape(written)}\n{text}"
    blocks = build_stopped(say, turn, written, above)
    return [Message(text, blocks)]
