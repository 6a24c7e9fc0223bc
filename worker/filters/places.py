"""Which part of the wiki is wanted: a space, a label or one page, as a question names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core.question import Field
from worker.filters.found import FilterMatch
from worker.filters.vocabulary import Place, Vocabulary
from worker.filters.wording import OR, after_pages, ends_here, names_pages, unquoted

MOST_WORDS = 16  # of a title, before a date in it
_QUOTE = r"[\"'“”„«»‘’]?"
_THE = r"(?:the\s+|der\s+|dem\s+|den\s+)?"
_PAGE = r"(?:page|document|article|blog ?post|guide|seite|dokument|artikel|blogbeitrag|beitrag|anleitung)"
_ON = r"(?:in|on|from|of|to|laut|im|in der|in dem|aus|aus der|aus dem|auf|auf der|von der|vom)"
_IN = r"(?:in|from|of|within|inside|im|in dem|aus dem|vom)"
_TITLED = re.compile(
    rf"\b{_ON}\s+{_THE}(?:wiki[\s-]*)?{_PAGE}\s+(?:(?:titled|called|named|namens|mit dem titel)\s+)?{_QUOTE}",
    re.I,
)
_SPACE = re.compile(rf"\b{_IN}\s+{_THE}(?:space|bereich)\s+{_QUOTE}", re.I)
# The name before the word is looked for from every place where the phrase could begin, hence (?=…), which takes nothing away.
_TITLE_FIRST = re.compile(
    rf"\b(?=(?P<said>{_ON}\s+(?:the|der|dem)\s+{_QUOTE}(?P<name>[^?!;]{{1,255}}?){_QUOTE}[\s-]+{_PAGE}\b))",
    re.I,
)
_SPACE_FIRST = re.compile(
    rf"\b(?=(?P<said>{_IN}\s+{_THE}{_QUOTE}(?P<name>[^\s,;:?!]+(?:\s+[^\s,;:?!]+){{0,5}}?){_QUOTE}[\s-]+(?:space|bereich)\b))",
    re.I,
)
_KEY = re.compile(r"\b(?:[Ii]n|[Ff]rom|[Aa]us)\s+(?P<key>[A-Z][A-Z0-9]+)\b")
# People are in a department, not in the space of the same name.
_STAFF = re.compile(
    r"\b(?:work\w*|people|staff|employee\w*|colleague\w*|teams?|jobs?|arbeite\w*|leute|mitarbeite\w*|kolleg\w*|stellen?)\s+$",
    re.I,
)
_WITH_LABEL = re.compile(
    rf"\b(?:with|having|mit)\s+{_THE}(?:labels?|tags?|stichwort|schlagwort)\s+{_QUOTE}", re.I
)
_LABELLED = re.compile(
    rf"\b(?:labell?ed|tagged|gelabelt|getaggt)\s+(?:(?:with|as|mit|als)\s+)?{_THE}(?:label\s+)?{_QUOTE}",
    re.I,
)


def titles(text: str, known: Vocabulary) -> Iterator[FilterMatch]:
    """ "on the page Travel policy", "auf der Seite „Reisekosten“", "on the Travel policy page"."""
    yield from _behind(_TITLED, text, known.title, Field.TITLE)
    yield from _inside(_TITLE_FIRST, text, known, Field.TITLE)


def is_in_title(text: str, end: int, known: Vocabulary) -> bool:
    """Whether the words that end here are part of a page's title: "the minutes of 3 March 2024" may be a page of that name."""
    starts = [match.start() for match in re.finditer(r"\b\w", text[:end])][-MOST_WORDS:]
    return any((place := known.title(text[start:])) and start + place[1] >= end for start in starts)


def labels(text: str, known: Vocabulary) -> Iterator[FilterMatch]:
    """ "pages labelled draft", "mit dem Label howto"."""
    for found in _behind(_WITH_LABEL, text, known.label, Field.LABEL):
        if names_pages(text[: found.start]) or ends_here(text[found.end :]):
            yield found
    yield from (
        found
        for found in _behind(_LABELLED, text, known.label, Field.LABEL)
        if names_pages(text[: found.start])
    )


def spaces(text: str, known: Vocabulary) -> Iterator[FilterMatch]:
    """ "in the Engineering space", "im Bereich HR"; a key alone only at the end, at the beginning or with a word for pages."""
    yield from _behind(_SPACE, text, known.space, Field.SPACE)
    yield from _inside(_SPACE_FIRST, text, known, Field.SPACE)
    text = unquoted(text)
    for match in _KEY.finditer(text):
        if known.is_key(match["key"]) and _stands_alone(text[: match.start()], text[match.end() :]):
            yield FilterMatch(Field.SPACE, match["key"], *match.span())


def _stands_alone(before: str, after: str) -> bool:
    if _STAFF.search(before):
        return False
    leads = not before.strip() and after.startswith((",", ":"))
    return leads or ends_here(after) or (after_pages(before) or "-").isspace()


def _behind(
    pattern: re.Pattern[str], text: str, look_up: Callable[[str], Place | None], field: Field
) -> Iterator[FilterMatch]:
    """The known names behind the pattern; of two that are listed, neither alone is meant."""
    for match in pattern.finditer(text):
        value, length = look_up(text[match.end() :]) or ("", 0)
        end = match.end() + length
        others = OR.match(text, end)
        if value and not (others and look_up(text[others.end() :])):
            yield FilterMatch(field, value, match.start(), _past_quote(text, end))


def _inside(
    pattern: re.Pattern[str], text: str, known: Vocabulary, field: Field
) -> Iterator[FilterMatch]:
    for match in pattern.finditer(text):
        if value := known.value(field, match["name"]):
            yield FilterMatch(field, value, *match.span("said"))


def _past_quote(text: str, end: int) -> int:
    return end + 1 if text[end : end + 1] in tuple('"”“»’') else end
