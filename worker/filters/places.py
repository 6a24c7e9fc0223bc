"""Filters by space, label or page title, as a question names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core import grammar
from core.question import Field
from worker.filters.filter_match import FilterMatch
from worker.filters.vocabulary import Place, Vocabulary
from worker.filters.wording import OR, after_pages, ends_here, names_pages, unquoted

MOST_WORDS = 16  # of a title, before a date in it
_QUOTE = r"[\"'“”„«»‘’]?"
_WORDS = grammar.merged().filters.places
_LABELS = grammar.merged().filters.labels
_THE = rf"(?:{_WORDS.the}\s+)?"
_TITLED = re.compile(
    rf"\b{_WORDS.on}\s+{_THE}(?:{_WORDS.wiki}[\s-]*)?{_WORDS.page}\s+"
    rf"(?:{_WORDS.titled}\s+)?{_QUOTE}",
    re.I,
)
_SPACE = re.compile(rf"\b{_WORDS.inside}\s+{_THE}{_WORDS.space}\s+{_QUOTE}", re.I)
# (?=…) consumes nothing: a name before the word is looked for wherever the phrase could begin.
_TITLE_FIRST = re.compile(
    rf"\b(?=(?P<said>{_WORDS.on}\s+{_WORDS.the_title}\s+"
    rf"{_QUOTE}(?P<name>[^?!;]{{1,255}}?){_QUOTE}[\s-]+{_WORDS.page}\b))",
    re.I,
)
_SPACE_FIRST = re.compile(
    rf"\b(?=(?P<said>{_WORDS.inside}\s+{_THE}{_QUOTE}"
    rf"(?P<name>[^\s,;:?!]+(?:\s+[^\s,;:?!]+){{0,5}}?){_QUOTE}[\s-]+{_WORDS.space}\b))",
    re.I,
)
_KEY = re.compile(rf"\b{_WORDS.before_key}\s+(?P<key>[A-Z][A-Z0-9]+)\b")
# People are in a department, not in the space of the same name.
_STAFF = re.compile(rf"\b{_WORDS.staff}\s+$", re.I)
_WITH_LABEL = re.compile(
    rf"\b{_LABELS.with_label}\s+{_THE}{_LABELS.labels}\s+{_QUOTE}",
    re.I,
)
_LABELLED = re.compile(
    rf"\b{_LABELS.labelled}\s+(?:{_LABELS.as_label}\s+)?{_THE}(?:{_LABELS.label}\s+)?{_QUOTE}",
    re.I,
)


def titles(text: str, known: Vocabulary) -> Iterator[FilterMatch]:
    """ "on the page Travel policy", "auf der Seite „Reisekosten“", "on the Travel policy page"."""
    yield from _behind(_TITLED, text, known.title, Field.TITLE)
    yield from _inside(_TITLE_FIRST, text, known, Field.TITLE)


def is_in_title(text: str, end: int, known: Vocabulary) -> bool:
    """Whether the words that end here are part of a page's title: "the minutes of 3 March 2024"."""
    words = list(re.finditer(r"\b\w", text[:end]))
    for word in words[-MOST_WORDS:]:
        _, length = known.title(text[word.start() :]) or ("", 0)
        if length and word.start() + length >= end:
            return True
    return False


def labels(text: str, known: Vocabulary) -> Iterator[FilterMatch]:
    """ "pages labelled draft", "mit dem Label howto"."""
    for found in _behind(_WITH_LABEL, text, known.label, Field.LABEL):
        before, after = text[: found.start], text[found.end :]
        if names_pages(before) or ends_here(after):
            yield found
    for found in _behind(_LABELLED, text, known.label, Field.LABEL):
        if names_pages(text[: found.start]):
            yield found


def spaces(text: str, known: Vocabulary) -> Iterator[FilterMatch]:
    """ "in the Engineering space", "im Bereich HR".

    A key alone counts only at the end, at the beginning or with a word for pages.
    """
    yield from _behind(_SPACE, text, known.space, Field.SPACE)
    yield from _inside(_SPACE_FIRST, text, known, Field.SPACE)
    text = unquoted(text)
    for match in _KEY.finditer(text):
        key = match["key"]
        before = text[: match.start()]
        after = text[match.end() :]
        if known.is_key(key) and _stands_alone(before, after):
            yield FilterMatch(Field.SPACE, key, *match.span())


def _stands_alone(before: str, after: str) -> bool:
    if _STAFF.search(before):
        return False
    leads = not before.strip() and after.startswith((",", ":"))
    if leads or ends_here(after):
        return True
    gap = after_pages(before) or "-"
    return gap.isspace()


def _behind(
    pattern: re.Pattern[str],
    text: str,
    look_up: Callable[[str], Place | None],
    field: Field,
) -> Iterator[FilterMatch]:
    """The known names behind the pattern; of two that are listed, neither alone is meant."""
    for match in pattern.finditer(text):
        value, length = look_up(text[match.end() :]) or ("", 0)
        end = match.end() + length
        listed = OR.match(text, end)
        if value and not (listed and look_up(text[listed.end() :])):
            yield FilterMatch(field, value, match.start(), _past_quote(text, end))


def _inside(
    pattern: re.Pattern[str],
    text: str,
    known: Vocabulary,
    field: Field,
) -> Iterator[FilterMatch]:
    for match in pattern.finditer(text):
        if value := known.value(field, match["name"]):
            yield FilterMatch(field, value, *match.span("said"))


def _past_quote(text: str, end: int) -> int:
    is_quote = text[end : end + 1] in tuple('"”“»’')
    return end + 1 if is_quote else end
