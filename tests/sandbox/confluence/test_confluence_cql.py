"""The stand-in's CQL: what changed lately, and a refusal for everything that it does not know."""

from __future__ import annotations

import pytest
from starlette.exceptions import HTTPException

from sandbox.confluence.api.cql import compiled
from sandbox.confluence.site.content import Entry, now

OLD = Entry("1", "DOC", "Old")
NEW = Entry("2", "DOC", "New", updated_at=now())
KINDS = ("page", "blogpost")
POST = Entry("3", "OPS", "Post", kind="blogpost", updated_at=now())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("space = DOC", [OLD, NEW]),
        ('space in (DOC, "OPS") and lastmodified >= now("-90m")', [NEW, POST]),
        ("type = page AND lastModified >= now('-1d') order by lastmodified desc", [NEW]),
        ("type in (page, blogpost)", [OLD, NEW, POST]),
    ],
)
def test_what_changed_lately_is_found_by_space_and_type(query: str, expected: list[Entry]) -> None:
    is_meant = compiled(query, KINDS)
    assert [entry for entry in (OLD, NEW, POST) if is_meant(entry)] == expected


@pytest.mark.parametrize(
    "query",
    [
        "",
        "label = x",
        "space = DOC or space = OPS",
        "lastmodified >= 2026-01-01",
        "space = DOC order by title",
        "type in (page, whiteboard)",  # as Cloud does for one that it has not heard of
    ],
)
def test_what_it_does_not_know_is_refused(query: str) -> None:
    with pytest.raises(HTTPException, match="400"):
        compiled(query, KINDS)
