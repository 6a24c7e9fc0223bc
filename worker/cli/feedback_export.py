"""`python -m worker feedback export`: a line for each vote, with all the answer was made from.

Names of fields are documented in docs/operating.md and stay. People are pseudonyms, the same in
every export of this installation. What people wrote in a question is exported as it is, but for the
ids of people who are mentioned in it.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, TextIO

import typer

from core.models import Hit, Record, Source
from core.settings import or_exit, settings
from core.storage import keys
from core.storage.database import Database, open_database
from core.turns import feedback
from core.turns.feedback import CastVote
from core.turns.turn import Turn

app = typer.Typer(
    help="What people think of the answers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
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
)
# CSV injection: a spreadsheet takes a cell that begins so for a formula
# (owasp.org/www-community/attacks/CSV_Injection).
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")

Person = Callable[[str, str], str]  # team and user in, the name in the export out


class Format(StrEnum):
    """A line of JSON, or of a table, for each vote."""

    JSONL = "jsonl"
    CSV = "csv"


@app.callback()
def _feedback() -> None:
    """What people think of the answers."""


@app.command()
def export(
    form: Annotated[
        Format, typer.Option("--format", help="Lines of JSON, or a table.")
    ] = Format.JSONL,
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Votes of this day (UTC) or later."),
    ] = None,
    with_users: Annotated[
        bool,
        typer.Option("--with-users", help="People by their ids in Slack instead of pseudonyms."),
    ] = False,
) -> None:
    """Write every vote that counts, with the answer it is about, to standard output."""
    with or_exit():
        database = open_database(settings().sql_url)
    first = since.replace(tzinfo=UTC).timestamp() if since else 0.0
    person = _user_id if with_users else pseudonyms(database)
    write(rows(database, first, person), form, sys.stdout)


def rows(database: Database, since: float, person: Person) -> Iterator[dict[str, Any]]:
    """A flat value for each vote; its keys are FIELDS, in this order."""
    for cast, turn in feedback.cast_since(database, since):
        if turn.record is not None:
            row = _row(cast, turn, turn.record, person)
            in_team = partial(person, turn.address.team)
            yield _masked(row, in_team)


def write(rows: Iterator[dict[str, Any]], form: Format, out: TextIO) -> None:
    """Line by line, so that a large export needs no memory."""
    if form is Format.JSONL:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False)
            out.write(line + "\n")
        return
    table = csv.writer(out)  # with \r\n between rows: only then is a lone \r in a text quoted
    table.writerow(FIELDS)
    for row in rows:
        cells = [_cell(row[name]) for name in FIELDS]
        table.writerow(cells)


def pseudonyms(database: Database) -> Person:
    """People under names that only this installation can give, the same every time."""
    secret = keys.key(database, "feedback-people")
    return lambda team, user: f"p-{keys.pseudonym(secret, f'{team}:{user}')}"


def _user_id(_team: str, user: str) -> str:
    return user


def _row(cast: CastVote, turn: Turn, record: Record, person: Person) -> dict[str, Any]:
    voter = person(turn.address.team, cast.user)
    question = _asked(turn, record, person)
    return question | _voted(cast, voter) | _answered(record)


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


def _masked(value: Any, person: Callable[[str], str]) -> Any:
    """The value with every mention of a person in its texts pseudonymized like the fields."""
    if isinstance(value, str):
        return _MENTION.sub(lambda found: f"<@{person(found[1])}>", value)
    if isinstance(value, list):
        return [_masked(each, person) for each in value]
    if isinstance(value, dict):
        return {name: _masked(each, person) for name, each in value.items()}
    return value


def _cell(value: Any) -> str | int | float:
    """A cell of CSV: lists and values as JSON, and nothing that a spreadsheet would execute."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    executes = text.lstrip(" ").startswith(FORMULA)
    return f"'{text}" if executes else text


def _time(seconds: float) -> str:
    at = datetime.fromtimestamp(seconds, UTC)
    return at.isoformat(timespec="seconds")
