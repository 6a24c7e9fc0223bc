"""Mentions and direct messages: a question is saved and enqueued before its event is acknowledged.

Bolt runs with `process_before_response=True`, so an event is acknowledged only when its listener
has returned. After a failure Slack delivers it again, and unique keys in SQL make the repetition
harmless.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from slack_bolt import App, BoltContext

from bot import voices
from bot.access import refusals
from bot.access.channel_rules import ChannelRules
from bot.access.locales import Locales
from bot.access.membership import NOT_YET_KNOWN, Membership
from bot.listeners.dialogue import (
    Dialogue,
    ModelNeeded,
    SlackNeeded,
    Told,
    hear_later,
    hear_when_told,
)
from bot.one_by_one import OneByOne
from bot.slack_api.payloads import Payload
from bot.slack_api.threads.heard import Heard, of_event
from bot.to_work import ToWork
from bot.views.reasons import no_answer
from core import logs
from core.access.disclosure import Disclosure
from core.dialogue.decision import Attention, Outcome
from core.policy.rate_limits import Limits
from core.states import NoAnswer, TurnState
from core.storage import clock
from core.storage.database import Database
from core.turns import turn_rows, turn_store
from core.turns.hand_over import requests
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.upkeep import late_joins, parts

# Saves a question within the limits; None when nothing is to be done about it.
Save = Callable[[Database, NewQuestion, Limits], Turn | None]

log = logs.get(__name__)


class QuestionListeners:
    """Questions that people write; and those that a button, a command or App Home asks for them."""

    def __init__(
        self,
        database: Database,
        to_work: ToWork,
        *,
        membership: Membership,
        rules: ChannelRules,
        limits: Limits,
        locales: Locales,
        dialogue: Dialogue,
    ) -> None:
        self._database = database
        self._to_work = to_work
        self._membership = membership
        self._rules = rules
        self._limits = limits
        self._locales = locales
        self._dialogue = dialogue
        self._one_by_one = OneByOne()

    def register(self, app: App) -> None:
        app.event("app_mention")(self.mention)
        app.event("message")(self.message)
        app.event("app_context_changed")(self.looked_elsewhere)

    def mention(self, event: Payload, context: BoltContext) -> None:
        if said := of_event(event, context):
            self._take(said)

    def message(self, event: Payload, context: BoltContext) -> None:
        """A mention in a channel comes as its own event too."""
        said = of_event(event, context)
        if said and (said.direct or not said.mentions_us):
            self._take(said)

    def looked_elsewhere(self) -> None:
        """Only who listens to this is told with a direct message what its asker has open."""

    def hear(self, said: Heard, save: Save | None = None, told: Told | None = None) -> bool:
        """Answer what a person has written, shortly reply, or leave it alone; it may come twice.

        Whether it is a question, also one that is refused; not if a model is asked first, whose
        word is `told` then; with `save`, none is.
        """
        with self._one_by_one.of(said.where.team, said.where.channel, said.user):
            try:
                return self._hear(said, save, told)
            except ModelNeeded as needed:
                hear_when_told(self._database, said, needed.message)
                return False

    def _hear(self, said: Heard, save: Save | None, told: Told | None) -> bool:
        to_us = said.direct or said.mentions_us
        if not (to_us or self._is_in_our_thread(said)):
            return False
        attention = Attention.SURE if to_us else self._attention(said.where)
        refused = None if said.direct else self._rules.refusal(said.where, said.user)
        stranger = self._membership.refusal(said.where.team, said.user, private=said.direct)
        may_ask = save is None and not (refused or stranger)
        decision = self._dialogue.decide(said, attention, told, may_ask=may_ask)
        if decision.outcome is Outcome.SILENT:
            return False
        new = NewQuestion(
            said.where,
            said.user,
            decision.question or said.text,
            private=said.direct,
            refused=refused,
            has_files=said.has_files,
            beside=said.beside if self._is_known_beside(said) else "",
            late_s=max(0.0, clock.now() - float(said.where.ts)),
        )
        first = parts.first_of(self._database, new) if said.direct else None
        may_not = _known(refused or stranger)
        if first and not may_not:
            asked = self._ask(parts.together(first, new), save or turn_store.ask)
            if asked and asked.state == TurnState.WAITING:
                parts.end(self._database, first)
        elif decision.outcome is Outcome.ANSWER or may_not:
            self._ask(new, save or turn_store.ask)
        else:
            self._dialogue.reply(said, decision)
            return False
        return True

    def ask_in_private(self, where: Address, user: str, asked: str, shows: Disclosure) -> None:
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
                refusals.audit(self._database, turn, user, refused)
                return no_answer(say, refused)
        pressed = NewQuestion(
            replace(turn.address, ts=pressed_at),
            user,
            asked[: refusals.MAX_QUESTION],
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
        refusals.audit(self._database, new, user, new.reason)
        if new.delivered:
            return no_answer(say, new.reason, new.refused_until)
        self.enqueue(new)
        self._locales.learn(turn.address.team, user)
        return ""

    def enqueue(self, turn: Turn) -> None:
        self._to_work.enqueue(turn)

    def _take(self, said: Heard) -> None:
        try:
            self.hear(said)
        except SlackNeeded:
            hear_later(self._database, said)

    def _ask(self, new: NewQuestion, save: Save = turn_store.ask) -> Turn | None:
        """The new turn; None for one that was asked before."""
        team = new.address.team
        not_a_member = self._membership.refusal(team, new.user, private=new.private)
        is_known = self._membership.is_known(team, new.user, private=new.private)
        # A speaker may learn between the two who asks: nobody is refused for what was not known.
        vetted = is_known and not {not_a_member, new.refused} & set(NOT_YET_KNOWN)
        refused = refusals.of_text(new.text)
        if vetted:
            refused = not_a_member or refused or new.refused
        new = replace(new, refused=refused, vetted=vetted)
        turn = save(self._database, new, self._limits)
        if turn is None:
            return None  # the same event again
        late_joins.note(self._database, new)
        log.info(
            "asked",
            turn=turn.id,
            channel=new.address.channel,
            characters=len(new.text),
            state=turn.state,
            reason=turn.reason,
        )
        refusals.audit(self._database, turn, new.user, turn.reason)
        if turn.vetted:  # else whoever finds out who asks learns this, too
            self._locales.learn(team, new.user)
        if not turn.delivered:  # else it is beyond a rate limit, as this person was told before
            self.enqueue(turn)
        return turn

    def _attention(self, where: Address) -> Attention:
        """As the channel's settings say; where a person was asked, replies are for that person."""
        is_asked = requests.is_open_in(self._database, where)
        return Attention.MENTION if is_asked else self._rules.attention(where)

    def _is_known_beside(self, said: Heard) -> bool:
        """Who has asked in a channel is in it; to look at a public one, nobody has to be."""
        team, beside = said.where.team, said.beside
        return turn_rows.has_asked_in_channel(self._database, team, beside, said.user)

    def _is_in_our_thread(self, said: Heard) -> bool:
        """A reply in a thread that was ours when it was written, by somebody who may ask there."""
        if not said.is_reply:
            return False
        joined_at = turn_rows.joined_at(self._database, said.where)
        if joined_at is None or joined_at > said.where.ts:
            return False
        return self._rules.refusal(said.where, said.user) in (None, *NOT_YET_KNOWN)


def _known(refused: NoAnswer | None) -> NoAnswer | None:
    """Whether somebody may ask is found out before anything is answered, where it is not known."""
    return None if refused in NOT_YET_KNOWN else refused
