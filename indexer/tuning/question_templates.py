"""Question templates: questions about pieces of evidence, from rows, definitions and headings.

Their words are the page's own, so they say more of ranking by words than people's questions would.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.models import Hit, Kind

LONGEST = 80  # characters of a cell, a term or a heading that a question can hold
FEWEST = 60  # characters of a passage that says something
SOURCES = {Kind.LIST: "list", Kind.TASK: "list", Kind.TABLE: "table", Kind.ROW: "table"}

_GERMAN = re.compile(
    r"\b(?:der|die|das|und|ist|nicht|ein|eine|mit|für|von|wird|auf|dem|den|im|zu|bei|nach|oder)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:the|and|is|not|an|with|for|of|are|to|on|it|that|be|or|after)\b", re.IGNORECASE
)
_DEFINITION = re.compile(
    r"^(?P<term>[A-ZÄÖÜ][\w./ -]{2,60}?) "
    r"(?:(?:is|ist) (?=(?:an?|eine?) )|means |stands for |bedeutet |steht für )"
    r"(?P<said>[^.]{8,})"
)
_NO_TERM = re.compile(
    r"^(?:the|an?|this|that|these|it|he|she|they|there|here"
    r"|der|die|das|dies\w*|es|er|sie|eine?|hier|dort)\b",
    re.IGNORECASE,
)
_WORDINGS = {
    "cell": {
        "en": "What is the {column} of {key}?",
        "de": "Was ist bei {key} als {column} angegeben?",
    },
    "cell on page": {
        "en": "What is the {column} of {key} in “{title}”?",
        "de": "Was ist bei {key} als {column} in „{title}“ angegeben?",
    },
    "definition": {"en": "What is meant by {term}?", "de": "Was ist mit {term} gemeint?"},
    "heading": {
        "en": "What applies to {heading} in “{title}”?",
        "de": "Was gilt für {heading} in „{title}“?",
    },
}


@dataclass(frozen=True)
class GeneratedQuestion:
    """A question, what answers it, and the piece it was made from."""

    question: str
    answer: str
    source: str  # passage | list | table
    language: str
    piece: Hit


@dataclass(frozen=True)
class Surroundings:
    """What the other pieces say about one: its page's language, pages with the same first cell."""

    languages: Mapping[str, str]  # by page id
    pages_of: Mapping[str, frozenset[str]]  # page ids by first cell

    @classmethod
    def of(cls, pieces: Iterable[Hit]) -> Surroundings:
        texts: dict[str, list[str]] = defaultdict(list)
        pages: dict[str, set[str]] = defaultdict(set)
        for piece in pieces:
            texts[piece.page.id] += _own_words(piece)
            if piece.evidence.cells:
                pages[_key(piece)].add(piece.page.id)
        languages = {page: language(" ".join(said)) for page, said in texts.items()}
        return cls(languages, {key: frozenset(found) for key, found in pages.items()})

    def names_one_page(self, piece: Hit) -> bool:
        return len(self.pages_of[_key(piece)]) == 1


QuestionGenerator = Callable[[Hit], Iterator[GeneratedQuestion]]


def by_templates(around: Surroundings) -> QuestionGenerator:
    """All questions that the piece's form allows."""

    def generate(piece: Hit) -> Iterator[GeneratedQuestion]:
        if piece.evidence.cells:
            return _of_row(piece, around)
        if piece.evidence.kind in (Kind.PASSAGE, Kind.LIST):
            return _of_text(piece, around)
        return iter(())

    return generate


def _of_row(piece: Hit, around: Surroundings) -> Iterator[GeneratedQuestion]:
    """One for each column, by the first cell, and the title where other pages have that row."""
    key, wording = _key(piece), "cell" if around.names_one_page(piece) else "cell on page"
    for column, value in piece.evidence.cells[1:]:
        if column.strip() and value.strip() and key and max(len(key), len(column)) <= LONGEST:
            question = _worded(wording, piece, around, column=column.split(" › ")[-1], key=key)
            yield question_of(question, value.strip(), piece, around)


def _of_text(piece: Hit, around: Surroundings) -> Iterator[GeneratedQuestion]:
    """What a sentence defines, and what the nearest heading covers, itself perhaps a question."""
    text = piece.evidence.text
    for line in text.splitlines():
        found = _DEFINITION.match(line.strip(" -*•"))
        if found and not _NO_TERM.match(found["term"]):
            question = _worded("definition", piece, around, term=found["term"])
            yield question_of(question, found["said"].strip(), piece, around)
    heading = piece.evidence.heading_path[-1] if piece.evidence.heading_path else ""
    if heading.endswith("?"):
        yield question_of(heading, text, piece, around)
    elif heading and len(heading) <= LONGEST and len(text) >= FEWEST and not heading.endswith("."):
        yield question_of(_worded("heading", piece, around, heading=heading), text, piece, around)


def _own_words(piece: Hit) -> list[str]:
    """What people wrote: the English sentence that a row is indexed as is ours."""
    if piece.evidence.cells or piece.evidence.kind == Kind.TABLE:
        return [value for _, value in piece.evidence.cells]
    return [*piece.evidence.heading_path, piece.evidence.text]


def _key(piece: Hit) -> str:
    return piece.evidence.cells[0][1].strip()


def _worded(wording: str, piece: Hit, around: Surroundings, **slots: str) -> str:
    template = _WORDINGS[wording][around.languages[piece.page.id]]
    return template.format(title=piece.page.title, **slots)


def question_of(question: str, answer: str, piece: Hit, around: Surroundings) -> GeneratedQuestion:
    return GeneratedQuestion(
        question,
        answer,
        SOURCES.get(piece.evidence.kind, "passage"),
        around.languages[piece.page.id],
        piece,
    )


def language(text: str) -> str:
    """`en` or `de`, by function words.

    >>> language("Der Schalter ist bis 17 Uhr offen.")
    'de'
    """
    return "de" if len(_GERMAN.findall(text)) > len(_ENGLISH.findall(text)) else "en"
