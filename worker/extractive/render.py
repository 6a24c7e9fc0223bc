"""Renders what answers as excerpts, each under its page's title and heading with its citations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.evidence.lexical.analyzer import content_words
from core.evidence.spans import Lines, Span
from core.language.sentences import Sentences, sentences
from core.models import Hit
from core.pages import PageKey
from core.question import Completed, QuestionKind
from core.structure import TableRow
from worker.extractive.excerpt import excerpt
from worker.extractive.markdown_table import TableView, markdown_table, rows_of, table_of
from worker.extractive.noise import Boilerplate, never
from worker.extractive.rank import ScoredSpan
from worker.extractive.select import Where, where
from worker.extractive.shown import Around, harmless
from worker.extractive.table_rows import Rarity, asked_columns, named_cells
from worker.extractive.yes_no import verdict
from worker.reading.reader import says

LEAST = 12  # words that must be left for a further excerpt
SURE = 0.5  # of what was asked: a span that covers so much of it is set in bold


_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Asked:
    """The question, and what is known of the words and the sentences of its pages."""

    completed: Completed
    rarity: Rarity
    boilerplate: Boilerplate = never
    hits: Sequence[Hit] = ()  # all that was found
    is_composed: bool = False  # whether a lead stands above

    @property
    def say(self) -> Sentences:
        return sentences(self.completed.language)


@dataclass
class ExcerptPlace:
    """One excerpt: spans of one piece, or rows of one table."""

    spans: list[ScoredSpan] = field(default_factory=list)
    numbers: dict[int, None] = field(default_factory=dict)  # of all the evidence that says it

    @property
    def best(self) -> Span:
        return self.spans[0].span


@dataclass
class Section:
    """The excerpts of one section of a page, with the numbers of what they cite."""

    head: str
    numbers: dict[int, None] = field(default_factory=dict)
    bodies: dict[str, int] = field(default_factory=dict)  # with their places on the page

    def has(self, body: str) -> bool:
        """Whether it is shown already: what announces a list is often a passage as well."""
        said = body.replace("**", "")
        return any(said in shown.replace("**", "") for shown in self.bodies)

    def add(self, block: ExcerptPlace, body: str) -> None:
        """Instead of what it says again, such as the sentence that announces a list."""
        self.numbers |= block.numbers
        said = body.replace("**", "")
        for shown in list(self.bodies):
            if shown.replace("**", "") in said:
                del self.bodies[shown]
        self.bodies[body] = block.best.hit.evidence.position

    def __str__(self) -> str:
        """In the order of the page, each line that announces something once."""
        citations = "".join(f"[{number}]" for number in self.numbers)
        texts = [f"{self.head} {citations}"]
        above: list[str] = []
        for body in sorted(self.bodies, key=lambda each: self.bodies[each]):
            first, _, rest = body.partition("\n")
            is_said = first.endswith(":") and any(line.endswith(first) for line in above)
            texts.append(rest if is_said and rest else body)
            above = body.splitlines()
        head, first, *others = texts
        return "\n\n".join([f"{head}\n{first}", *others])


def excerpts(
    chosen: Iterable[ScoredSpan],
    asked: Asked,
    room: int,
) -> str:
    """Markdown, the best excerpt first.

    `room` is words: of the first excerpt, which is shown whatever it takes of them, and of all.
    """
    completed = asked.completed
    blocks: dict[Where, ExcerptPlace] = {}
    verdicts: set[str] = set()
    for scored in chosen:
        verdicts.add(verdict(scored.span, completed, asked.hits))
        _add(blocks, scored)
    verdicts.discard("")
    # Two verdicts that contradict each other leave it to the reader.
    texts = [str(asked.say(verdicts.pop()))] if len(verdicts) == 1 else []
    sections: dict[tuple[PageKey, Lines], Section] = {}
    for block in blocks.values():
        body = _body(block, asked, room)
        hit = block.best.hit
        path = hit.evidence.heading_path
        its = sections.setdefault((hit.page.key, path), Section(_head(hit, asked.hits)))
        if its.has(body):
            continue
        its.add(block, body)
        room -= len(_WORD.findall(body))
        if room < LEAST and completed.kind is not QuestionKind.COMPARISON:
            break
    texts += map(str, sections.values())
    return "\n\n".join(texts)


def _add(blocks: dict[Where, ExcerptPlace], scored: ScoredSpan) -> None:
    """To the excerpt that it belongs to, or that says the same already."""
    same = _saying(blocks.values(), scored.span)
    block = same or blocks.setdefault(where(scored.span), ExcerptPlace())
    block.numbers[scored.span.number] = None
    if not same:
        block.spans.append(scored)


def _saying(blocks: Iterable[ExcerptPlace], span: Span) -> ExcerptPlace | None:
    """The excerpt of another page that says the same already."""
    for block in blocks:
        for known in block.spans:
            is_same = known.span.cells == span.cells and known.span.text == span.text
            if is_same and where(known.span) != where(span):
                return block
    return None


def _head(hit: Hit, hits: Sequence[Hit]) -> str:
    """`Business travel › Hotels`; with all headings where a page has several of the last one."""
    title, path = hit.page.title, hit.evidence.heading_path
    alike = {
        each.evidence.heading_path
        for each in hits
        if each.page.key == hit.page.key and each.evidence.heading_path[-1:] == path[-1:]
    }
    heading = path if len(alike) > 1 else path[-1:]
    names = [title, *(name for name in heading if name != title)]
    return harmless(" › ".join(names))


def _body(block: ExcerptPlace, asked: Asked, room: int) -> str:
    spans = [scored.span for scored in block.spans]
    sure = block.spans[0].asked >= SURE or block.spans[0].read.answers
    if not block.best.is_row:
        return excerpt(asked.say, Around(spans, room, sure, asked.boilerplate))
    rows = rows_of(spans)
    header = table_of(block.best).header
    named = {name for name, _ in named_cells(block.best, asked.completed, asked.rarity)}
    wanted = asked_columns(block.best, content_words(asked.completed.question), named)
    said = {
        name for each in block.spans for name, cell in each.span.cells if says(cell, each.read.said)
    }
    telling = [at for at, name in enumerate(header) if name in named | wanted | said]
    answers = [at for at, name in enumerate(header) if name in wanted]
    is_one = len(rows) == 1 and len(answers) == 1
    answer = answers[0] if sure and named and is_one else None
    is_part = _may_miss_rows(rows, asked) and bool(_further_rows(block.best, rows, asked.hits))
    return markdown_table(asked.say, TableView(header, rows, telling, answer, is_part), room)


def _may_miss_rows(rows: Sequence[TableRow], asked: Asked) -> bool:
    """Of several rows others may be missed; what is composed, or compared, names its rows."""
    is_named = asked.is_composed or asked.completed.kind is QuestionKind.COMPARISON
    return len(rows) > 1 and not is_named


def _further_rows(span: Span, rows: Sequence[TableRow], hits: Sequence[Hit]) -> set[int]:
    """The rows of the same table that were found and are not shown.

    Not their number: what is far from the answer would change it when it is taken away.
    """
    page, table = span.hit.page.key, table_of(span).number
    found = {
        row.number
        for hit in hits
        if hit.page.key == page and hit.evidence.table and hit.evidence.table.number == table
        for row in hit.evidence.table.rows
    }
    return found - {row.number for row in rows}
