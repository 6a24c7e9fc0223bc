"""Access to turns in Slack: whoever presses, reacts or sends a form gets a turn here, or a refusal.

No difference is made between a turn that there is not and one that is none of this person's. Guests
and people of other organizations are refused before any turn is looked at.
"""

from __future__ import annotations

from bot import voices
from bot.access.membership import NOT_YET_KNOWN, Membership, NotYetKnown, is_asked
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, actor
from bot.views import feedback_forms
from bot.views.block_kit import Block
from bot.views.reasons import no_answer
from core import logs
from core.access.disclosure import NOTHING
from core.policy import audit
from core.policy.audit import Act
from core.states import NoAnswer
from core.storage.database import Database
from core.turns import turn_access
from core.turns.hand_over import pressed
from core.turns.hand_over.pressed import Pressed
from core.turns.turn import Turn
from core.turns.turn_access import Actor

MOST_SUBJECT = 64  # characters of an id that is written down; ours have 32

log = logs.get(__name__)


class TurnAccess:
    """The only way from an id in a payload to a turn; every refusal is audited."""

    def __init__(
        self,
        database: Database,
        membership: Membership,
        ephemeral: EphemeralMessages,
    ) -> None:
        self._database = database
        self._membership = membership
        self._ephemeral = ephemeral

    def of_button(self, turn_id: str, body: Payload) -> Turn | None:
        """The turn that a button or a menu is about; None, and a reply that says so, for others."""
        who = actor(body)
        outsider = self._outsider(who)
        if outsider:
            self._refused(who, turn_id, outsider)
            say = voices.to(self._database, who.team, who.user)
            self._ephemeral.answer(body, no_answer(say, outsider))
            return None
        turn = turn_access.turn_for(self._database, who, turn_id)
        if turn is None:
            self._refused(who, turn_id)
            self._ephemeral.reply(body, "answer-unknown")
        return self._known(turn, who)

    def of_request(self, turn_id: str, body: Payload) -> Pressed | None:
        """The hand-over that a button of its message is about; None, and a reply, for others."""
        who = actor(body)
        found = pressed.of_message(self._database, who, turn_id)
        if found is None:
            self._refused(who, turn_id)
            self._ephemeral.reply(body, "answer-unknown")
        return found

    def at_message(self, who: Actor) -> Turn | None:
        """The turn that a message with a reaction or a shortcut is about.

        Nothing is said to whoever reacts to a message that is none of ours, or none of theirs.
        """
        turn_id = turn_access.turn_id_at(self._database, who)
        if not turn_id:
            return None
        turn = turn_access.turn_for(self._database, who, turn_id)
        if turn is None:
            self._refused(who, turn_id)
            return None
        outsider = self._outsider(who)
        if outsider:
            self._refused(who, turn.id, outsider)
            say = voices.to(self._database, who.team, who.user)
            self._ephemeral.post(turn, who.user, no_answer(say, outsider), shows=NOTHING)
            return None
        return self._known(turn, who)

    def of_modal(self, view: Payload, body: Payload) -> Turn | None:
        """The turn of a modal that was opened for whoever sends it."""
        who, carried = actor(body), str(view.get("private_metadata") or "")
        outsider = self._membership.refusal(who.team, who.user, private=False)
        if outsider in NOT_YET_KNOWN and not is_asked():
            outsider = None  # the pass was given to somebody who was known
        turn = turn_access.turn_of_pass(self._database, who, carried)
        if outsider or turn is None:
            self._refused(who, carried, outsider)
            return None
        return self._known(turn, who)

    def modal_pass(self, turn: Turn, user: str) -> str:
        """What a modal about this turn carries, so that `of_modal` knows it."""
        return turn_access.modal_pass(self._database, turn, user)

    def unknown(self, body: Payload, title: str) -> Block:
        """What a modal says, under the title of this key, when its turn is not this person's."""
        who = actor(body)
        say = voices.to(self._database, who.team, who.user)
        return feedback_forms.build_notice(say, title, say("answer-unknown"))

    def refused(self, turn: Turn, user: str, why: str) -> None:
        """Write down that somebody may not do with this turn what they wanted to."""
        self._write_down(Actor(turn.address.team, user), turn.id, why)

    def is_outsider(self, team: str, user: str) -> bool:
        """Whether this person is refused, and so is told nothing of the pages either."""
        return self._membership.is_outsider(team, user)

    def owns_thread(self, thread_id: str, body: Payload) -> bool:
        """Whether this person has a conversation of that id."""
        who = actor(body)
        if turn_access.has_asked_in(self._database, who, thread_id):
            return True
        self._refused(who, thread_id)
        return False

    def _known(self, turn: Turn | None, who: Actor) -> Turn | None:
        """In private the workers need the e-mail that goes with this person's standing."""
        if turn and turn.private:
            self._require_known(who, private=True)
        return turn

    def _outsider(self, who: Actor) -> NoAnswer | None:
        self._require_known(who, private=False)
        return self._membership.refusal(who.team, who.user, private=False)

    def _require_known(self, who: Actor, *, private: bool) -> None:
        """Have Slack asked first, unless it just was."""
        if is_asked() or self._membership.is_known(who.team, who.user, private=private):
            return
        raise NotYetKnown(who.team, who.user)

    def _refused(self, who: Actor, subject: str, why: NoAnswer | None = None) -> None:
        self._write_down(who, subject, str(why or "unknown"))

    def _write_down(self, who: Actor, subject: str, why: str) -> None:
        log.warning("turn.refused", user=who.user, why=why)
        known = subject.encode("unicode_escape").decode()  # a database does not take every text
        audit.write(
            self._database,
            Act.REFUSED,
            team=who.team,
            actor=who.user,
            subject=known[:MOST_SUBJECT],
            details={"why": why},
        )
