"""One answer looked into: its way, its evidence, its sources then and now, why it came out so.

Its texts are shown only while everybody, or the account that this operator has linked, may read
all of its pages, as the site says now; every look into somebody's answer is in the audit log.
Of what was asked in private and handed over, only that is shown, without its way: which names what
was said before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlmodel import select
from starlette.responses import Response

from console.asked_again import choices
from console.guard import Visit
from console.rendering import HEADERS
from core.language.sentences import Sentences
from core.models import Note
from core.pages import PageKey
from core.policy.audit import Act
from core.reports.privacy import may_be_read
from core.states import HandOverState, TurnState
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverRow
from core.storage.tables import TurnRow
from core.turns import explanations
from core.turns.trace import saved as trace
from core.turns.trace.saved import SavedTurn
from core.turns.trace.step import Facts, TraceStep
from core.turns.turn import Turn

OF_PEOPLE = ("vote", "report")  # steps
# Facts that tell who asked; the channel of direct messages does too.
WHO = ("user", "asked_by", "channel", "thread", "ts", "posts")


def show(visit: Visit) -> Response:
    saved = readable(visit.parts.database, visit.request.path_params["turn"])
    if saved is None:
        return visit.not_there()
    turn = saved.turn
    visit.audit(Act.LOOKED_INTO, team=turn.address.team, subject=turn.id)
    pages = pages_of(turn)
    is_open = pages <= visit.parts.may_read(pages, visit.reader)
    return visit.show(
        "answer",
        saved=saved,
        turn=turn,
        record=turn.record if is_open else None,
        is_open=is_open,
        question=turn.question if is_open or not turn.by_button else "",
        steps=list(_steps(saved)) if is_open and not turn.private else [],
        became=_became(visit.say, turn),
        notes=_notes(visit.say, turn),
        now=visit.parts.readable(pages, visit.reader) if is_open else {},
        hand_over=_hand_over(visit.parts.database, turn.id),
        choices=choices(visit.parts.settings),
    )


def _became(say: Sentences, turn: Turn) -> str:
    """What has become of it, in a sentence."""
    if turn.state == TurnState.WAITING:
        return say("console-became-waiting")
    took = 0.0 if turn.finished_at is None else turn.finished_at - turn.asked_at
    seconds = say.number(took, 1)
    if turn.state == TurnState.FAILED:
        return say("console-became-failed", seconds=seconds)
    key = "console-became-answered" if turn.delivered else "console-became-undelivered"
    return say(key, seconds=seconds)


def _notes(say: Sentences, turn: Turn) -> list[str]:
    """What readers were told beside the answer; its badge and its sentences stand elsewhere."""
    notes = turn.record.answer.notes if turn.record else ()
    told = [say(f"note-{note}") for note in notes if note not in (Note.NOT_FOUND, Note.UNSUPPORTED)]
    return [*told, say("console-not-found")] if Note.NOT_FOUND in notes else told


def picture(visit: Visit) -> Response:
    """Of its explanation."""
    database = visit.parts.database
    saved = readable(database, visit.request.path_params["turn"])
    if saved is None:
        return visit.not_there()
    pages = pages_of(saved.turn)
    visit.audit(Act.LOOKED_INTO, team=saved.turn.address.team, subject=saved.turn.id)
    drawn = explanations.picture(database, saved.turn.id)
    if drawn is None or not pages <= visit.parts.may_read(pages, visit.reader):
        return visit.not_there()
    return Response(drawn, media_type="image/png", headers=HEADERS)


def _steps(saved: SavedTurn) -> Iterator[TraceStep]:
    """Its way, without who took part in it: votes and reports stand on the page, unnamed."""
    for step in trace.steps(saved, with_prompt=True):
        if step.name not in OF_PEOPLE:
            yield replace(step, inputs=_unnamed(step.inputs), outputs=_unnamed(step.outputs))


def _unnamed(facts: Facts) -> Facts:
    return {name: value for name, value in facts.items() if name not in WHO}


def readable(database: Database, turn_id: str) -> SavedTurn | None:
    """None for what is unknown, forgotten or private."""
    here = select(TurnRow.id).where(TurnRow.id == turn_id, may_be_read())
    with database.reading() as session:
        found = session.exec(here).first()
    saved = trace.load(database, turn_id) if found else None
    return None if saved is None or saved.turn.is_forgotten else saved


def pages_of(turn: Turn) -> frozenset[PageKey]:
    """All that its texts give away, the question's among them."""
    of_question = turn.question_shows.pages
    return of_question | turn.record.pages if turn.record else of_question


def _hand_over(database: Database, turn_id: str) -> HandOverRow | None:
    with database.reading() as session:
        row = session.get(HandOverRow, turn_id)
    return row if row and row.state in (HandOverState.ASKED, HandOverState.RESOLVED) else None
