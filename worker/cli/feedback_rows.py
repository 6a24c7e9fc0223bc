"""Rows of the feedback export: a flat value for each vote, with all the answer was made from.

Names of fields are documented in docs/operating.md and stay. People are pseudonyms, the same in
every export of this installation. What people wrote in a question is exported as it is, but for the
ids of people who are mentioned in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

from core.access.authorizer import Authorizer
from core.models import Hit, Record, Source
from core.pages import PageKey
from core.policy.acl import EVERYBODY
from core.storage import keys
from core.storage.database import Database
from core.turns import feedback
from core.turns.feedback import CastVote
from core.turns.sources import source_reports
from core.turns.sources.source_reports import Report
from core.turns.turn import Turn

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
# Of an answer from pages that not everybody may read now.
WITHHELD = {"completed_question": "", "answer": "", "prompt": "", "filters": []} | {
    "sources": [],
    "evidence": [],
}
# Of a line for an answer that was reported and not voted on.
NO_VOTE = dict.fromkeys(("vote", "voted_by", "voted_at", "voted_with", "reason"), "")

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")

Shown = Callable[[Record], bool]  # whether its texts may be in the file
Person = Callable[[str, str], str]  # team and user in, the name in the export out


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


def open_now(control: Authorizer) -> Shown:
    """Answers from pages that everybody may read; each page is asked about once."""
    known: dict[PageKey, bool] = {}

    def is_open(record: Record) -> bool:
        new = record.pages - known.keys()
        allowed = control.check_all(new, EVERYBODY).allowed if new else frozenset()
        known.update({page: page in allowed for page in new})
        return all(known[page] for page in record.pages)

    return is_open


def pseudonyms(database: Database) -> Person:
    """People under names that only this installation can give, the same every time."""
    secret = keys.key(database, "feedback-people")
    return lambda team, user: f"p-{keys.pseudonym(secret, f'{team}:{user}')}"


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
    reports = [_report(report, in_team) for report in found]
    question = _asked(turn, turn.record, person)
    row = question | voted | _answered(turn.record) | {"reports": reports, "withheld": False}
    if not shown(turn.record):
        row |= WITHHELD | {"withheld": True}
        if turn.by_button:  # it was ours, from a page
            row["question"] = ""
    yield _masked(row, in_team)


def _asked(turn: Turn, record: Record, person: Person) -> dict[str, Any]:
    done, where = record.completed, turn.address
    filters: list[dict[str, Any]] = []
    for each in done.conditions:
        condition = {"field": each.field.value, "value": each.value}
        filters.append(condition)
    channel = where.channel
    if turn.private:  # the channel of direct messages says who asks
        channel = person(where.team, channel)
    return {
        "turn_id": turn.id,
        "team": where.team,
        "channel": channel,
        "private": turn.private,
        "asked_at": _time(turn.asked_at),
        "asked_by": person(where.team, turn.user),
        "question": turn.question,
        "completed_question": done.text,
        "completed_by": done.by,
        "kind": done.kind.value,
        "filters": filters,
        "filtered": turn.filtered,
    }


def _voted(cast: CastVote, voter: str) -> dict[str, Any]:
    return {
        "vote": cast.vote.value,
        "voted_by": voter,
        "voted_at": _time(cast.at),
        "voted_with": cast.by,
        "reason": cast.reason,
    }


def _answered(record: Record) -> dict[str, Any]:
    answer = record.answer
    return {
        "answer": answer.text,
        "model": answer.model,
        "confidence": answer.confidence.value if answer.confidence else "",
        "notes": [note.value for note in answer.notes],
        "sources": list(map(_source, answer.sources)),
        "evidence": [_evidence(hit) for hit in record.hits],
        "prompt": record.prompt,
        "prompt_tokens": record.usage.prompt_tokens,
        "completion_tokens": record.usage.completion_tokens,
        "seconds": record.seconds,
        "settings": record.settings,
        "manner": record.manner.model_dump(mode="json"),
    }


_OF_SOURCES = {"number", "title", "heading", "url", "space", "confidence", "evidence_ids"}


def _source(source: Source) -> dict[str, Any]:
    return source.model_dump(mode="json", include=_OF_SOURCES)


def _evidence(hit: Hit) -> dict[str, Any]:
    piece, page = hit.evidence, hit.page
    return {
        "id": piece.id,
        "page_id": page.id,
        "version": page.version,
        "space": page.space,
        "title": page.title,
        "url": page.url,
        "kind": piece.kind.value,
        "text": piece.text,
        "score": hit.score,
    }


def _report(report: Report, person: Callable[[str], str]) -> dict[str, Any]:
    return {
        "source_numbers": list(report.numbers),
        "evidence_ids": list(report.evidence_ids),
        "text": report.text,
        "by": person(report.user),
        "at": _time(report.at),
    }


def _masked(value: Any, person: Callable[[str], str]) -> Any:
    """The value with every mention of a person in its texts pseudonymized like the fields."""
    if isinstance(value, str):
        return _MENTION.sub(lambda found: f"<@{person(found[1])}>", value)
    if isinstance(value, list):
        return [_masked(each, person) for each in value]
    if isinstance(value, dict):
        return {name: _masked(each, person) for name, each in value.items()}
    return value


def _time(seconds: float) -> str:
    at = datetime.fromtimestamp(seconds, UTC)
    return at.isoformat(timespec="seconds")
