"""Fields of an exported turn: what was asked, and what the answer was made from, as flat values.

Names of fields are documented in docs/operating.md and stay. People are pseudonyms, the same in
every export of this installation. What people wrote in a question is exported as it is, but for the
ids of people who are mentioned in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from core.access.authorizer import Authorizer
from core.models import Hit, Record, Source
from core.pages import PageKey
from core.policy.acl import EVERYBODY
from core.question import Condition
from core.storage import keys
from core.storage.database import Database
from core.turns.sources.source_reports import Report
from core.turns.turn import Turn

# Of an answer from pages that not everybody may read now.
WITHHELD = {"completed_question": "", "answer": "", "prompt": "", "filters": []} | {
    "sources": [],
    "evidence": [],
}

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")

Shown = Callable[[Record], bool]  # whether its texts may be in the file
Person = Callable[[str, str], str]  # team and user in, the name in the export out


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


def asked_fields(turn: Turn, record: Record | None, person: Person) -> dict[str, Any]:
    """The question, its place, and what was made of it before a search."""
    done, where = record.completed if record else None, turn.address
    channel = where.channel
    if turn.private:  # the channel of direct messages says who asks
        channel = person(where.team, channel)
    return {
        "turn_id": turn.id,
        "team": where.team,
        "channel": channel,
        "private": turn.private,
        "asked_at": iso_time(turn.asked_at),
        "asked_by": person(where.team, turn.user),
        "question": turn.question,
        "completed_question": done.text if done else "",
        "completed_by": done.by if done else "",
        "kind": done.kind.value if done else "",
        "filters": list(map(_condition, done.conditions)) if done else [],
        "filtered": turn.filtered,
    }


def _condition(condition: Condition) -> dict[str, str]:
    return {"field": condition.field.value, "value": condition.value}


def answered_fields(record: Record) -> dict[str, Any]:
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


def report_fields(report: Report, person: Callable[[str], str]) -> dict[str, Any]:
    return {
        "source_numbers": list(report.numbers),
        "evidence_ids": list(report.evidence_ids),
        "text": report.text,
        "by": person(report.user),
        "at": iso_time(report.at),
    }


def masked(value: Any, person: Callable[[str], str]) -> Any:
    """The value with every mention of a person in its texts pseudonymized like the fields."""
    if isinstance(value, str):
        return _MENTION.sub(lambda found: f"<@{person(found[1])}>", value)
    if isinstance(value, list):
        return [masked(each, person) for each in value]
    if isinstance(value, dict):
        return {name: masked(each, person) for name, each in value.items()}
    return value


def iso_time(seconds: float) -> str:
    at = datetime.fromtimestamp(seconds, UTC)
    return at.isoformat(timespec="seconds")
