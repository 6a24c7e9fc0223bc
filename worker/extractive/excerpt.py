"""Excerpts: what is shown around the span that answers, as it stands on its page.

A passage is trimmed at the ends of sentences, a list between its items; code is whole. Nothing is
shown that announces what does not follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core import grammar
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.evidence.spans import Span
from core.language.sentences import Sentences
from core.markdown.reading import outside
from core.models import Kind
from core.structure import ListItem
from worker.extractive.noise import Boilerplate, never, says_nothing
from worker.text.citations import without_brackets

MOST_ITEMS = 12  # of a list, and rows of a table
LONGEST = 2  # times the room is the most that a list may take that was asked for whole
_POINTS_BACK = re.compile(rf"{grammar.merged().answers.points_back}\b", re.IGNORECASE)
# Of an item; people also type it in front of paragraphs that are a list to the eye.
_TYPED_MARK = re.compile(r"^(?:[-•*]|\d+[.)])\s+")
_MARKED_UP = re.compile(r"[*_`~]")  # what bold could break, or be broken by


@dataclass(frozen=True)
class Around:
    """What is shown of one piece: the spans that answer, and how much may stand around them."""

    spans: Sequence[Span]  # of one piece, the best first
    room: int  # words
    sure: bool = False  # the best span surely answers: it is set in bold
    boilerplate: Boilerplate = never

    @property
    def best(self) -> Span:
        return self.spans[0]


def excerpt(say: Sentences, shown: Around) -> str:
    """Markdown of a passage, a list, tasks or code."""
    piece = shown.best.hit.evidence
    if piece.code is not None:
        above = [harmless(piece.code.above)] if piece.code.above else []
        fenced = piece.code.model_copy(update={"above": ""}).fenced
        return "\n".join([*above, fenced])
    if piece.items:
        return harmless(_list(say, shown))
    return harmless(_passage(shown))


def harmless(text: str) -> str:
    """Page text that neither cites nor opens code, in which citations would be lost.

    >>> harmless("as said [1], run `echo ${a[1]}`")
    'as said (1), run `echo ${a[1]}`'
    """
    parts = outside(text.replace("```", "'''"))
    return "".join(
        part if is_code and part.startswith("`") else without_brackets(part)
        for part, is_code in parts
    )


def bold(text: str) -> str:
    """In bold, without the mark of an item; as it is where it has marks of its own.

    >>> bold("- Unplug it"), bold("call `stop()`")
    ('- **Unplug it**', 'call `stop()`')
    """
    mark = _TYPED_MARK.match(text)
    start = mark.end() if mark else 0
    said = text[start:]
    if not said.strip() or "\n" in said or _MARKED_UP.search(said):
        return text
    return f"{text[:start]}**{said}**"


@dataclass(frozen=True)
class _Sentence:
    text: str
    begins_line: bool

    @property
    def words(self) -> int:
        return len(self.text.split())


def _passage(shown: Around) -> str:
    """Sentences around the best one; below its last one, the list that it announces."""
    span = shown.best
    sentences = [
        each
        for each in _sentences(span.hit.evidence.text)
        if each.text == span.text or not _is_noise(each.text, shown.boilerplate)
    ]
    at = _place(sentences, span.text)
    first, last = _around(sentences, at, shown.room)
    while last > at and sentences[last].text.endswith(":"):
        last -= 1
    lines: list[str] = []
    for place in range(first, last + 1):
        sentence = sentences[place]
        is_answer = place == at and shown.sure and last > first
        text = bold(sentence.text) if is_answer else sentence.text
        if sentence.begins_line or not lines:
            lines.append(text)
        else:
            lines[-1] += f" {text}"
    if span.lists_below and last == at:
        lines += [*span.below] if span.announces else []
    return "\n".join(lines)


def _is_noise(sentence: str, boilerplate: Boilerplate) -> bool:
    return says_nothing(sentence) or boilerplate(sentence)


def _sentences(text: str) -> list[_Sentence]:
    found: list[_Sentence] = []
    start = 0
    begins_line = True
    for gap in SENTENCE_END.finditer(text):
        found.append(_Sentence(text[start : gap.start()].strip(), begins_line))
        start, begins_line = gap.end(), "\n" in gap[0]
    found.append(_Sentence(text[start:].strip(), begins_line))
    return [sentence for sentence in found if sentence.text]


def _place(sentences: Sequence[_Sentence], text: str) -> int:
    texts = [sentence.text for sentence in sentences]
    return texts.index(text) if text in texts else 0


def _around(sentences: Sequence[_Sentence], at: int, room: int) -> tuple[int, int]:
    """The first and the last place shown: the paragraph of `at` first, then what is around it."""
    first = last = at
    left = room - sentences[at].words
    if at and _POINTS_BACK.match(sentences[at].text):
        first -= 1
        left -= sentences[first].words
    starts = [place for place, each in enumerate(sentences) if each.begins_line]
    begin = max((place for place in starts if place <= at), default=0)
    end = min((place for place in starts if place > at), default=len(sentences)) - 1
    for lowest, highest in ((begin, end), (0, len(sentences) - 1)):
        while last < highest and sentences[last + 1].words <= left:
            last += 1
            left -= sentences[last].words
        while first > lowest and sentences[first - 1].words <= left:
            first -= 1
            left -= sentences[first].words
    return first, last


def _list(say: Sentences, shown: Around) -> str:
    """The whole list where there is room; else the items that answer, and what is around them."""
    piece = shown.best.hit.evidence
    items = piece.items
    answering = [at for at, item in enumerate(items) if _answers(item, shown.spans)]
    kept = set(range(len(items)))
    if answering and not _fits(items, shown.room):
        kept = _kept(items, answering, shown.room)
    shown_items = _whole(items, shown.room) if not answering else sorted(kept)
    mark = "- " if piece.kind is Kind.TASK else ""
    best = answering[0] if shown.sure and len(kept) > 1 and answering else None
    lines: list[str] = []
    for at in shown_items:
        line = items[at].line
        line = _bold_item(items[at]) if at == best else line
        lines.append(mark + line if items[at].depth >= 0 else line)
    left = len(items) - len(shown_items)
    if not answering and left:
        lines.append(f"… {say('and-more', count=left)}")
    return "\n".join(lines)


def _answers(item: ListItem, spans: Sequence[Span]) -> bool:
    return any(item.line.strip() == span.text for span in spans)


def _fits(items: Sequence[ListItem], room: int) -> bool:
    return sum(map(_words, items)) <= room and len(items) <= MOST_ITEMS


def _words(item: ListItem) -> int:
    return len(item.line.split())


def _whole(items: Sequence[ListItem], room: int) -> Sequence[int]:
    """The places of a list that was asked for, or of its beginning."""
    left = LONGEST * room
    announced = sum(item.depth < 0 for item in items)
    most = announced + MOST_ITEMS
    for at, item in enumerate(items[:most]):
        left -= _words(item)
        if left < 0 and at > announced:
            return range(at)
    return range(min(len(items), most))


def _kept(items: Sequence[ListItem], answering: Sequence[int], room: int) -> set[int]:
    """The items that answer under what they stand under, then those beside them."""
    kept: set[int] = set()
    for at in answering:
        kept |= {at, *_above(items, at), *_below(items, at)}
    left = room - sum(_words(items[at]) for at in kept)
    for at in (*range(max(answering) + 1, len(items)), *range(min(answering) - 1, -1, -1)):
        if at in kept:
            continue
        left -= _words(items[at])
        if left < 0 or len(kept) >= MOST_ITEMS:
            break
        kept.add(at)
    return kept


def _above(items: Sequence[ListItem], at: int) -> list[int]:
    """The places of what an item stands under."""
    found: list[int] = []
    depth = items[at].depth
    for place in range(at - 1, -1, -1):
        if items[place].depth < depth:
            found.append(place)
            depth = items[place].depth
    return found


def _below(items: Sequence[ListItem], at: int) -> list[int]:
    found: list[int] = []
    for place in range(at + 1, len(items)):
        if items[place].depth <= items[at].depth:
            break
        found.append(place)
    return found


def _bold_item(item: ListItem) -> str:
    if item.depth < 0:
        return item.line
    start = len(item.line) - len(item.line.lstrip()) + len(item.mark)
    return item.line[:start] + bold(item.line[start:])
