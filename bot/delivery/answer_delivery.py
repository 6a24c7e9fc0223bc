"""Delivers an answer: posts the placeholder, shows progress, and posts the final text."""

from __future__ import annotations

import time

from bot import voices
from bot.delivery import progress_events
from bot.delivery.answer_messages import AnswerMessages
from bot.delivery.answer_progress import AnswerProgress
from bot.delivery.confirmer import Confirmer
from bot.delivery.patience import Patience
from bot.delivery.progress_events import WorkerProgress
from bot.delivery.retry_policy import again_in_s, wait_s
from bot.slack_api.errors import SlackRefused, Unconfirmed
from bot.views import answer_blocks
from bot.views.answer.heard import build_heard
from bot.views.answer_blocks import MessageBlocks
from bot.views.block_kit import Block
from bot.views.mrkdwn import escape
from bot.views.progress import build_stopped, question_above
from bot.views.reasons import no_answer
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.errors import LeaseLost
from core.jobs.leases import lease
from core.jobs.progress_events import Events
from core.jobs.queue import TaskName
from core.language.sentences import Sentences
from core.markdown.writing import neutral
from core.states import NoAnswer, TurnState
from core.storage import clock
from core.storage.database import Database
from core.turns import disclosures, turn_delivery, turn_store
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
        confirmer: Confirmer,
    ) -> None:
        self._database = database
        self._events = events
        self._patience = patience
        self._messages = messages
        self._confirmer = confirmer

    def deliver(self, turn_id: str) -> None:
        """Deliver one turn.

        Does nothing when its final message was posted already, or when another process holds the
        lease.
        """
        with lease(self._database, f"{TaskName.DELIVER}:{turn_id}") as held:
            turn = turn_store.load(self._database, turn_id)
            if held is None or turn is None or turn.delivered or turn.is_forgotten:
                return
            try:
                self._see_through(turn)
            except LeaseLost:
                log.warning("deliver.lease_lost", turn=turn_id)  # another one sees it through

    def _see_through(self, turn: Turn) -> None:
        lost = False
        try:
            final = self._deliver_or_withhold(turn)
        except SlackRefused as error:
            wait = again_in_s(error, turn.deliver_from)
            if wait is not None:  # after that time the sweeper enqueues it again
                turn_delivery.deliver_later(self._database, turn, wait)
                return
            final, lost = turn, True
        if final is not None:
            turn_delivery.delivered(self._database, final, lost=lost)

    def _deliver_or_withhold(self, turn: Turn) -> Turn | None:
        """As `_deliver`; when nobody can tell who may read its pages, nothing of them is shown.

        What stands in Slack already, and is only to be changed, is left for later.
        """
        try:
            return self._deliver(turn)
        except Unconfirmed as error:
            log.warning("deliver.withheld", turn=turn.id, error=str(error))
        turn = turn_store.load(self._database, turn.id) or turn
        if turn.deliver_from > turn.asked_at:  # it has changed since it was shown
            turn_delivery.deliver_later(self._database, turn, wait_s(turn.deliver_from))
            return None
        turn_store.take_back(self._database, turn, NoAnswer.UNCONFIRMED)
        return self._deliver(turn_store.load(self._database, turn.id) or turn)

    def _deliver(self, turn: Turn) -> Turn | None:
        """The turn as it was posted; None when it is not answered yet and this thread steps aside.

        Of a turn that is forgotten meanwhile, nothing more is posted.
        """
        with self._messages.status(turn) as status:
            progress = self._messages.progress(turn, status)
            if self._patience.may_begin_again(turn):
                turn = self._patience.begin_again(turn)
            elif self._patience.is_needed_elsewhere(turn):
                self._tell_place(turn, progress)
                if self._patience.step_aside(turn):
                    status.leave()
                    return None
            turn, received = self._finished(turn, progress)
            turn = self._confirmer.confirmed(turn)
            if turn.is_forgotten:
                return turn
            (first, *rest), shows = self._final(turn, received)
            if turn.record is None:
                disclosures.posted(self._database, turn, shows)
            progress.finish(*first, shows=shows)
        self._messages.post_rest(turn, rest, shows=shows)
        seconds = clock.now() - turn.patience_from
        log.info(
            "delivered",
            turn=turn.id,
            state=turn.state,
            reason=turn.reason,
            seconds=round(seconds, 2),
        )
        return turn

    def _tell_place(self, turn: Turn, progress: AnswerProgress) -> None:
        if turn.queued:
            progress.wait(queued=True)
        else:
            progress.wait_in_line(self._patience.ahead(turn))

    def _finished(self, turn: Turn, progress: AnswerProgress) -> tuple[Turn, WorkerProgress]:
        """Wait for the turn to finish, or for the patience to end; show progress meanwhile."""
        received, look_at = WorkerProgress(), 0.0
        for events in progress_events.follow(self._events, turn.id, key=turn.words_key):
            received.apply(events)
            # SQL is not read again for every word of a growing answer.
            if received.done or time.monotonic() >= look_at:
                look_at = time.monotonic() + progress_events.POLL_S
                turn = self._patience.reload(turn)
                if turn.state != TurnState.WAITING:
                    return turn, received
            progress.show(received, queued=turn.queued)
        raise AssertionError("events never end")

    def _final(
        self,
        turn: Turn,
        received: WorkerProgress,
    ) -> tuple[list[MessageBlocks], Disclosure]:
        """The final messages, and what they give away; a long answer has several."""
        say = voices.about(self._database, turn)
        names_question = self._confirmer.may_name_question(turn)
        if turn.record is not None:
            messages, shows = _answer(say, turn, names_question), disclosures.of_turn(turn)
        else:
            written, shows = self._written(turn, received)
            messages = [_reason(say, turn, written, names_question)]
        if names_question:
            first = messages[0]
            text = question_above(say, turn.question, first.text)
            messages[0] = MessageBlocks(text, first.blocks)
            shows = disclosures.with_question(turn, shows)
        return messages, shows

    def _written(self, turn: Turn, received: WorkerProgress) -> tuple[str, Disclosure]:
        """What was written of a stopped answer, as far as it may be shown."""
        shows = disclosures.for_readers(turn, received.shows or NOTHING)
        if turn.reason is NoAnswer.STOPPED and self._confirmer.may_show(shows):
            return neutral(received.text).strip(), shows
        return "", NOTHING


def _answer(say: Sentences, turn: Turn, names_question: bool) -> list[MessageBlocks]:
    record = turn.record
    assert record is not None
    above = _above(say, turn, names_question)
    return answer_blocks.build_messages(
        say, turn.id, record.completed, record.answer, above=above, asked_at=turn.asked_at
    )


def _reason(say: Sentences, turn: Turn, written: str, names_question: bool) -> MessageBlocks:
    text = no_answer(say, turn.reason, turn.refused_until)
    if written:
        text = f"{escape(written)}\n{text}"
    above = _above(say, turn, names_question)
    return MessageBlocks(text, build_stopped(say, turn, written, above))


def _above(say: Sentences, turn: Turn, names_question: bool) -> list[Block]:
    asked = answer_blocks.build_question(say, turn.question, turn.user) if names_question else []
    return [*asked, *build_heard(say, turn)]
