"""Asks the questions of a gap again, once everything was synced after somebody called it fixed.

As everybody may ask them, in the manner of the first time; nothing is posted but what became of
them, and the answers are not kept.
"""

from __future__ import annotations

from core import logs
from core.digest import fixes
from core.digest.fixes import OpenFix
from core.errors import (
    AccessUnknown,
    EvidenceClosed,
    ModelUnavailable,
    SourceError,
    Stopped,
    StoreUnavailable,
)
from core.jobs.leases import lease
from core.models import Note, Record
from core.pages import PageKey
from core.policy.acl import EVERYBODY
from core.states import Cure
from core.storage import clock
from core.turns import turn_facts, turn_store
from worker.bootstrap import WorkerParts

LATER_S = 300.0  # after something that answers need did not answer

# An answer that lacks something says nothing of pages. One whose end is missing (INCOMPLETE) cites
# its pages all the same, and a reply that is always too long would be asked for ever.
_LACKING = {Note.MODEL_DOWN, Note.WORDS_ONLY, Note.BUDGET}

_NO_ANSWER = (
    AccessUnknown,
    EvidenceClosed,
    ModelUnavailable,
    SourceError,
    Stopped,
    StoreUnavailable,
)

Outcome = tuple[Cure, PageKey | None]

_GIVEN_UP: Outcome = (Cure.AS_BEFORE, None)

log = logs.get(__name__)


class AskingAgain:
    """A chore of every pool; one of them asks at a time."""

    def __init__(self, parts: WorkerParts) -> None:
        self._parts = parts
        self._not_before: dict[str, float] = {}  # by fix; one that fails holds up no other
        self._broken: set[str] = set()  # fixes that have raised what nobody expects

    def when_synced(self) -> None:
        if not self._ready():
            return
        with lease(self._parts.database, "digest.asked_again") as held:
            for fix in self._ready() if held is not None else ():
                self._ask(fix)

    def _ready(self) -> list[OpenFix]:
        now, found = clock.now(), fixes.not_asked(self._parts.database)
        return [fix for fix in found if self._not_before.get(fix.id, 0.0) <= now]

    def _ask(self, fix: OpenFix) -> None:
        self._not_before[fix.id] = clock.now() + LATER_S
        if fix.is_late and fix.id in self._broken:
            outcomes = dict.fromkeys(fix.turn_ids, _GIVEN_UP)
        else:
            self._broken.add(fix.id)  # until it has ended without an error
            asked = self._outcomes(fix)
            self._broken.discard(fix.id)
            if asked is None:
                return
            outcomes = asked
        self._save(fix, outcomes)

    def _outcomes(self, fix: OpenFix) -> dict[str, Outcome] | None:
        """None when one of them is to be asked later; what is late counts as before then."""
        outcomes: dict[str, Outcome] = {}
        for turn_id in fix.turn_ids:
            turn = turn_store.load(self._parts.database, turn_id)
            if turn is None or turn.record is None:
                continue
            now = self._answer(turn.record)
            if now is None and not fix.is_late:
                return None
            outcomes[turn_id] = compared(turn.record, now) if now else _GIVEN_UP
        return outcomes

    def _save(self, fix: OpenFix, outcomes: dict[str, Outcome]) -> None:
        del self._not_before[fix.id]
        self._broken.discard(fix.id)
        fixes.save_outcomes(self._parts.database, fix.id, outcomes)
        cured = sum(outcome is not Cure.AS_BEFORE for outcome, _ in outcomes.values())
        log.info("digest.asked_again", fix=fix.id, questions=len(outcomes), cured=cured)

    def _answer(self, then: Record) -> Record | None:
        """None when something did not answer that takes part in answers."""
        deadline = clock.now() + self._parts.settings.answer_patience_s
        try:
            now = self._parts.pipeline.answer(
                then.completed.as_told, [], deadline=deadline, reader=EVERYBODY, manner=then.manner
            )
        except _NO_ANSWER as error:
            log.warning("digest.not_asked", error=str(error))
            return None
        if lacking := _LACKING.intersection(now.answer.notes):
            log.warning("digest.not_asked", lacking=sorted(lacking))
            return None
        return now


def compared(then: Record, now: Record) -> Outcome:
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
