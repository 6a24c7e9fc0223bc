"""The details modal: opened at once, filled when a worker has found that the person may see it.

Slack lets a modal be opened only for 3 seconds; whether somebody may read a page is a question to
Confluence, which takes longer and is the worker's business.
"""

from __future__ import annotations

from typing import Protocol

from bot.slack_api.errors import VIEW_CLOSED, SlackRefused
from bot.views.block_kit import Block
from bot.views.details import build_details, build_sentence
from bot.views.messages import details as texts
from core import logs
from core.jobs.queue import TaskName, enqueue_or_log
from core.states import DetailState
from core.storage.database import Database
from core.turns import detail_requests, explanations, turn_store

log = logs.get(__name__)


class Views(Protocol):
    """Modals in Slack, see bot.slack_api.views."""

    def open(self, trigger_id: str, view: Block, name: str) -> str: ...
    def fill(self, view_id: str, view: Block) -> None: ...


class DetailsModal:
    """The modals with the details of an answer."""

    def __init__(self, database: Database, views: Views) -> None:
        self._database = database
        self._views = views

    def open(self, turn_id: str, user: str, trigger_id: str) -> bool:
        """Open the modal and request the permission check; False when Slack does not open it."""
        loading = build_sentence(texts.LOADING)
        view_id = self._views.open(trigger_id, loading, "details")
        if not view_id:
            return False
        detail_requests.ask(self._database, view_id, turn_id, user)
        if not enqueue_or_log(view_id, TaskName.ADMIT):
            self._fill(view_id, build_sentence(texts.QUEUE_DOWN))
        return True

    def show(self, view_id: str) -> None:
        """Fill the modal with the details, or say that this person may not see them.

        Does nothing before that is decided.
        """
        request = detail_requests.load(self._database, view_id)
        if request is None or request.state == DetailState.WAITING:
            return
        turn = turn_store.load(self._database, request.turn_id)
        if request.state != DetailState.OPEN or turn is None or turn.record is None:
            self._fill(view_id, build_sentence(texts.CLOSED))
            return
        explanation = explanations.load(self._database, turn.id)
        self._fill(view_id, build_details(turn, explanation))
        log.info("details.shown", turn=turn.id, user=request.user)

    def _fill(self, view_id: str, view: Block) -> None:
        try:
            self._views.fill(view_id, view)
        except SlackRefused as error:
            if error.code in VIEW_CLOSED:
                return
            log.error("details.refused", view=view_id, error=error.code)
            if len(view["blocks"]) > 1:
                self._fill(view_id, build_sentence(texts.REFUSED))
