"""Filters: the conditions of a question, and the spaces of a reader, as SQL over pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import String, cast, func
from sqlmodel import Session, col, or_, select

from core.pages import PageKey
from core.policy.acl import Reader
from core.question import Condition, Field
from core.storage.index_tables import EvidenceRow, PageRow


def searched(reader: Reader) -> list[Any]:
    """What must be true of a page for anything of it to be found for this reader."""
    if reader.spaces is None:
        return [col(PageRow.visible)]
    return [col(PageRow.visible), col(PageRow.space).in_(reader.spaces)]


def readable_evidence(reader: Reader) -> list[Any]:
    """What must be true of a piece, joined with its page, for this reader to see it."""
    return [*searched(reader), col(EvidenceRow.acl_id).in_(reader.acls)]


def passing(
    session: Session,
    conditions: Sequence[Condition],
    reader: Reader,
) -> set[PageKey]:
    """The pages that pass all conditions."""
    query = select(PageRow.source, PageRow.id).where(*passed(conditions, reader))
    return {PageKey(*found) for found in session.exec(query).all()}


def passed(conditions: Sequence[Condition], reader: Reader) -> list[Any]:
    """What must be true of a page that passes all conditions.

    Conditions on the same field are alternatives; the two ends of a time are two fields.
    """
    by_field: dict[Field, list[Any]] = {}
    for condition in conditions:
        by_field.setdefault(condition.field, []).append(_is_true(condition))
    return [*searched(reader), *(or_(*each) for each in by_field.values())]


def _is_true(condition: Condition) -> Any:
    """Of the page's row; dates are compared as text, which ISO 8601 allows."""
    record = col(PageRow.record)
    value = condition.value
    match condition.field:
        case Field.SPACE:
            return col(PageRow.space) == value
        case Field.TITLE:
            return func.lower(PageRow.title).contains(value.lower(), autoescape=True)
        case Field.LABEL:
            return cast(record["labels"], String).contains(f'"{value}"', autoescape=True)
        case Field.PERSON:
            return record["owner"].as_string() == value
        case Field.AFTER:
            return record["updated_at"].as_string() >= value
        case Field.BEFORE:
            return record["updated_at"].as_string() < value
