"""Asks the questions of a gap again, once everything was synced after somebody called it fixed.

As everybody may ask them, in the manner of the first time; nothing is posted but what became of
them, and the answers are not kept.
"""

from __future__ import annotations

from core import logs
from core.digest import fixes
from core.digest.fixes import OpenFix
from core.errors import AccessUnknown, StoreUnavailable
from core.jobs.leases import lease
from core.models import Note, Record
from core.pages import PageKey
from core.policy.acl import EVERYBODY
from core.states import Cure
from core.storage import clock
from core.turns import turn_facts, turn_store
from worker.bootstrap import WorkerParts

LATER_S = 300.0  # after something that answers need did not answer

# An answer that lacks something says nothing of pages.
_LACKING = {Note.MODEL_DOWN, Note.WORDS_ONLY, Note.INCOMPLETE, Note.BUDGET}

log = logs.get(__name__)


class AskingAgain:
    """A chore of every pool; one of them asks at a time."""

    def __init__(self, parts: WorkerParts) -> None:
        self._parts = parts
        self._not_before = 0.0

    def when_synced(self) -> None:
        ready = fixes.not_asked(self._parts.database)
        if not ready or clock.now() < self._not_before:
            return
        with lease(self._parts.database, "digest.asked_again") as held:
            if held is not None:
                for fix in fixes.not_asked(self._parts.database):
                    self._ask(fix)

    def _ask(self, fix: OpenFix) -> None:
        outcomes: dict[str, tuple[Cure, PageKey | None]] = {}
        for turn_id in fix.turn_ids:
            turn = turn_store.load(self._parts.database, turn_id)
            if turn is None or turn.record is None:
                continue
            now = self._answer(turn.record)
            if now is None:
                self._not_before = clock.now() + LATER_S
                return
            outcomes[turn_id] = compared(turn.record, now)
        fixes.save_outcomes(self._parts.database, fix.id, outcomes)
        cured = sum(outcome is not Cure.AS_BEFORE for outcome, _ in outcomes.values())
        log.info("digest.asked_again", fix=fix.id, questions=len(outcomes), cured=cured)

    def _answer(self, then: Record) -> Record | None:
        """None when something did not answer that takes part in answers."""
        deadline = clock.now() + self._parts.settings.answer_patience_s
        try:
            now = self._parts.pipeline.answer(
                then.completed.text, [], deadline=deadline, reader=EVERYBODY, manner=then.manner
            )
        except (AccessUnknown, StoreUnavailable) as error:
            log.warning("digest.not_asked", error=str(error))
            return None
        return None if _LACKING.intersection(now.answer.notes) else now


def compared(then: Record, now: Record) -> tuple[Cure, PageKey | None]:
    """What became of a question, and the page that answers it now.

    By the pieces that an answer cites: words of a model may differ by chance.
    """
    if Note.NOT_FOUND in now.answer.notes:
        return Cure.AS_BEFORE, None
    page = next(turn_facts.cited_pages(now), None)
    if Note.NOT_FOUND in then.answer.notes:
        return Cure.ANSWERED, page
    return (Cure.AS_BEFORE if _cited(now) == _cited(then) else Cure.OTHERWISE), page


def _cited(record: Record) -> set[str]:
    texts: dict[str, str] = {}
    for hit in record.hits:
        texts |= {piece.id: piece.text for piece in (*hit.block, hit.evidence)}
    cited = (each for source in record.answer.sources for each in source.evidence_ids)
    return {texts[each] for each in cited if each in texts}
