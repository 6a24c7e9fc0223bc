"""Renders answer spans as quotes with citations: a sentence, a list, a code block or a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core import grammar
from core.evidence.lexical.analyzer import words
from core.evidence.spans import Span
from core.language.sentences import Sentences, sentences
from core.models import Kind
from core.question import Completed, QuestionKind
from worker.extractive.table_rows import Rarity, shown_cells, written
from worker.extractive.yes_no import verdict
from worker.text.citations import without_brackets

# Words that the question does not have: a quote with fewer goes on with the next sentence.
NEWS = 4
NEWS_OF_MORE = 6  # the same where more than one fact is asked for
MOST_ITEMS = 12  # of a list that is quoted whole, and rows of a table

# Of an item; people also type it in front of paragraphs that are a list to the eye.
_TYPED_MARK = re.compile(r"^(?:[-•*]|\d+[.)])\s+")
_POINTS_BACK = re.compile(rf"{grammar.merged().answers.points_back}\b", re.IGNORECASE)
_ONE_FACT = {QuestionKind.FACTOID, QuestionKind.CONFIRMATION}


def quotes(
    spans: Iterable[Span],
    completed: Completed,
    rarity: Rarity,
) -> str:
    """Markdown, a quote a line, each with the citations [n] of all the evidence that says it."""
    say = sentences(completed.language)
    cited: dict[str, list[int]] = {}
    verdicts: set[str] = set()
    for span in spans:
        verdicts.add(verdict(span, completed))
        text = quote(say, span, completed, rarity)
        same = _same_quote(cited, span, text)
        cited.setdefault(same, []).append(span.number)
    lines = [_with_citations(text, numbers) for text, numbers in cited.items()]
    verdicts.discard("")
    # Two verdicts that contradict each other leave it to the reader.
    lead = f"{say(verdicts.pop())} " if len(verdicts) == 1 else ""
    return lead + "\n".join(_cut(say, lines))


def _same_quote(
    cited: Iterable[str],
    span: Span,
    text: str,
) -> str:
    """The quote that says the same already; else `text`."""
    for other in cited:
        folded = other.casefold()
        if span.text.casefold() in folded or text.casefold() == folded:
            return other
    return text


def quote(say: Sentences, span: Span, completed: Completed, rarity: Rarity) -> str:
    """One span, without its citation."""
    if span.is_row:
        return written(say, *shown_cells(span, completed, rarity))
    if span.hit.evidence.kind is Kind.CODE:
        return span.text
    is_nested = bool(span.above or span.below)
    if span.is_list and (is_nested or "\n" in span.text):
        lines = span.text.splitlines()
        return _lines(say, [*span.above, *lines, *span.below])
    return without_brackets(_sentence(say, span, completed))


def _sentence(say: Sentences, span: Span, completed: Completed) -> str:
    """In quotation marks, with the neighbours without which its meaning or subject is unclear."""
    quoted = _TYPED_MARK.sub("", span.text)
    if span.above and _POINTS_BACK.match(quoted):
        quoted = f"{span.above[-1]} {quoted}"
    if not span.below or not _goes_on(span, completed):
        return say("quote", text=quoted)
    if span.lists_below or _TYPED_MARK.match(span.below[0]):
        return f"{say('quote', text=quoted)}\n{_lines(say, span.below)}"
    return say("quote", text=f"{quoted} {span.below[0]}")


def _goes_on(span: Span, completed: Completed) -> bool:
    """Whether the next sentence or the list behind this one belongs to the answer."""
    if span.announces:
        return True
    new_terms = span.own_terms.difference(words(completed.text))
    if completed.kind in _ONE_FACT:
        return len(new_terms) < NEWS
    if len(new_terms) < NEWS_OF_MORE:
        return True
    return _POINTS_BACK.match(span.below[0]) is not None


def _lines(say: Sentences, lines: Sequence[str]) -> str:
    return without_brackets("\n".join(_cut(say, lines)))


def _cut(say: Sentences, lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_ITEMS:
        return list(lines)
    more = say("and-more", count=len(lines) - MOST_ITEMS)
    return [*lines[:MOST_ITEMS], f"… {more}"]


def _with_citations(text: str, numbers: Sequence[int]) -> str:
    """Behind the quote; on a line of its own behind a list or a code block."""
    citations = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
    return f"{text}\n{citations}" if "\n" in text else f"{text} {citations}"
