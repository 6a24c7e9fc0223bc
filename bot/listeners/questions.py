"""What Slack tells us, and what we do about it before we acknowledge: write it down, enqueue, nothing else.

Bolt runs with `process_before_response=True`, so an event is acknowledged only when its listener has returned. One that fails
is delivered again by Slack, and the unique keys in SQL make the repetition harmless.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from slack_bolt import App, BoltContext

from bot.access.channel_rules import ChannelRules
from bot.access.membership import Membership
from bot.delivery.turn_message import ANSWER, TurnMessage
from bot.listeners.answer_menu import AnswerMenuListeners
from bot.listeners.app_home import AppHomeListeners
from bot.listeners.explain_shortcut import ExplainShortcut
from bot.listeners.explanations import ExplanationListeners
from bot.listeners.feedback import FeedbackListeners
from bot.listeners.settings import SettingsListeners
from bot.listeners.slash_command import SlashCommand
from bot.listeners.stop import StopListeners
from bot.listeners.suggested_prompts import SuggestedPrompts
from bot.slack_api.direct_messages import DirectMessages
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import (
    Payload,
    address,
    is_direct,
    is_from_a_person,
    mentions_us,
    question,
    reaction_name,
)
from bot.slack_api.permalinks import Permalinks
from bot.views import messages
from bot.views.answer_blocks import ASK_AGAIN_ACTION, FOLLOW_UP_ACTION, UNFILTERED_ACTION
from core import logs
from core.errors import StoreUnavailable
from core.jobs.leases import lease
from core.jobs.progress_events import Event
from core.jobs.queue import TaskName, enqueue
from core.models import Vote
from core.policy.rate_limits import Limits
from core.turns import feedback, post_store, turn_store
from core.turns.turn import Address, Turn

MAX_QUESTION = 4000  # characters; Slack lets people write ten times as much
VOTES = {"+1": Vote.UP, "thumbsup": Vote.UP, "-1": Vote.DOWN, "thumbsdown": Vote.DOWN}

log = logs.get(__name__)


def register(app: App, parts: BotParts) -> None:
    """All that the bot listens to."""
    whisper = EphemeralMessages(parts.client, parts.database)
    why, ballots = ExplanationListeners(parts, whisper), FeedbackListeners(parts, whisper)
    listeners = QuestionListeners(parts, whisper, why, ballots)
    app.event("app_mention")(listeners.mention)
    app.event("message")(listeners.message)
    app.event("reaction_added")(listeners.reaction_added)
    app.event("reaction_removed")(listeners.reaction_removed)
    app.action(ASK_AGAIN_ACTION)(listeners.ask_again_button)
    app.action(UNFILTERED_ACTION)(listeners.unfiltered_button)
    app.action(re.compile(rf"^{FOLLOW_UP_ACTION}_\d+$"))(listeners.follow_up_button)
    prefer, private, links = (
        SettingsListeners(parts),
        DirectMessages(parts.client, listeners.ask_in_private),
        Permalinks(parts.client),
    )
    on_answers = (
        why,
        ballots,
        AnswerMenuListeners(parts, whisper),
        StopListeners(parts, whisper),
        ExplainShortcut(parts, why),
        SuggestedPrompts(parts),
    )
    for more in (
        *on_answers,
        prefer,
        SlashCommand(prefer, private, links),
        AppHomeListeners(parts, private, links),
    ):
        more.register(app)
    app.action(re.compile(".*"))(listeners.old_button)


class QuestionListeners:
    """Plain methods, one per thing that can happen; Bolt fills in their arguments by name."""

    def __init__(
        self,
        parts: BotParts,
        whisper: EphemeralMessages,
        why: ExplanationListeners,
        ballots: FeedbackListeners,
    ) -> None:
        self._parts = parts
        self._whisper = whisper
        self._why = why
        self._ballots = ballots
        self._door = Membership(parts)
        self._rules = ChannelRules(parts, self._door)
        self._limits = Limits.of(parts.settings)

    def mention(self, event: Payload, context: BoltContext) -> None:
        if is_from_a_person(event, context):
            self._ask(event, context)

    def message(self, event: Payload, context: BoltContext) -> None:
        """A direct message, or a reply in a thread that the bot has joined; a mention comes as an event of its own."""
        if not is_from_a_person(event, context):
            return
        if is_direct(event) or self._follows_up(event, context):
            self._ask(event, context)

    def reaction_added(self, event: Payload) -> None:
        turn_id = self._reacted_to(event)
        if turn_id is None:
            return
        name = reaction_name(event)
        if name in VOTES:
            self._ballots.by_reaction(turn_id, event, VOTES[name])
        elif name in self._parts.settings.explain_reaction_names:
            self._why.explain(turn_id, event["user"])

    def reaction_removed(self, event: Payload) -> None:
        turn_id = self._reacted_to(event)
        vote = VOTES.get(reaction_name(event))
        if turn_id and vote:
            feedback.withdraw(self._parts.database, turn_id, event["user"], vote, by="reaction")

    def ask_again_button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn = self._whisper.turn_of(action["value"], body)
        if turn and turn_store.ask_again(self._parts.database, turn.id):
            self._parts.events.publish(
                turn.id, Event("start")
            )  # what was written the last time is of no interest
            self._enqueue(replace(turn, state="waiting"))
        ack()

    def unfiltered_button(self, action: Payload, body: Payload, ack: Any) -> None:
        if turn := self._whisper.turn_of(action["value"], body):
            self._ask_by_button(turn, turn.question, action, body, filtered=False)
        ack()

    def follow_up_button(self, action: Payload, body: Payload, ack: Any) -> None:
        """The value is `TURN:INDEX` of one of the answer's suggestions."""
        turn_id, _, index = action["value"].partition(":")
        if turn := self._whisper.turn_of(turn_id, body):
            suggestions = turn.record.answer.suggestions if turn.record else ()
            if index.isdigit() and int(index) < len(suggestions):
                self._ask_by_button(turn, suggestions[int(index)], action, body)
            else:
                self._whisper.answer(body, messages.UNKNOWN_ANSWER)
        ack()

    def old_button(self, body: Payload, ack: Any) -> None:
        """A button of a message from an older version."""
        self._whisper.answer(body, messages.UNKNOWN_ANSWER)
        ack()

    def _ask(self, event: Payload, context: BoltContext) -> None:
        asked = question(event, context)
        where = address(event, context)
        private = is_direct(event)
        refused = "" if private else self._rules.refusal(where.team, where.channel, event["user"])
        self.ask(where, event["user"], asked, private=private, refused=refused)

    def ask_in_private(self, where: Address, user: str, asked: str) -> None:
        """A question in direct messages that no message of the person's says."""
        self.ask(where, user, asked, private=True, by_button=True)

    def ask(
        self,
        where: Address,
        user: str,
        asked: str,
        *,
        private: bool,
        by_button: bool = False,
        refused: str = "",
    ) -> None:
        refused = (
            self._door.refusal(where.team, user, private=private) or _refusal(asked) or refused
        )
        turn = turn_store.ask(
            self._parts.database,
            where,
            user=user,
            question=asked,
            private=private,
            by_button=by_button,
            refused=refused,
            limits=self._limits,
        )
        if turn is None:
            return  # the same event again
        log.info(
            "asked",
            turn=turn.id,
            channel=where.channel,
            characters=len(asked),
            state=turn.state,
            reason=turn.reason,
        )
        if not turn.delivered:  # else it is beyond a limit, as this person was told before
            self._enqueue(turn)

    def _follows_up(self, event: Payload, context: BoltContext) -> bool:
        """A reply in a thread that the bot has joined, by somebody who may ask there and need not mention the bot."""
        if (
            "thread_ts" not in event
            or mentions_us(event, context)
            or not self._is_ours(event, context)
        ):
            return False
        where = address(event, context)
        if self._rules.want_mention(where.team, where.channel):
            return False
        return not self._rules.refusal(where.team, where.channel, event["user"])

    def _ask_by_button(
        self, turn: Turn, asked: str, action: Payload, body: Payload, *, filtered: bool = True
    ) -> None:
        """Ask this in the thread of the turn, as the question of whoever pressed the button."""
        user = body["user"]["id"]
        if (
            reason := ""
            if turn.private
            else self._rules.refusal(turn.address.team, turn.address.channel, user)
        ):
            self._whisper.say(turn, user, messages.reason(reason))
            return
        new = turn_store.ask_by_button(
            self._parts.database,
            turn,
            action["action_ts"],
            user=user,
            question=asked[:MAX_QUESTION],
            filtered=filtered,
            refused=self._door.refusal(turn.address.team, user, private=turn.private),
            limits=self._limits,
        )
        if new is None:
            return  # pressed twice
        log.info("asked_by_button", turn=new.id, of=turn.id, filtered=filtered, reason=new.reason)
        if new.delivered:
            self._whisper.say(new, user, messages.reason(new.reason))
        else:
            self._enqueue(new)

    def _enqueue(self, turn: Turn) -> None:
        try:
            enqueue(TaskName.DELIVER, turn.id)  # first: the person sees that we are at it
            if turn.state == "waiting":
                enqueue(TaskName.ANSWER, turn.id)
        except (
            StoreUnavailable
        ) as error:  # the turn is in SQL: the sweeper enqueues it when Redis is back
            log.error("enqueue.unavailable", turn=turn.id, error=str(error))
            self._tell_of_the_queue(turn)

    def _tell_of_the_queue(self, turn: Turn) -> None:
        with lease(self._parts.database, f"{TaskName.DELIVER}:{turn.id}") as held:
            if held is None:
                return  # a speaker heard of the turn before Redis went away
            voice = TurnMessage(self._parts.client, self._parts.database, turn, ANSWER)
            voice.open(messages.QUEUE_DOWN)
            voice.progress(messages.QUEUE_DOWN)

    def _is_ours(self, event: Payload, context: BoltContext) -> bool:
        return turn_store.is_ours(self._parts.database, address(event, context))

    def _reacted_to(self, event: Payload) -> str | None:
        """The turn whose answer or explanation this reaction is on."""
        item = event.get("item", {})
        if item.get("type") != "message":
            return None
        post = post_store.at_place(self._parts.database, item["channel"], item["ts"])
        return post.turn_id if post else None


def _refusal(asked: str) -> str:
    """The key of the reason why this cannot be answered; empty when it can."""
    if not asked:
        return "empty"
    return "too_long" if len(asked) > MAX_QUESTION else ""
