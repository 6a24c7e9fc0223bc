"""Renders what answers as excerpts, each under its page's title and heading with its citations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.evidence.cut_lists import parts_of_list
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.evidence.spans import Lines, Span
from core.models import Evidence, Hit
from core.pages import PageKey
from core.question import QuestionKind
from worker.extractive.context import Asked, is_sure
from worker.extractive.editions import concerns, notices
from worker.extractive.excerpt import excerpt
from worker.extractive.ranking.rank import ScoredSpan
from worker.extractive.select import Where, where
from worker.extractive.shown import Around, harmless, labelled
from worker.extractive.tables.table_excerpt import table_excerpt
from worker.extractive.yes_no import verdict

NOTICE = 40  # words of what says that a page is outdated
LEAST = 12  # words that must be left for a further excerpt


_WORD = re.compile(r"\w+")


@dataclass
class ExcerptPlace:
    """One excerpt: spans of one piece, or rows of one table."""

    spans: list[ScoredSpan] = field(default_factory=list)
    numbers: dict[int, None] = field(default_factory=dict)  # of all the evidence that says it

    @property
    def best(self) -> Span:
        return self.spans[0].span

    @property
    def pieces(self) -> int:
        """How many pieces it shows something of: of a long list, or of a table."""
        return len({scored.span.hit.evidence.id for scored in self.spans})


@dataclass
class Section:
    """The excerpts of one section of a page, with the numbers of what they cite."""

    head: str
    numbers: dict[int, None] = field(default_factory=dict)
    bodies: dict[str, int] = field(default_factory=dict)  # with their places on the page
    notice: str = ""  # says that the page is outdated

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
        top = "\n".join(filter(None, (head, self.notice, first)))
        return "\n\n".join([top, *others])


class Excerpts(NamedTuple):
    """What is shown, as Markdown."""

    text: str
    said: str  # the same without what says that a page is outdated


def excerpts(
    chosen: Iterable[ScoredSpan],
    asked: Asked,
    room: int,
    most: int,
) -> Excerpts:
    """The best excerpt first.

    `room` is words of all, `most` of one, and the first is shown whatever it takes of them.
    """
    completed = asked.completed
    blocks: dict[Where, ExcerptPlace] = {}
    verdicts: set[str] = set()
    for scored in chosen:
        verdicts.add(verdict(scored.span, completed, asked.hits))
        _add(blocks, scored, asked.hits)
    verdicts.discard("")
    # Two verdicts that contradict each other leave it to the reader.
    texts = [str(asked.say(verdicts.pop()))] if len(verdicts) == 1 else []
    sections: dict[tuple[PageKey, Lines], Section] = {}
    beside = {block.best.hit.evidence.id for block in blocks.values()}
    for block in blocks.values():
        body = _body(block, asked, min(room, most * block.pieces), beside)
        hit = block.best.hit
        path = hit.evidence.heading_path
        its = sections.setdefault((hit.page.key, path), Section(_head(hit, asked.hits)))
        if its.has(body):
            continue
        block.numbers |= _others_in(body, block, asked.hits)
        its.add(block, body)
        room -= len(_WORD.findall(body))
        if room < LEAST and completed.kind is not QuestionKind.COMPARISON:
            break
    said = "\n\n".join([*texts, *map(str, sections.values())])
    _add_notices(sections, asked)
    return Excerpts("\n\n".join([*texts, *map(str, sections.values())]), said)


def _add(blocks: dict[Where, ExcerptPlace], scored: ScoredSpan, hits: Sequence[Hit]) -> None:
    """To the excerpt that it belongs to, or that says the same already."""
    same = _saying(blocks.values(), scored.span)
    block = same or blocks.setdefault(_place(scored.span, hits), ExcerptPlace())
    block.numbers[scored.span.number] = None
    if not same:
        block.spans.append(scored)


def _place(span: Span, hits: Sequence[Hit]) -> Where:
    """Parts of one list are shown as one."""
    if not span.is_list:
        return where(span)
    parts = parts_of_list(span.hit.evidence, _pieces(span.hit, hits))
    return span.hit.page.key, parts[0].id


def _pieces(hit: Hit, hits: Sequence[Hit]) -> list[Evidence]:
    """All that was found of its page."""
    own = [each for each in hits if each.page.key == hit.page.key]
    return [piece for each in own for piece in (each.evidence, *each.block)]


def _others_in(body: str, block: ExcerptPlace, hits: Sequence[Hit]) -> dict[int, None]:
    """The numbers of other evidence that is quoted: parts of the list, or the code below."""
    own = block.best.hit
    if block.best.is_row:
        return {}
    found: dict[int, None] = {}
    for number, hit in enumerate(hits, start=1):
        pieces = [each for each in (hit.evidence, *hit.block) if each.id != own.evidence.id]
        if hit.page.key == own.page.key and any(_is_in(body, piece) for piece in pieces):
            found[number] = None
    return found


def _is_in(body: str, piece: Evidence) -> bool:
    """Code, or whole lines: a short item may be a part of anything."""
    if piece.code is not None:
        return piece.code.text in body
    said = {line.strip() for line in body.replace("**", "").splitlines()}
    items = (harmless(item.line).replace("**", "") for item in piece.items if item.depth >= 0)
    return any(said.issuperset(map(str.strip, item.splitlines())) for item in items)


def _add_notices(sections: dict[tuple[PageKey, Lines], Section], asked: Asked) -> None:
    """What stands on an outdated page is not shown without what says so, and where to look."""
    for number, hit in notices(asked.hits):
        lines = labelled(asked.say, hit.evidence.text).splitlines()
        first, *others = (each for line in lines for each in SENTENCE_END.split(line))
        own = [each for (page, path), each in sections.items() if concerns(hit, page, path)]
        if not own or any(each.has(first) for each in own):
            continue
        for other in others:
            if len(f"{first} {other}".split()) > NOTICE:
                break
            if not any(each.has(other) for each in own):
                first = f"{first} {other}"
        # Half of a pair of marks would turn what follows into code.
        own[0].notice = harmless(first.replace("`", ""))
        own[0].numbers.setdefault(number)


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


def _body(block: ExcerptPlace, asked: Asked, room: int, beside: Collection[str]) -> str:
    if block.best.is_row:
        return table_excerpt(block.spans, asked, room)
    spans = [scored.span for scored in block.spans]
    pieces = _pieces(block.best.hit, asked.hits)
    around = Around(
        spans,
        room,
        is_sure(block.spans),
        asked.boilerplate,
        beside,
        pieces,
        steps=asked.completed.kind is QuestionKind.PROCEDURE,
    )
    return excerpt(asked.say, around)
