"""The sources of an answer with a line each of the evidence that it was made from.

Page text is rich text here, which has no markup to escape, in one line, and without the marks that
turn the direction of writing around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.views.answer_blocks import source_title
from bot.views.block_kit import Block, context, plain, plain_text, rich
from bot.views.mrkdwn import one_line
from core.language.sentences import Sentences
from core.models import Evidence, Record, Source
from core.structure import Cells

MOST_SOURCES = 50  # a block each, of the 100 that a modal takes
TITLE_LIMIT = 150
PREVIEW_LIMIT = 120  # characters
# U+202E shows what follows from right to left: a price of 021 would read as 120.
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def build_previews(say: Sentences, record: Record) -> Block:
    """The modal, for somebody who may see all of the answer's evidence."""
    sources = record.answer.sources
    blocks = [rich(*_source(say, each, record)) for each in sources[:MOST_SOURCES]]
    if len(sources) > MOST_SOURCES:
        blocks.append(context(say("and-more", count=len(sources) - MOST_SOURCES)))
    return {
        "type": "modal",
        "title": plain_text(say("sources-title")),
        "close": plain_text(say("button-close")),
        "blocks": blocks or [context(say("sources-none"))],
    }


def preview(say: Sentences, piece: Evidence) -> str:
    """The beginning of a piece on one line, table rows by their columns: `Unit: Gate 4; …`."""
    cells = _cells(piece)
    text = "; ".join(say("row-preview", column=name, value=value) for name, value in cells)
    return _line(text or piece.text, PREVIEW_LIMIT)


def _source(say: Sentences, source: Source, record: Record) -> Iterator[Block]:
    yield plain(f"[{source.number}] {_line(source_title(source), TITLE_LIMIT)}", bold=True)
    cited = {hit.evidence.id: hit.evidence for hit in record.hits}
    pieces = [cited[each] for each in source.evidence_ids if each in cited]
    if pieces:
        yield plain(f"\n{preview(say, pieces[0])}")


def _cells(piece: Evidence) -> Cells:
    """The filled cells of a row, of a table those of its first row."""
    if piece.table is None or not piece.table.rows:
        return ()
    cells = piece.table.cells(piece.table.rows[0])
    return tuple((name, value) for name, value in cells if name and value)


def _line(text: str, limit: int) -> str:
    return one_line(_DIRECTION.sub("", text), limit)
