"""Delivers a hand-over: the request in the question's thread, once, and what became of it."""

from __future__ import annotations

from itertools import islice

from bot import voices
from bot.delivery.confirmer import Confirmer
from bot.delivery.hand_over.helpers_words import HelpersWords
from bot.delivery.hand_over.in_private import PrivateRequests
from bot.delivery.hand_over.parts import Ephemeral, Helpers
from bot.delivery.retry_policy import again_in_s
from bot.delivery.turn_message import Messages, TurnMessage
from bot.slack_api.errors import SlackRefused, Unconfirmed
from bot.views.hand_over.request import RequestWords, build_request
from core import logs
from core.access.disclosure import NOTHING
from core.errors import LeaseLost
from core.jobs.leases import lease
from core.policy import people
from core.states import HandOverState, PostKind
from core.storage.database import Database
from core.turns import disclosures, turn_store
from core.turns.hand_over import requests
from core.turns.hand_over.requests import LEASE, MOST_ASKED, HandOver, Person
from core.turns.turn import Turn

log = logs.get(__name__)


class HandOverDelivery:
    """Does what SQL says of a hand-over now; to do it once more changes nothing."""

    def __init__(
        self,
        database: Database,
        messages: Messages,
        *,
        candidates: Helpers,
        private: PrivateRequests,
        confirmer: Confirmer,
        ephemeral: Ephemeral,
        words: HelpersWords,
    ) -> None:
        self._database = database
        self._messages = messages
        self._candidates = candidates
        self._private = private
        self._confirmer = confirmer
        self._ephemeral = ephemeral
        self._words = words

    def deliver(self, turn_id: str) -> None:
        """Ask people about the turn, or show in the request what became of it.

        Raises:
            LeaseLost: somebody else is at it; to be tried again, since they may not know the last.
            SlackError: to be tried again.
        """
        with lease(self._database, f"{LEASE}:{turn_id}") as held:
            if held is None:
                raise LeaseLost(f"{LEASE}:{turn_id}")
            turn = turn_store.load(self._database, turn_id)
            hand_over = requests.load(self._database, turn_id)
            if turn is None or hand_over is None or turn.is_forgotten:
                return
            if hand_over.state is HandOverState.WAITING and not self._choose(turn, hand_over):
                self._nobody(turn, hand_over)
                return
            self._see_through(turn, hand_over)
            self._words.keep(turn, hand_over)

    def preview(self, turn_id: str, user: str, view: str) -> None:
        """Fill the modal of somebody who wants to hand over what was asked in private."""
        turn = turn_store.load(self._database, turn_id)
        if turn and not turn.is_forgotten:
            self._private.preview(turn, user, view)

    def _choose(self, turn: Turn, hand_over: HandOver) -> bool:
        """Note in SQL who is asked, before anybody is."""
        found = self._candidates.of(turn, hand_over.asked_by)
        chosen: list[Person] = list(islice(found, MOST_ASKED))
        if turn.private:  # its author has agreed to this person alone
            chosen = [each for each in chosen if each == hand_over.shown]
        return requests.choose(self._database, turn.id, turn.address.team, chosen)

    def _nobody(self, turn: Turn, hand_over: HandOver) -> None:
        """Say so with the cure, and let it be tried again."""
        is_admin = people.is_admin(self._database, turn.address.team, hand_over.asked_by)
        key = "hand-over-nobody-admin" if is_admin else "hand-over-nobody"
        key = "hand-over-nobody-private" if turn.private else key
        self._ephemeral.tell(turn, hand_over.asked_by, key)
        requests.drop(self._database, turn.id)
        log.info("hand_over.nobody", turn=turn.id)

    def _see_through(self, turn: Turn, hand_over: HandOver) -> None:
        known = requests.load(self._database, turn.id)
        if known is None or not known.is_sent:
            return
        try:
            if turn.private:
                self._private.show(turn, known)
            else:
                self._show(turn, known)
        except SlackRefused as error:
            if again_in_s(error, known.asked_at) is not None:
                raise

    def _show(self, turn: Turn, hand_over: HandOver) -> None:
        turn, names_pages = self._confirmed(turn)
        words = RequestWords(turn, hand_over.asked_by, hand_over.users, names_pages=names_pages)
        built = build_request(voices.about(self._database, turn), words, hand_over)
        shows = (
            disclosures.of_turn(turn) if names_pages else disclosures.with_question(turn, NOTHING)
        )
        message = TurnMessage(self._database, self._messages, turn, PostKind.HAND_OVER)
        message.finish(built.text, built.blocks, shows=shows)
        log.info("hand_over.shown", turn=turn.id, state=hand_over.state)

    def _confirmed(self, turn: Turn) -> tuple[Turn, bool]:
        """The turn as it may be shown now, and whether its pages may be named."""
        try:
            turn = self._confirmer.confirmed(turn)
        except Unconfirmed:
            return turn, False
        return turn, turn.record is not None
