"""Leads for questions such as `what is X`: the row of a glossary, or a sentence that says it.

Each is found by the name that the question gives, whole; what only mentions it explains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core import grammar
from core.evidence.lexical.page_status import is_unsettled
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.language.sentences import Sentences
from core.models import Hit, Kind
from worker.typed.asked import ARTICLES, TypedQuestion, content, without_articles
from worker.typed.tables.found_tables import found_tables
from worker.typed.tables.typed_table import TypedTable
from worker.typed.written import cited, plain

LONGEST = 300  # characters of a meaning
MOST_WORDS = 5  # of a name
FEWEST_WORDS = 4  # of a sentence that says something

_WORDS = grammar.merged().composing
_ASKED = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _WORDS.meaning)
_ARTICLE = rf"(?:(?:{'|'.join(sorted(ARTICLES))})\s+)?"
# A meaning begins with an article, or is the sentence that begins with the name.
_BEGINS = re.compile(
    rf"{_ARTICLE}\S+.*?\s{_WORDS.is_a}\s|(?:{'|'.join(sorted(ARTICLES))})\s", re.IGNORECASE
)
_DASH = r"\s*(?::|\s[–—-])\s+"


def meaning(say: Sentences, asked: TypedQuestion, hits: Sequence[Hit]) -> str:
    """Empty where nothing explains the name, or where two pages explain it differently."""
    for name in _names(asked.text):
        tables = found_tables(hits)
        for found in (_rows(name, tables), _said(name, hits, _is_one(asked.text, name))):
            texts = dict.fromkeys(text for text, _ in found)
            if len(texts) > 1:
                return ""
            if texts:
                numbers = [number for _, numbers in found for number in numbers]
                (text,) = texts
                return cited(say("lead-meaning", name=plain(name), text=plain(text)), numbers)
    return ""


def _names(text: str) -> Iterator[str]:
    for pattern in _ASKED:
        found = pattern.search(text)
        name = without_articles(found["of"]) if found else ""
        if name and len(name.split()) <= MOST_WORDS and content(name):
            yield name


def _rows(name: str, tables: Sequence[TypedTable]) -> list[tuple[str, tuple[int, ...]]]:
    """What stands beside the name under a column such as `Meaning`."""
    wanted = content(name)
    found: list[tuple[str, tuple[int, ...]]] = []
    for table in tables:
        if len(table.meanings) != 1:
            continue
        for row in table.rows:
            text = row.cells[table.meanings[0]]
            if content(row.cells[0]) == wanted and 0 < len(text) <= LONGEST:
                found.append((text, row.numbers))
    return found


def _is_one(text: str, name: str) -> bool:
    """`The deadline` is one of several, and no word whose meaning is asked for."""
    return bool(re.search(rf"\b{_WORDS.definite}\s+{re.escape(name)}", text, re.IGNORECASE))


def _said(name: str, hits: Sequence[Hit], is_one: bool) -> list[tuple[str, tuple[int, ...]]]:
    """What the best hit with such a sentence or item says of the name."""
    patterns = _patterns(name)[is_one:]
    for number, hit in enumerate(hits, start=1):
        if is_unsettled(hit.page):
            continue
        for line in _lines(hit):
            for pattern in patterns:
                found = pattern.match(line)
                if found and _explains(name, found["said"]):
                    return [(found["said"], (number,))] if len(line) <= LONGEST else []
    return []


def _explains(name: str, said: str) -> bool:
    """`Overtime: only with consent` is a rule; of an abbreviation anything is its meaning."""
    if len(said.split()) < FEWEST_WORDS:
        return False
    is_name = name[1:] != name[1:].lower() or any(map(str.isdigit, name))
    return is_name or bool(_BEGINS.match(said))


def _patterns(name: str) -> Sequence[re.Pattern[str]]:
    """`X – …` or `X: …` of an item; a sentence that begins with `X is a …`."""
    own = rf"{_ARTICLE}{re.escape(name)}"
    written = (
        rf"{own}{_DASH}(?P<said>\S.*)$",
        rf"(?P<said>{own}(?:\s\([^)]*\))?\s{_WORDS.is_a}\s.*)$",
    )
    return [re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in written]


def _lines(hit: Hit) -> Iterator[str]:
    piece = hit.evidence
    if piece.kind is Kind.LIST:
        yield from (item.text for item in piece.items if item.depth >= 0)
    elif piece.kind is Kind.PASSAGE:
        yield from filter(None, map(str.strip, SENTENCE_END.split(piece.text)))
