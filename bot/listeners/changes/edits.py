"""Questions that people edit or delete: the answer follows its question.

An edit is read like a new message, under the same checks, and answered in the same messages. What
is deleted is forgotten, as by *Delete this answer*.
"""

from __future__ import annotations

from slack_bolt import App, BoltContext

from bot.delivery.delete_messages import schedule_deletion
from bot.listeners.dialogue import SlackNeeded, no_longer_told, waits
from bot.listeners.questions import QuestionListeners
from bot.listeners.stop import stop
from bot.slack_api.payloads import Payload
from bot.slack_api.threads.heard import Heard, of_event
from core import logs
from core.jobs.afterwards import PutOff, put_off
from core.jobs.progress_events import Event, EventKind, Events
from core.jobs.queue import TaskName, enqueue_or_log
from core.policy.rate_limits import Limits
from core.states import NoExplanation, TurnState
from core.storage.database import Database
from core.turns import erasure, explanations, thread_queue, turn_store
from core.turns.anew import edits
from core.turns.turn import Address, NewQuestion, Turn

EDITED_WITHIN_S = 600.0  # of the message; whoever edits later asks nobody any more
# What Slack leaves of a message with replies that was deleted.
TOMBSTONE = "tombstone"

log = logs.get(__name__)


class EditListeners:
    """Slack tells of every edit and deletion where the bot is; most are of no question of ours."""

    def __init__(self, database: Database, events: Events, questions: QuestionListeners) -> None:
        self._database = database
        self._events = events
        self._questions = questions

    def register(self, app: App) -> None:
        app.event({"type": "message", "subtype": "message_changed"})(self.changed)
        app.event({"type": "message", "subtype": "message_deleted"})(self.deleted)

    def changed(self, event: Payload, context: BoltContext) -> None:
        try:
            self.read(event, context)
        except SlackNeeded:
            edited_ts = event["message"]["edited"]["ts"]
            put_off(
                self._database,
                PutOff.EDIT,
                once=f"{context.team_id}:{event['channel']}:{event['message']['ts']}:{edited_ts}",
                event=_needed(event),
                team=context.team_id or "",
                bot_user=context.bot_user_id or "",
            )

    def read_later(self, event: Payload, team: str, bot_user: str) -> None:
        """An edit that was put off, when nobody waits for an acknowledgement."""
        self.read(event, BoltContext({"team_id": team, "bot_user_id": bot_user}))

    def read(self, event: Payload, context: BoltContext) -> None:
        """A message of a person's whose words are others now; Slack also tells of link previews.

        Raises:
            SlackNeeded: only somebody who may ask Slack can decide on it.
        """
        there = {"channel": event["channel"], "channel_type": event.get("channel_type", "")}
        message, before = event["message"], event.get("previous_message") or {}
        if message.get("subtype") == TOMBSTONE:
            self._forget(_address(event, message["ts"], context), before)
            return
        said, was = of_event(message | there, context), of_event(before | there, context)
        if said is None or not _in_time(message) or (was and was.text == said.text):
            return
        is_heard = waits(self._database, said.where) or said.direct or said.mentions_us
        turn = edits.asked_at(self._database, said.where)
        if turn and turn.user == said.user:
            self._ask_anew(turn, said, message["edited"]["ts"])
        elif turn is None and is_heard:
            self._ask(said, message["edited"]["ts"])
        no_longer_told(self._database, said.where)

    def deleted(self, event: Payload, context: BoltContext) -> None:
        where = _address(event, event["deleted_ts"], context)
        self._forget(where, event.get("previous_message") or {})

    def _ask(self, said: Heard, edited_ts: str) -> None:
        """The message was no question before, or it is not known yet, as both events came at once.

        In the second case it may be saved at this very moment, as it was.
        """
        self._questions.hear(said, turn_store.ask)
        turn = edits.asked_at(self._database, said.where)
        if turn and turn.user == said.user:
            self._ask_anew(turn, said, edited_ts)

    def _ask_anew(self, turn: Turn, said: Heard, edited_ts: str) -> None:
        """Answer what the message asks now; stop what is being answered when it asks nothing."""

        def save(database: Database, new: NewQuestion, limits: Limits) -> Turn | None:
            edited = edits.ask_anew(database, turn.id, new, limits, edited_ts=edited_ts)
            if edited:
                self._take_explanation_back(edited)
                # What was written for the question as it was is of no interest.
                self._events.publish(edited.id, Event(EventKind.START))
            return edited

        if turn.edited_ts >= edited_ts:
            return  # the same event again
        is_question = self._questions.hear(said, save)
        if not is_question and turn.state == TurnState.WAITING:
            stop(self._database, self._events, turn.id, turn.address)

    def _take_explanation_back(self, turn: Turn) -> None:
        if explanations.take_back(self._database, turn.id, NoExplanation.EDITED):
            enqueue_or_log(turn.id, TaskName.POST_EXPLANATION)

    def _forget(self, where: Address, before: Payload) -> None:
        if "bot_id" in before:
            return
        turn = edits.asked_at(self._database, where)
        no_longer_told(self._database, where)
        if turn is None or turn.by_button:
            return
        forgotten = erasure.forget_turn(self._database, turn.id, turn.user)
        schedule_deletion(self._events, forgotten)
        thread_queue.call_next(self._database, turn.address, after=turn.id)
        log.info("question_deleted", turn=turn.id)


def _address(event: Payload, ts: str, context: BoltContext) -> Address:
    team = context.team_id or event.get("team", "")
    return Address(team, event["channel"], ts, ts)


def _in_time(message: Payload) -> bool:
    """Whether its author has edited it, and soon enough."""
    edited_ts = (message.get("edited") or {}).get("ts", "")
    return bool(edited_ts) and float(edited_ts) <= float(message["ts"]) + EDITED_WITHIN_S


def _needed(event: Payload) -> Payload:
    """What of the event is read when it was put off."""
    needed = {name: event[name] for name in ("channel", "channel_type", "message") if name in event}
    before = event.get("previous_message") or {}
    return needed | {"previous_message": before}
