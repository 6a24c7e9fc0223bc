"""Modals with pages' text, such as the details: opened at once, filled when a worker admits it.

Slack lets a modal be opened only for 3 seconds; whether somebody may read a page is a question to
Confluence, which takes longer and is the worker's business.
"""

from __future__ import annotations

from typing import Protocol

from bot import voices
from bot.slack_api.errors import VIEW_CLOSED, SlackRefused, Unconfirmed
from bot.views import feedback_forms
from bot.views.block_kit import Block
from bot.views.details import build_details, build_previews, build_sentence
from core import logs
from core.access.disclosure import NOTHING, Disclosure
from core.jobs.queue import TaskName, enqueue_or_log
from core.language.sentences import Sentences
from core.models import Record
from core.policy import audit
from core.policy.acl import EVERYBODY
from core.policy.audit import Act
from core.states import DetailKind, DetailState
from core.storage.database import Database
from core.turns import detail_requests, disclosures, explanations, turn_access, turn_store
from core.turns.detail_requests import DetailRequest
from core.turns.sources import stale_sources
from core.turns.turn import Turn

log = logs.get(__name__)


class Views(Protocol):
    """Modals in Slack, see bot.slack_api.views."""

    def open(self, trigger_id: str, view: Block, name: str, *, shows: Disclosure) -> str: ...
    def fill(self, view_id: str, view: Block, *, shows: Disclosure) -> None: ...


class DetailsModal:
    """The modals with the details of an answer, its sources, and those to report its sources."""

    def __init__(self, database: Database, views: Views) -> None:
        self._database = database
        self._views = views

    def open(
        self,
        turn: Turn,
        user: str,
        trigger_id: str,
        *,
        what: DetailKind = DetailKind.DETAILS,
    ) -> bool:
        """Open the modal and request the permission check; False when Slack does not open it."""
        say = self._say_to(turn, user)
        loading = build_sentence(say, "details-loading")
        view_id = self._views.open(trigger_id, loading, what, shows=NOTHING)
        if not view_id:
            return False
        detail_requests.ask(self._database, view_id, turn.id, user, what=what)
        if not enqueue_or_log(view_id, TaskName.ADMIT):
            self._say(say, view_id, "details-down")
        return True

    def show(self, view_id: str) -> None:
        """Fill the modal with the details, or say that this person may not see them.

        Does nothing before that is decided.
        """
        request = detail_requests.load(self._database, view_id)
        if request is None or request.state == DetailState.WAITING:
            return
        turn = turn_store.load(self._database, request.turn_id)
        if turn is None:
            return
        say = self._say_to(turn, request.user)
        if request.state != DetailState.OPEN or turn.record is None:
            self._say(say, view_id, "details-closed")
            if request.state == DetailState.CLOSED:
                closed = {"why": "details-closed"}
                self._write_down(turn, request.user, Act.REFUSED, closed)
            return
        view = self._view(say, turn, turn.record, request)
        pages = disclosures.of_turn(turn).pages
        self._fill(say, view_id, view, shows=Disclosure(pages, request.audience))
        log.info("details.shown", turn=turn.id, user=request.user, what=request.what)
        if request.user != turn.user:
            looked = {"what": str(request.what), "asker": turn.user}
            self._write_down(turn, request.user, Act.LOOKED_INTO, looked)

    def _view(self, say: Sentences, turn: Turn, record: Record, request: DetailRequest) -> Block:
        if request.what is DetailKind.DETAILS:
            explanation = explanations.load(self._database, turn.id)
            return build_details(say, turn, explanation)
        if request.what is DetailKind.SOURCES:
            return build_previews(say, record)
        shown = record.answer.sources
        sources = stale_sources.compared(self._database, record, shown, EVERYBODY)
        if sources:
            carried = turn_access.modal_pass(self._database, turn, request.user)
            return feedback_forms.build_report(say, carried, sources)
        return feedback_forms.build_notice(say, "report-title", say("report-nothing"))

    def _write_down(self, turn: Turn, user: str, act: Act, details: dict[str, str]) -> None:
        audit.write(
            self._database,
            act,
            team=turn.address.team,
            actor=user,
            subject=turn.id,
            details=details,
        )

    def _say_to(self, turn: Turn, user: str) -> Sentences:
        return voices.to(self._database, turn.address.team, user)

    def _say(self, say: Sentences, view_id: str, key: str) -> None:
        self._fill(say, view_id, build_sentence(say, key), shows=NOTHING)

    def _fill(self, say: Sentences, view_id: str, view: Block, *, shows: Disclosure) -> None:
        try:
            self._views.fill(view_id, view, shows=shows)
        except Unconfirmed:
            self._say(say, view_id, "details-unconfirmed")
        except SlackRefused as error:
            if error.code in VIEW_CLOSED:
                return
            log.error("details.refused", view=view_id, error=error.code)
            if len(view["blocks"]) > 1:
                self._say(say, view_id, "details-refused")
