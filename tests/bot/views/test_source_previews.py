"""The modal with a line of what each source says: page text in it, rows, Slack's limits."""

from __future__ import annotations

from typing import Any

import pytest
from wiki import hit, page, part, piece, row

from bot.views.details import MOST_SOURCES, build_previews, preview
from core.language.sentences import sentences
from core.models import Answer, Evidence, Record, Source
from core.question import Completed
from sandbox.slack.web_api.block_kit import VIEW_BLOCKS, accept
from sandbox.slack.web_api.views import LIMITS

SAY = sentences("en")
NASTY = "<!channel> <@U0ALICE> *bold* [click](https://evil.example) @here"


def shown(*pieces: Evidence, title: str = "Crane guide") -> dict[str, Any]:
    """The modal of an answer with a source for each of these pieces."""
    sources = [
        Source(number=number, title=title, url="https://wiki.example/1", evidence_ids=(each.id,))
        for number, each in enumerate(pieces, 1)
    ]
    record = Record(
        completed=Completed(question="", text=""),
        hits=tuple(hit(each, page("1", title)) for each in pieces),
        answer=Answer(text="So it is. [1]", sources=tuple(sources)),
    )
    view = build_previews(SAY, record)
    accept(view["blocks"], VIEW_BLOCKS)
    assert all(len(view[name]["text"]) <= most for name, most in LIMITS.items() if name in view)
    return view


def texts(view: dict[str, Any]) -> list[str]:
    """What is read of each source."""
    found = []
    for block in view["blocks"]:
        runs = block["elements"][0]["elements"]
        found.append("".join(run["text"] for run in runs))
    return found


def test_each_source_shows_the_beginning_of_its_evidence_on_one_line() -> None:
    view = shown(piece("The crane stops\nat 8 Beaufort."), piece("It is painted blue. " * 20))
    first, second = texts(view)
    assert first == "[1] Crane guide\nThe crane stops at 8 Beaufort."
    assert second.startswith("[2] Crane guide\nIt is painted blue. It is")
    assert second.endswith("…")
    assert len(second.split("\n")[1]) <= 120


@pytest.mark.parametrize(
    "evidence",
    [
        row(1, Machine="SkyLift", Status="", Tester="Alice"),
        part(row(1, Machine="SkyLift", Status="", Tester="Alice"), row(2, Machine="P3")),
    ],
)
def test_a_row_is_read_by_its_columns(evidence: Evidence) -> None:
    assert preview(SAY, evidence) == "Machine: SkyLift; Tester: Alice"


def test_page_text_is_rich_text_that_means_nothing() -> None:
    view = shown(piece(NASTY), title=NASTY)
    (block,) = view["blocks"]
    assert {run["type"] for run in block["elements"][0]["elements"]} == {"text"}


def test_a_page_cannot_turn_the_direction_of_writing_around() -> None:
    assert preview(SAY, piece("It costs \u202e021\u202c EUR.")) == "It costs 021 EUR."


def test_what_is_too_much_for_a_modal_is_counted() -> None:
    pieces = [piece(f"Rule {number} counts.") for number in range(MOST_SOURCES + 7)]
    view = shown(*pieces)
    assert len(view["blocks"]) == MOST_SOURCES + 1
    assert "7" in view["blocks"][-1]["elements"][0]["text"]


def test_an_answer_whose_evidence_was_forgotten_names_its_sources() -> None:
    source = Source(number=1, title="Crane guide", url="https://wiki.example/1")
    record = Record(
        completed=Completed(question="", text=""), answer=Answer(text="", sources=(source,))
    )
    assert texts(build_previews(SAY, record)) == ["[1] Crane guide"]
