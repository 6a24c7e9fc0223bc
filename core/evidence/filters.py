"""Conditions as SQL: the pages of which everything is true that a question asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import String, cast, func
from sqlmodel import Session, col, or_, select

from core.policy.acl import Reader
from core.question import Condition, Field
from core.storage.index_tables import PageRow


def searched(reader: Reader) -> list[Any]:
    """What must be true of a page's row for anything of it to be found for this reader, whatever is asked."""
    there = col(PageRow.visible)
    return [there] if reader.spaces is None else [there, col(PageRow.space).in_(reader.spaces)]


def passing(session: Session, conditions: Sequence[Condition], reader: Reader) -> set[str]:
    """The ids of the pages that pass. Conditions on the same field are alternatives, except for the two ends of a time."""
    by_field: dict[Field, list[Any]] = {}
    for condition in conditions:
        by_field.setdefault(condition.field, []).append(_is_true(condition))
    together = [or_(*each) for each in by_field.values()]
    return set(session.exec(select(PageRow.id).where(*searched(reader), *together)).all())


def _is_true(condition: Condition) -> Any:
    """Of the page's row; dates are compared as text, which ISO 8601 allows."""
    record, value = col(PageRow.record), condition.value
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
