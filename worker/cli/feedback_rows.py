"""Rows of the feedback export: a flat value for each vote, with all the answer was made from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from core.storage.database import Database
from core.turns import feedback
from core.turns.feedback import CastVote
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
    "vote",
    "voted_by",
    "voted_at",
    "voted_with",
    "reason",
    "answer",
    "model",
    "confidence",
    "notes",
    "sources",
    "evidence",
    "prompt",
    "prompt_tokens",
    "completion_tokens",
    "seconds",
    "settings",
    "manner",
    "reports",
    "withheld",
)
# Of a line for an answer that was reported and not voted on.
NO_VOTE = dict.fromkeys(("vote", "voted_by", "voted_at", "voted_with", "reason"), "")


def rows(
    database: Database,
    since: float,
    person: Person,
    shown: Shown,
) -> Iterator[dict[str, Any]]:
    """A value for each vote since then, then for each answer that was only reported.

    Its keys are FIELDS, in this order.
    """
    for cast, turn in feedback.cast_since(database, since):
        voter = person(turn.address.team, cast.user)
        yield from _row(database, turn, _voted(cast, voter), person, shown)
    for turn in source_reports.turns_without_vote(database, since):
        yield from _row(database, turn, NO_VOTE, person, shown)


def _row(
    database: Database,
    turn: Turn,
    voted: dict[str, Any],
    person: Person,
    shown: Shown,
) -> Iterator[dict[str, Any]]:
    """One row; none when the turn has no answer."""
    if turn.record is None:
        return
    in_team = partial(person, turn.address.team)
    found = source_reports.of_turn(database, turn.id)
    reports = [report_fields(report, in_team) for report in found]
    question = asked_fields(turn, turn.record, person)
    row = question | voted | answered_fields(turn.record) | {"reports": reports, "withheld": False}
    if not shown(turn.record):
        row |= WITHHELD | {"withheld": True}
        if turn.by_button:  # it was ours, from a page
            row["question"] = ""
    yield masked(row, in_team)


def _voted(cast: CastVote, voter: str) -> dict[str, Any]:
    return {
        "vote": cast.vote.value,
        "voted_by": voter,
        "voted_at": iso_time(cast.at),
        "voted_with": cast.by,
        "reason": cast.reason,
    }
