"""The details modals: what made the answer, sentence by sentence, then the trace; sources.

Everything that is page text or a model's is rich text, which has no markup to escape. Slack takes
100 blocks and 250 kB a modal (docs.slack.dev/surfaces/modals), and what is left out is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.views.answer.remark import facts
from bot.views.answer.sources import source_facts, source_title
from bot.views.block_kit import Block, context, header, plain, plain_text, rich, section
from bot.views.explained.in_detail import in_detail
from bot.views.mrkdwn import one_line
from bot.views.trace import build_trace
from core.language.sentences import Sentences
from core.models import Evidence, Record, Source
from core.structure import Cells
from core.turns.explanations import Request
from core.turns.turn import Turn

MOST_SOURCES = 50  # a block each
MOST_SOURCES_HERE = 10  # beside an explanation and the trace
FACTS_LIMIT = 400  # characters
TITLE_LIMIT = 150
PREVIEW_LIMIT = 120  # characters
# U+202E shows what follows from right to left: a price of 021 would read as 120.
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def build_sentence(say: Sentences, key: str) -> Block:
    """A modal that says one thing: that it is loading, or why there is nothing to see."""
    return _modal(say, [section(say(key))])


def build_details(say: Sentences, turn: Turn, request: Request | None) -> Block:
    """All there is to know of an answered turn, for somebody who may see all of its evidence."""
    assert turn.record is not None
    blocks: list[Block] = []
    if request and request.result:
        blocks += in_detail(say, request.result, turn.record.answer.text)
    else:
        blocks.append(context(say("details-not-explained")))
    return _modal(say, [*blocks, *_about(say, turn.record), *build_trace(say, turn.record)])


def build_previews(say: Sentences, record: Record) -> Block:
    """The sources of an answer with a line each of the evidence, for whoever may see all of it."""
    sources = record.answer.sources
    blocks = [
        rich(*_source(say, each), *_quoted(say, each, record)) for each in sources[:MOST_SOURCES]
    ]
    if len(sources) > MOST_SOURCES:
        blocks.append(context(say("and-more", count=len(sources) - MOST_SOURCES)))
    return _modal(say, blocks or [context(say("sources-none"))], title="sources-title")


def preview(say: Sentences, piece: Evidence) -> str:
    """The beginning of a piece on one line, table rows by their columns: `Unit: Gate 4; …`."""
    cells = _cells(piece)
    text = "; ".join(say("row-preview", column=name, value=value) for name, value in cells)
    return _line(text or piece.text, PREVIEW_LIMIT)


def _modal(say: Sentences, blocks: Sequence[Block], *, title: str = "details-title") -> Block:
    return {
        "type": "modal",
        "title": plain_text(say(title)),
        "close": plain_text(say("button-close")),
        "blocks": list(blocks),
    }


def _about(say: Sentences, record: Record) -> Iterator[Block]:
    """What the message itself leaves out, to be quiet."""
    yield header(say("details-answer"))
    if said := list(facts(say, record.answer)):
        yield section("\n".join(said))
    sources = record.answer.sources
    for source in sources[:MOST_SOURCES_HERE]:
        yield rich(*_source(say, source))
    if len(sources) > MOST_SOURCES_HERE:
        yield context(say("and-more", count=len(sources) - MOST_SOURCES_HERE))


def _source(say: Sentences, source: Source) -> Iterator[Block]:
    """Its title; its space and owner, when it was changed, which pages say the same."""
    yield plain(f"[{source.number}] {_line(source_title(source), TITLE_LIMIT)}", bold=True)
    known = list(source_facts(say, source))
    copies = [title for title, _ in source.also]
    if copies:
        known.append(say("source-also-on", pages=", ".join(copies)))
    if known:
        yield plain(f"\n{_line(' · '.join(known), FACTS_LIMIT)}")


def _quoted(say: Sentences, source: Source, record: Record) -> Iterator[Block]:
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
