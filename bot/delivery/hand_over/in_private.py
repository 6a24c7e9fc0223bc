"""Hand-overs of what was asked in private: a direct message to one person, whom its author sees.

Pages are named there only where a worker has confirmed that this person may read them all.
"""

from __future__ import annotations

import time
from dataclasses import replace

from bot import voices
from bot.delivery.confirmer import LOOK_EVERY_S, WAIT_S, Confirmer
from bot.delivery.hand_over.parts import Ephemeral, FilledViews, Helpers, PersonalMessages
from bot.slack_api.errors import VIEW_CLOSED, SlackRefused, Unconfirmed
from bot.views import feedback_forms
from bot.views.block_kit import Block
from bot.views.hand_over.request import (
    RequestWords,
    build_preview,
    build_request,
    build_sent,
)
from core import logs
from core.access.disclosure import EVERYBODY, NOTHING, Disclosure
from core.jobs.queue import TaskName, enqueue_or_log
from core.states import DetailKind, DetailState, PostKind
from core.storage.database import Database
from core.turns import detail_requests, disclosures, post_store, turn_access
from core.turns.hand_over import requests
from core.turns.hand_over.requests import HandOver, Person
from core.turns.post_store import Post
from core.turns.turn import Turn

log = logs.get(__name__)


class PrivateRequests:
    """Waits for a worker to say what the person may read."""

    def __init__(
        self,
        database: Database,
        messages: PersonalMessages,
        views: FilledViews,
        *,
        candidates: Helpers,
        confirmer: Confirmer,
        ephemeral: Ephemeral,
    ) -> None:
        self._database = database
        self._messages = messages
        self._views = views
        self._candidates = candidates
        self._confirmer = confirmer
        self._ephemeral = ephemeral

    def preview(self, turn: Turn, user: str, view_id: str) -> None:
        """Show the author the exact words, and to whom they would go."""
        say = voices.to(self._database, turn.address.team, user)
        person = next(self._candidates.of(turn, user), None)
        if person is None:
            self._notice(turn, user, view_id, "hand-over-nobody-private")
            return
        if not requests.show(self._database, turn.id, user, person):
            self._notice(turn, user, view_id, "hand-over-already-private")
            return
        turn, shows = self._confirmed(turn, person)
        own = disclosures.of_turn(turn) if shows.pages else disclosures.with_question(turn, NOTHING)
        words = RequestWords(turn, user, (person.user,), names_pages=bool(shows.pages))
        carried = turn_access.modal_pass(self._database, turn, user)
        about = voices.about(self._database, turn)
        try:
            self._fill(view_id, build_preview(say, about, words, carried), shows=own)
        except Unconfirmed:
            self._notice(turn, user, view_id, "details-unconfirmed")

    def show(self, turn: Turn, hand_over: HandOver) -> None:
        """Send the request, or change it to what became of it."""
        (person,) = hand_over.people
        confirmed, shows = self._confirmed(turn, person)
        names_pages = bool(shows.pages)
        words = RequestWords(confirmed, hand_over.asked_by, (person.user,), names_pages=names_pages)
        built = build_request(voices.about(self._database, turn), words, hand_over)
        post = self._post(turn, person)
        if post.ts:
            channel, ts = post.channel, post.ts
            self._messages.update(channel, ts, built.text, built.blocks, shows=shows)
            return
        channel, ts = self._messages.post_to(
            person.user, built.text, built.blocks, post.id, shows=shows
        )
        post_store.save_place(self._database, post.id, ts, channel)
        say = voices.to(self._database, turn.address.team, turn.user)
        text = say("hand-over-sent", person=f"<@{person.user}>")
        blocks = build_sent(say, text, turn.id)
        self._ephemeral.post(turn, turn.user, text, blocks, shows=NOTHING)
        log.info("hand_over.sent", turn=turn.id)

    def _post(self, turn: Turn, person: Person) -> Post:
        """The post of this request, looked for in Slack when another process was to send it."""
        there = replace(turn, address=replace(turn.address, channel=person.user))
        post = post_store.ensure(self._database, there, PostKind.HAND_OVER)
        if post.ts or post.new:
            return post
        for channel, reply in self._messages.direct(person.user, turn.asked_at):
            if reply.post_id == post.id:
                post_store.save_place(self._database, post.id, reply.ts, channel)
                return replace(post, channel=channel, ts=reply.ts)
        return post

    def _confirmed(self, turn: Turn, person: Person) -> tuple[Turn, Disclosure]:
        """The turn as it may be shown now, and what this person may be told of it.

        Without pages, but for those that the question itself may give away, when a worker has not
        said that they may read them all.
        """
        nothing = Disclosure(turn.question_shows.pages, EVERYBODY)
        try:
            turn = self._confirmer.confirmed(turn)
        except Unconfirmed:
            return replace(turn, record=None), nothing
        audience = self._admitted(turn, person) if turn.record else None
        if audience is None:
            return turn, nothing
        shows = Disclosure(disclosures.of_turn(turn).pages, audience)
        return (turn, shows) if self._confirmer.may_show(shows) else (turn, nothing)

    def _admitted(self, turn: Turn, person: Person) -> str | None:
        """For which audience the pages are confirmed for this person; None where they are not."""
        name = f"hand-over-{turn.id}"
        detail_requests.ask(self._database, name, turn.id, person.user, what=DetailKind.HAND_OVER)
        if not enqueue_or_log(name, TaskName.ADMIT):
            return None
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
            known = detail_requests.load(self._database, name)
            if known is None or known.state is not DetailState.WAITING:
                is_open = known is not None and known.state is DetailState.OPEN
                return known.audience if known and is_open else None
        return None

    def _notice(self, turn: Turn, user: str, view_id: str, key: str) -> None:
        say = voices.to(self._database, turn.address.team, user)
        notice = feedback_forms.build_notice(say, "hand-over-title", say(key))
        self._fill(view_id, notice, shows=NOTHING)

    def _fill(self, view_id: str, view: Block, *, shows: Disclosure) -> None:
        try:
            self._views.fill(view_id, view, shows=shows)
        except SlackRefused as error:
            if error.code not in VIEW_CLOSED:
                raise
