"""Mentions and direct messages: a question is saved and enqueued before its event is acknowledged.

Bolt runs with `process_before_response=True`, so an event is acknowledged only when its listener
has returned. After a failure Slack delivers it again, and unique keys in SQL make the repetition
harmless.
"""

from __future__ import annotations

from dataclasses import replace

from slack_bolt import App, BoltContext

from bot import voices
from bot.access.channel_rules import ChannelRules
from bot.access.locales import Locales
from bot.access.membership import NOT_YET_KNOWN, Membership
from bot.aside import Aside
from bot.delivery.turn_message import Messages, TurnMessage
from bot.listeners.dialogue import Dialogue, SlackNeeded, hear_later
from bot.slack_api.payloads import (
    Payload,
    address,
    is_direct,
    is_from_a_person,
    mentions_us,
    question,
)
from bot.views.reasons import no_answer
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.dialogue.decision import Attention, Outcome
from core.jobs.leases import lease
from core.jobs.queue import TaskName, enqueue_or_log
from core.language import language
from core.policy import audit
from core.policy.audit import Act
from core.policy.rate_limits import Limits
from core.states import NoAnswer, PostKind, TurnState
from core.storage.database import Database
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn

MAX_QUESTION = 4000  # characters; Slack lets people write ten times as much

# Reasons of a refusal that are of the person, and not of the question or a limit.
FOR_WHO_THEY_ARE = (
    NoAnswer.GUEST,
    NoAnswer.EXTERNAL,
    NoAnswer.STRANGER,
    NoAnswer.ONLY_MEMBERS,
    NoAnswer.ONLY_ADMINS,
    NoAnswer.ONLY_LISTED,
    NoAnswer.UNKNOWN_ASKER,
)

log = logs.get(__name__)


