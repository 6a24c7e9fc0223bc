"""Conditions as an answer may say them: a value is known from pages, the asker's words are not.

"Annas Seiten" means pages of Anna Berg, whose other name the asker may not have known. A page that
the answer is made of gives that away; where there is none, the asker's own words are shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence import SearchResult
from core.models import Hit, Kind
from core.question import Completed, Condition, Field


def as_shown(
    completed: Completed,
    found: SearchResult,
    hits: Sequence[Hit],
) -> Completed:
    """The question with conditions that give nothing away but what these hits do."""
    are_borne = not found.conditions_dropped and any(map(_is_found, hits))
    if are_borne or not completed.conditions:
        return completed
    conditions = tuple(map(_as_said, completed.conditions))
    return completed.model_copy(update={"conditions": conditions})


def _is_found(hit: Hit) -> bool:
    """Whether the search found it, and so a page that passes the conditions."""
    return hit.evidence.kind is not Kind.PLACE


def _as_said(condition: Condition) -> Condition:
    if condition.field in (Field.AFTER, Field.BEFORE):  # reckoned from the words alone
        return condition
    return condition.model_copy(update={"value": condition.said})
