"""Rows of the turns export: every question with all it was answered from and what came of it.

Fields that the feedback export has too mean the same here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlmodel import and_, col, or_, select

from core.models import Answer, Record
from core.question import Completed
from core.states import TurnState
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import explanations, feedback, turn_store
from core.turns.feedback import CastVote, PastVote
from core.turns.hand_over import requests
from core.turns.sources import source_reports
from core.turns.turn import Turn
from worker.cli.exported import (
    WITHHELD,
    Person,
    Shown,
    answered_fields,
    asked_fields,
    iso_time,
    masked,
    report_fields,
)

FIELDS = (
    "turn_id",
    "team",
    "channel",
    "private",
    "asked_at",
    "asked_by",
    "question",
    "completed_question",
    "completed_by",
    "kind",
    "filters",
    "filtered",
    "by_button",
    "state",
    "reason",
    "finished_at",
    "delivered",
    "times_changed",
    "answer",
    "model",
    "confidence",
    "notes",
    "unsupported",
    "suggestions",
    "nearest",
    "sources",
    "evidence",
    "prompt",
    "prompt_tokens",
    "completion_tokens",
    "seconds",
    "settings",
    "manner",
    "votes",
    "vote_history",
    "reports",
    "hand_over",
    "explanation",
    "withheld",
)
BATCH = 100  # turns in memory at once
_NO_RECORD = Record(completed=Completed(question="", text=""), answer=Answer(text=""))
_WITHHELD: dict[str, Any] = WITHHELD | {
    "unsupported": [],
    "suggestions": [],
    "nearest": [],
    "explanation": None,
}


@dataclass
class LeftOut:
    """What an export does not hold."""

    private: int = 0


def rows(
    database: Database,
    since: float,
    person: Person,
    shown: Shown,
    *,
    private: LeftOut | None = None,
) -> Iterator[dict[str, Any]]:
    """A value for each turn since then, in order of time; its keys are FIELDS, in this order.

    With `private`, questions in direct messages are counted there and left out.
    """
    for turn in _turns(database, since):
        if turn.private and private is not None:
            private.private += 1
            continue
        yield _row(database, turn, person, shown)


def _turns(database: Database, since: float) -> Iterator[Turn]:
    """Those that are not forgotten, read from SQL in batches."""
    at, last = since, ""
    while places := _batch(database, at, last):
        for _, turn_id in places:
            turn = turn_store.load(database, turn_id)
            if turn and not turn.is_forgotten:
                yield turn
        at, last = places[-1]


def _batch(database: Database, at: float, last: str) -> list[tuple[float, str]]:
    """The next times and ids, in the order of both."""
    same_moment = and_(col(TurnRow.asked_at) == at, col(TurnRow.id) > last)
    there = select(TurnRow.asked_at, TurnRow.id).where(
        or_(col(TurnRow.asked_at) > at, same_moment),
        TurnRow.state != TurnState.FORGOTTEN,
    )
    in_order = there.order_by(col(TurnRow.asked_at), col(TurnRow.id)).limit(BATCH)
    with database.reading() as session:
        return list(session.exec(in_order).all())


def _row(
    database: Database,
    turn: Turn,
    person: Person,
    shown: Shown,
) -> dict[str, Any]:
    in_team = partial(person, turn.address.team)
    record = turn.record or _NO_RECORD
    found = (
        asked_fields(turn, turn.record, person)
        | _became(turn)
        | answered_fields(record)
        | _beside(record)
        | _said(database, turn, in_team)
        | {"explanation": _explanation(database, turn.id), "withheld": False}
    )
    if turn.record is not None and not shown(turn.record):
        found |= _WITHHELD | {"withheld": True}
        if turn.by_button:  # it was ours, from a page
            found["question"] = ""
    in_order = {name: found[name] for name in FIELDS}
    masked_row: dict[str, Any] = masked(in_order, in_team)
    return masked_row


def _became(turn: Turn) -> dict[str, Any]:
    return {
        "by_button": turn.by_button,
        "state": turn.state.value,
        "reason": turn.reason.value if turn.reason else "",
        "finished_at": iso_time(turn.finished_at) if turn.finished_at else "",
        "delivered": turn.delivered,
        "times_changed": turn.edition,
    }


def _beside(record: Record) -> dict[str, Any]:
    answer = record.answer
    nearest = [{"title": each.title, "url": each.url} for each in answer.more]
    return {
        "unsupported": list(answer.unsupported),
        "suggestions": list(answer.suggestions),
        "nearest": nearest,
    }


def _said(database: Database, turn: Turn, person: partial[str]) -> dict[str, Any]:
    """What people said of the answer, and did with the question."""
    votes = feedback.of_turn(database, turn.id)
    history = feedback.history(database, turn.id)
    reports = source_reports.of_turn(database, turn.id)
    return {
        "votes": [_vote(cast, person) for cast in votes],
        "vote_history": [_vote(cast, person) for cast in history],
        "reports": [report_fields(each, person) for each in reports],
        "hand_over": _hand_over(database, turn.id, person),
    }


def _vote(cast: CastVote | PastVote, person: partial[str]) -> dict[str, Any]:
    return {
        "vote": cast.vote.value if cast.vote else "",
        "by": person(cast.user),
        "with": cast.by,
        "at": iso_time(cast.at),
        "reason": cast.reason,
    }


def _hand_over(database: Database, turn_id: str, person: partial[str]) -> dict[str, Any] | None:
    found = requests.load(database, turn_id)
    if found is None:
        return None
    return {
        "asked_by": person(found.asked_by) if found.asked_by else "",
        "at": iso_time(found.asked_at),
        "state": found.state.value,
        "people": [person(user) for user in found.users],
        "resolved_by": person(found.resolved_by) if found.resolved_by else "",
        "should_say": found.should_say,
    }


def _explanation(database: Database, turn_id: str) -> dict[str, Any] | None:
    """All of it but the picture: core.attribution.Explanation, with how it ended."""
    found = explanations.load(database, turn_id)
    if found is None:
        return None
    ended = {"state": found.state.value, "reason": found.reason.value if found.reason else ""}
    result = found.result.model_dump(mode="json") if found.result else {}
    return ended | result
