"""The part of CQL that asks what changed lately, or for pages by id; the rest is refused.

`space in (DOC, OPS) and type = page and lastmodified >= now("-90m")`, as in
https://developer.atlassian.com/cloud/confluence/advanced-searching-using-cql/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from starlette.exceptions import HTTPException

from sandbox.confluence.site.content import Entry

Test = Callable[[Entry], bool]

_EITHER = re.compile(r"""(space|type)\s*(?:=\s*|in\s*\(\s*)([\w~", ]+?)\s*\)?""", re.IGNORECASE)
_IDS = re.compile(r"""id\s*in\s*\(\s*([\d, ]+?)\s*\)""", re.IGNORECASE)
_SINCE = re.compile(r"""lastmodified\s*>=\s*now\(\s*["']-(\d+)([mhd])["']\s*\)""", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def compiled(query: str, kinds: Sequence[str]) -> Test:
    """Whether an entry is meant; HTTP 400 for a query that this stand-in does not know.

    Cloud refuses a whole query for one type that it does not know, too; `kinds` are those it knows.
    """
    asked, _, order = query.partition(" order by ")
    parts = re.split(r"\s+and\s+", asked, flags=re.IGNORECASE)
    tests = [_test(part.strip(), kinds) for part in parts]
    if order and not re.fullmatch(r"lastmodified( (asc|desc))?", order.strip(), re.IGNORECASE):
        raise _unknown(order)
    return lambda entry: all(test(entry) for test in tests)


def _test(part: str, kinds: Sequence[str]) -> Test:
    if either := _EITHER.fullmatch(part):
        values = {value.strip(' "') for value in either[2].split(",")}
        if either[1].lower() == "space":
            return lambda entry: entry.space in values
        if unknown := values.difference(kinds):
            known = ", ".join(kinds)
            wrong = f"Unsupported value for type, got : {min(unknown)}, expected one of : [{known}]"
            raise HTTPException(400, wrong)
        return lambda entry: entry.kind in values
    if ids := _IDS.fullmatch(part):
        wanted = set(re.findall(r"\d+", ids[1]))
        return lambda entry: entry.id in wanted
    if since := _SINCE.fullmatch(part):
        age = timedelta(**{_UNITS[since[2].lower()]: int(since[1])})
        # Times in CQL are whole minutes.
        earliest = (datetime.now(UTC) - age).replace(second=0, microsecond=0)
        return lambda entry: datetime.fromisoformat(entry.updated_at) >= earliest
    raise _unknown(part)


def _unknown(part: str) -> HTTPException:
    return HTTPException(400, f"Could not parse cql : {part}")
