"""Confirmation of answers: before they are saved, while they grow, and whenever a page is closed.

The bot shows nothing that was not confirmed a few seconds ago, so what takes longer is asked about
again; an answer whose pages were closed is taken back, and one whose pages have changed is marked
when its thread is used again, for those who read the message.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from core import logs, metrics
from core.access.disclosure import EVERYBODY
from core.access.index_overview import disclosed, examples, overview
from core.errors import AccessUnknown, EvidenceClosed
from core.jobs.leases import lease
from core.jobs.progress_events import Event, EventKind
from core.jobs.queue import TaskName, enqueue, enqueue_or_log
from core.models import Record
from core.pages import PageKey
from core.policy import acl
from core.policy.acl import Reader
from core.settings.values import PermissionMode
from core.states import NoAnswer
from core.storage.database import Database
from core.turns import disclosures, explanations, turn_store
from core.turns.sources import stale_sources
from core.turns.turn import Turn
from worker.bootstrap import WorkerParts
from worker.retrieval.live_access import AccessControl

# Share of its validity after which a confirmation is renewed while text is still growing.
RENEWED_SHARE = 0.5
# The last answers of a thread: nobody reads up to older ones, and each may cost a call to Slack.
LOOKED_AT = 3

log = logs.get(__name__)


def require(parts: WorkerParts, pages: Iterable[PageKey], reader: Reader) -> None:
    """See that the reader may be shown all of these pages right now.

    Raises:
        AccessUnknown: a source does not answer, so nobody knows.
        EvidenceClosed: one of them is not open to the reader.
    """
    wanted = frozenset(pages)
    verdicts = parts.authorizer.check_all(wanted, reader)
    if wanted <= verdicts.allowed:
        return
    if verdicts.failed:
        raise AccessUnknown("a source did not say who may read its pages")
    raise EvidenceClosed("pages of the answer were closed while it was made")


def renewing(
    parts: WorkerParts, reader: Reader, report: Callable[[Event], None]
) -> Callable[[Event], None]:
    """A report of progress that has the evidence confirmed again as long as text grows."""
    pages: frozenset[PageKey] = frozenset()
    renew_at = 0.0

    def report_confirmed(event: Event) -> None:
        nonlocal pages, renew_at
        now = time.monotonic()
        if event.kind is EventKind.EVIDENCE:
            pages = disclosures.of_event(event).pages
            renew_at = now + RENEWED_SHARE * parts.settings.confirm_valid_s
        elif event.kind is EventKind.TEXT and now >= renew_at:
            require(parts, pages, reader)
            renew_at = now + RENEWED_SHARE * parts.settings.confirm_valid_s
        report(event)

    return report_confirmed


def confirm(parts: WorkerParts, turn_id: str) -> None:
    """Ask again who may read what a saved answer gives away; take it back when it was closed.

    When nobody knows, everything stays as it is: the bot shows nothing without a confirmation.
    """
    with lease(parts.database, f"{TaskName.CONFIRM}:{turn_id}") as held:
        turn = turn_store.load(parts.database, turn_id)
        if held is None or turn is None:
            return
        record, reader = turn.record, parts.readers.of(turn)
        # Of a question without an answer: what was written of it, or the question itself.
        pages = record.pages if record else disclosures.of_post(parts.database, turn.id)
        try:
            require(parts, pages, reader)
        except AccessUnknown:
            return
        except EvidenceClosed:
            _take_back(parts, turn)
        else:
            if record:
                _remember_audience(parts, turn, record, reader)


def mark_stale(parts: WorkerParts, turns: Iterable[Turn]) -> None:
    """Compare the sources of these turns with their pages now, and show changes in the messages."""
    for turn in turns:
        reader = parts.readers.of(turn)
        # Nothing is said of sources when it is unknown what the person may read.
        by_account = turn.private and parts.settings.permission_mode is PermissionMode.AWARE
        if by_account and not reader.account:
            continue
        if not stale_sources.mark(parts.database, turn, reader):
            continue
        log.info("sources_stale", turn=turn.id)
        enqueue_or_log(turn.id, TaskName.DELIVER)


def confirm_examples(
    database: Database,
    control: AccessControl,
    then: TaskName,
    *ids: str,
) -> None:
    """Have the pages asked about that App Home and suggested prompts name.

    Then the bot does what comes `then`, for this team and person. What a source does not say is
    not named, so there is nothing to do about it here.
    """
    team, user, *_ = ids
    named = disclosed((), examples(database)).pages
    spaces = disclosed(overview(database).spaces, ()).pages
    questions = disclosures.of_questions(database, team, user)
    control.check_all([*named, *spaces, *questions], acl.EVERYBODY)
    enqueue(then, *ids)


def _take_back(parts: WorkerParts, turn: Turn) -> None:
    """Blank an answer and its explanation, and have that shown."""
    if explanations.take_back(parts.database, turn.id):
        enqueue_or_log(turn.id, TaskName.POST_EXPLANATION)
    if turn_store.take_back(parts.database, turn, NoAnswer.CLOSED):
        metrics.TAKEN_BACK.inc()
        log.info("answer.taken_back", turn=turn.id)
        enqueue_or_log(turn.id, TaskName.DELIVER)


def _remember_audience(parts: WorkerParts, turn: Turn, record: Record, reader: Reader) -> None:
    """For whom it is confirmed now: unknown of old answers, another one for a linked account."""
    audience = reader.account if turn.private else EVERYBODY
    disclosures.save_audience(parts.database, turn, record, audience)
