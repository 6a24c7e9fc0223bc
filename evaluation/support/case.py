"""A case of the support check: an answer about some pages, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.models import Hit, Kind
from evaluation.support.evidence import Pages

RIGHT = "right"


@dataclass(frozen=True)
class Case:
    """A sentence about a page, and what is wrong with it: `right` for nothing."""

    corpus: str
    language: str
    kind: str
    sentence: str
    hits: tuple[Hit, ...]
    question: str = ""  # that it answers, where there is one


def pieces_of(pages: Pages, titles: Iterable[str]) -> tuple[Hit, ...]:
    """The pieces of these pages, one page after the other."""
    found: tuple[Hit, ...] = ()
    for title in titles:
        found += given(pages[title])
    return found


def given(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """A page's pieces: its tables, not their rows once more."""
    return tuple(hit for hit in hits if hit.evidence.kind is not Kind.ROW)


def written(hits: tuple[Hit, ...]) -> str:
    """The titles and texts of pieces."""
    return "\n".join(f"{hit.page.title}\n{hit.evidence.text}" for hit in hits)