class QuestionListeners:
    """Questions that people write; and those that a button, a command or App Home asks for them."""

    def __init__(
        self,
        database: Database,
        messages: Messages,
        *,
        membership: Membership,
        rules: ChannelRules,
        limits: Limits,
        locales: Locales,
        dialogue: Dialogue,
        aside: Aside,
    ) -> None:
        self._database = database
        self._messages = messages
        self._membership = membership
        self._rules = rules
        self._limits = limits
        self._locales = locales
        self._dialogue = dialogue
        self._aside = aside

    def register(self, app: App) -> None:
        app.event("app_mention")(self.mention)
        app.event("message")(self.message)

    def mention(self, event: Payload, context: BoltContext) -> None:
        if is_from_a_person(event, context):
            self._take(event, context)

    def message(self, event: Payload, context: BoltContext) -> None:
        """A direct message, or a reply in a thread of ours; a mention comes as its own event."""
        if not is_from_a_person(event, context):
            return
        if is_direct(event) or self._is_in_our_thread(event, context):
            self._take(event, context)

    def hear_again(self, event: Payload, team: str, bot_user: str) -> None:
        """A message that was put off, when nobody waits for an acknowledgement."""
        self._hear(event, BoltContext({"team_id": team, "bot_user_id": bot_user}))

    def ask_in_private(
        self,
        where: Address,
        user: str,
        asked: str,
        shows: Disclosure,
    ) -> None:
        """A question in direct messages that no message of the person asks."""
        new = NewQuestion(where, user, asked, private=True, by_button=True, shows=shows)
        self._ask(new)

    def ask_by_button(
        self,
        turn: Turn,
        asked: str,
        user: str,
        *,
        pressed_at: str,
        filtered: bool,
        shows: Disclosure,
    ) -> str:
        """Ask in the turn's thread; the sentence why nothing will be answered, or an empty one."""
        say, refused = voices.to(self._database, turn.address.team, user), None
        if not turn.private:
            refused = self._rules.refusal(turn.address, user)
            if refused and refused not in NOT_YET_KNOWN:
                self._audit(turn, user, refused)
                return no_answer(say, refused)
        pressed = NewQuestion(
            replace(turn.address, ts=pressed_at),
            user,
            asked[:MAX_QUESTION],
            private=turn.private,
            filtered=filtered,
            by_button=True,
            refused=self._membership.refusal_in(turn, user),
            vetted=refused is None,  # else SQL does not know the rank of whoever pressed
            shows=shows,
        )
        new = turn_store.ask(self._database, pressed, self._limits)
        if new is None:
            return ""  # pressed twice
        log.info("asked_by_button", turn=new.id, of=turn.id, reason=new.reason)
        self._audit(new, user, new.reason)
        if new.delivered:
            return no_answer(say, new.reason, new.refused_until)
        self.enqueue(new)
        self._locales.learn(turn.address.team, user)
        return ""

    def enqueue(self, turn: Turn) -> None:
        tasks = [TaskName.DELIVER]  # first: the person sees that we are at it
        if turn.state == TurnState.WAITING:
            tasks.append(TaskName.ANSWER if turn.vetted else TaskName.VET)
        if not enqueue_or_log(turn.id, *tasks):
            self._aside.submit(lambda: self._say_queue_is_down(turn))

    def _take(self, event: Payload, context: BoltContext) -> None:
        try:
            self._hear(event, context)
        except SlackNeeded:
            hear_later(self._database, event, context)

    def _hear(self, event: Payload, context: BoltContext) -> None:
        """Answer what a person has written, shortly reply to it, or leave it alone."""
        where, user, private = address(event, context), event["user"], is_direct(event)
        attention = Attention.SURE if private else self._rules.attention(where)
        decision = self._dialogue.decide(event, context, attention)
        if decision.outcome is Outcome.SILENT:
            return
        refused = None if private else self._rules.refusal(where, user)
        written = question(event, context)
        new = NewQuestion(
            where, user, decision.question or written, private=private, refused=refused
        )
        may_not = refused or self._membership.refusal(where.team, user, private=private)
        if decision.outcome is Outcome.ANSWER or (may_not and may_not not in NOT_YET_KNOWN):
            self._ask(new)
        else:
            self._dialogue.reply(where, user, decision, written)

    def _ask(self, new: NewQuestion) -> None:
        team = new.address.team
        not_a_member = self._membership.refusal(team, new.user, private=new.private)
        is_known = self._membership.is_known(team, new.user, private=new.private)
        vetted = is_known and new.refused not in NOT_YET_KNOWN
        refused = _refusal(new.text)
        if vetted:
            refused = not_a_member or refused or new.refused
        new = replace(new, refused=refused, vetted=vetted)
        turn = turn_store.ask(self._database, new, self._limits)
        if turn is None:
            return  # the same event again
        log.info(
            "asked",
            turn=turn.id,
            channel=new.address.channel,
            characters=len(new.text),
            state=turn.state,
            reason=turn.reason,
        )
        self._audit(turn, new.user, turn.reason)
        if language(new.text) is None:  # it is spoken of in the locale of its asker
            self._locales.learn(team, new.user)
        if not turn.delivered:  # else it is beyond a rate limit, as this person was told before
            self.enqueue(turn)
        self._locales.learn(team, new.user)

    def _audit(self, turn: Turn, user: str, refused: NoAnswer | None) -> None:
        """Write down who was refused for who they are; `turn` is what they asked, or asked by."""
        if refused in FOR_WHO_THEY_ARE:
            audit.write(
                self._database,
                Act.REFUSED,
                team=turn.address.team,
                actor=user,
                subject=turn.id,
                details={"why": str(refused)},
            )

    def _is_in_our_thread(self, event: Payload, context: BoltContext) -> bool:
        """A reply in a thread of ours, by somebody who may ask there; a mention is not meant."""
        if "thread_ts" not in event or mentions_us(event, context):
            return False
        where = address(event, context)
        if not turn_store.is_ours(self._database, where):
            return False
        return self._rules.refusal(where, event["user"]) in (None, *NOT_YET_KNOWN)

    def _say_queue_is_down(self, turn: Turn) -> None:
        with lease(self._database, f"{TaskName.DELIVER}:{turn.id}") as held:
            if held is None:
                return  # a delivery began before Redis went away
            message = TurnMessage(self._database, self._messages, turn, PostKind.ANSWER)
            sentence = voices.about(self._database, turn)("queue-down")
            message.post(sentence, shows=NOTHING)
            message.show_progress(sentence, shows=NOTHING)


def _refusal(asked: str) -> NoAnswer | None:
    """Why this cannot be answered; None when it can."""
    if not asked:
        return NoAnswer.EMPTY
    return NoAnswer.TOO_LONG if len(asked) > MAX_QUESTION else None
