"""Hand-overs: who asks for a person's help with a question, and what is pressed on the request."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.membership import NotYetKnown, is_asked
from bot.access.turn_access import TurnAccess
from bot.listeners.unasked.opting_out import opt_out
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, user_id
from bot.slack_api.views import SlackViews
from bot.views import feedback_forms
from bot.views.answer_blocks import HAND_OVER_ACTION
from bot.views.hand_over.request import (
    PAGE_NO_ACTION,
    PAGE_YES_ACTION,
    RESOLVED_ACTION,
    SEND_CALLBACK,
    SPARE_ME_ACTION,
    build_sent,
    build_should_say,
)
from core import logs
from core.access.disclosure import NOTHING
from core.jobs.afterwards import PutOff, put_off
from core.policy import people
from core.policy.people import Standing
from core.states import HandOverState
from core.storage.database import Database
from core.turns.hand_over import requests
from core.turns.hand_over.pressed import Pressed
from core.turns.hand_over.requests import HandOver
from core.turns.turn import Turn

log = logs.get(__name__)


class HandOverListeners:
    """A listener writes into SQL what was pressed; a speaker does what follows from it."""

    def __init__(
        self,
        database: Database,
        views: SlackViews,
        ephemeral: EphemeralMessages,
        *,
        access: TurnAccess,
    ) -> None:
        self._database = database
        self._views = views
        self._ephemeral = ephemeral
        self._access = access

    def register(self, app: App) -> None:
        app.action(HAND_OVER_ACTION)(self.button)
        app.view(SEND_CALLBACK)(self.sent)
        app.action(RESOLVED_ACTION)(self.resolved)
        app.action(SPARE_ME_ACTION)(self.spared)
        app.action(PAGE_YES_ACTION)(self.page_should_say)
        app.action(PAGE_NO_ACTION)(self.page_need_not)

    def button(self, action: Payload, body: Payload, ack: Any) -> None:
        turn, user = self._access.of_button(action["value"], body), user_id(body)
        if turn and not self.begin(turn, user, body["trigger_id"]):
            self._ephemeral.tell(turn, user, "details-not-opened")
        ack()

    def begin(self, turn: Turn, user: str, trigger_id: str) -> bool:
        """Have people asked; in private, have its author shown first what would be sent.

        False when Slack does not open the modal for that.
        """
        known = requests.load(self._database, turn.id)
        if not self._is_member(turn, user):
            self._access.refused(turn, user, "hand-over-members")
            self._ephemeral.tell(turn, user, "hand-over-members")
        elif known and known.state is not HandOverState.SHOWN:
            self._already(turn, known, user)
        elif turn.private:
            return self._preview(turn, user, trigger_id)
        elif requests.ask(self._database, turn.id, user):
            self._put_off(turn)
            log.info("hand_over.asked", turn=turn.id, user=user)
        return True

    def sent(self, body: Payload, view: Payload, ack: Any) -> None:
        """Its author has seen the words of a private request, and sends it."""
        turn, user = self._access.of_modal(view, body), user_id(body)
        if turn is None:
            self._views.reply(ack, self._access.unknown(body, "hand-over-title"), shows=NOTHING)
            return
        whom = str(view["blocks"][0].get("block_id") or "")
        if requests.send(self._database, turn.id, whom):
            self._put_off(turn)
            log.info("hand_over.asked", turn=turn.id, user=user)
            ack()
        else:
            say = voices.to(self._database, turn.address.team, user)
            again = say("hand-over-again")
            notice = feedback_forms.build_notice(say, "hand-over-title", again)
            self._views.reply(ack, notice, shows=NOTHING)

    def resolved(self, action: Payload, body: Payload, ack: Any) -> None:
        pressed, user = self._access.of_request(action["value"], body), user_id(body)
        if pressed and not self._may_close(pressed, user):
            self._access.refused(pressed.turn, user, "hand-over-not-yours")
            self._ephemeral.reply(body, "hand-over-not-yours")
        elif pressed and requests.resolve(self._database, pressed.turn.id, user):
            self._close(pressed.turn, user, body)
        elif pressed:
            self._ephemeral.reply(body, "hand-over-closed")
        ack()

    def spared(self, action: Payload, body: Payload, ack: Any) -> None:
        """Whoever was asked does not want to be asked again, about anything."""
        pressed, user = self._access.of_request(action["value"], body), user_id(body)
        if pressed and pressed.hand_over.was_asked(user):
            opt_out(self._database, pressed.turn.address.team, user, "spared")
            self._ephemeral.reply(body, "hand-over-spared")
        elif pressed:
            self._ephemeral.reply(body, "hand-over-not-asked")
        ack()

    def page_should_say(self, action: Payload, body: Payload, ack: Any) -> None:
        self._decide(action, body, should_say=True)
        ack()

    def page_need_not(self, action: Payload, body: Payload, ack: Any) -> None:
        self._decide(action, body, should_say=False)
        ack()

    def _is_member(self, turn: Turn, user: str) -> bool:
        """Neither a guest nor somebody of another organization, as Slack says."""
        standing = people.standing(self._database, turn.address.team, user)
        if standing is Standing.UNKNOWN and not is_asked():
            raise NotYetKnown(turn.address.team, user)
        return standing is Standing.MEMBER

    def _preview(self, turn: Turn, user: str, trigger_id: str) -> bool:
        say = voices.to(self._database, turn.address.team, user)
        loading = feedback_forms.build_notice(say, "hand-over-title", say("hand-over-looking"))
        view = self._views.open(trigger_id, loading, "hand_over", shows=NOTHING)
        if view:
            team = turn.address.team
            put_off(
                self._database,
                PutOff.HAND_OVER_PREVIEW,
                team=team,
                turn_id=turn.id,
                user=user,
                view=view,
            )
        return bool(view)

    def _already(self, turn: Turn, known: HandOver, user: str) -> None:
        """Nobody is asked twice; who could close it can do so here, too."""
        say = voices.to(self._database, turn.address.team, user)
        if known.state is not HandOverState.ASKED:
            key = "hand-over-closed" if known.is_sent else "hand-over-looking"
            self._ephemeral.tell(turn, user, key)
            return
        asked = say.listed([f"<@{each}>" for each in known.users])
        text = say("hand-over-sent", person=asked)
        blocks = build_sent(say, text, turn.id) if Pressed(turn, known).concerns(user) else ()
        self._ephemeral.post(turn, user, text, blocks, shows=NOTHING)

    def _may_close(self, pressed: Pressed, user: str) -> bool:
        """Whom it concerns, and admins of the workspace."""
        if pressed.concerns(user):
            return True
        team = pressed.turn.address.team
        is_admin = people.is_admin(self._database, team, user)
        if is_admin is None and not is_asked():
            raise NotYetKnown(team, user)
        return is_admin is True

    def _close(self, turn: Turn, user: str, body: Payload) -> None:
        self._put_off(turn)
        if turn.private and user != turn.user:
            self._ephemeral.tell(turn, turn.user, "hand-over-resolved", who=f"<@{user}>")
        if turn.record and turn.record.answer.sources:
            say = voices.to(self._database, turn.address.team, user)
            blocks = build_should_say(say, turn.id)
            self._ephemeral.answer(body, say("hand-over-should-say"), blocks)
        log.info("hand_over.resolved", turn=turn.id, user=user)

    def _decide(self, action: Payload, body: Payload, *, should_say: bool) -> None:
        pressed, user = self._access.of_request(action["value"], body), user_id(body)
        if pressed is None:
            return
        turn_id = pressed.turn.id
        if not requests.decide(self._database, turn_id, user, should_say=should_say):
            self._ephemeral.reply(body, "hand-over-not-yours")
            return
        self._put_off(pressed.turn)
        self._ephemeral.reply(body, "thanks")

    def _put_off(self, turn: Turn) -> None:
        put_off(self._database, PutOff.HAND_OVER, team=turn.address.team, turn_id=turn.id)
