"""Question templates for sections, cells, rows and pages, in English and in German.

By rules that look at a heading's first and last word. What no rule knows is quoted, which is plain
but never wrong.

>>> ENGLISH.section("Pump handbook", "Restart the pump")[0]
'How do I restart the pump?'
>>> GERMAN.cell("Anlagen", "F-24", "Maßnahme")[0]
'Was steht bei F-24 unter „Maßnahme“?'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core import grammar
from core.evidence.lexical.analyzer import STOP

Wordings = tuple[str, ...]  # of one question, the shortest first


_EN = grammar.languages()["en"].headings
_DE = grammar.languages()["de"].headings
_STEPS = frozenset(grammar.merged().headings.steps)
_TELLS_NOTHING = frozenset(grammar.merged().headings.tells_nothing)
_HOW_TO = re.compile(rf"^{_EN.how_to} (?P<what>.+)$", re.IGNORECASE)

# Beginnings of headings that go on as a question: `Before the trip`, `Wenn der Akku leer ist`.
_EN_APPLIES = frozenset(_EN.applies)
_DE_APPLIES = frozenset(_DE.applies)
_EN_ASKS = frozenset(_EN.asks)
_DE_ASKS = frozenset(_DE.asks)
_EN_PEOPLE = re.compile(rf"\b{_EN.people}$", re.IGNORECASE)
_DE_PEOPLE = re.compile(rf"{_DE.people}$", re.IGNORECASE)
_EN_OF = re.compile(rf"\b{_EN.properties}$", re.IGNORECASE)
_PREPOSITION = re.compile(rf"\b{_EN.prepositions}\b")  # behind a noun, in small letters
_INFINITIVE = re.compile(rf"^{_DE.infinitives}$")


@dataclass(frozen=True)
class QuestionTemplates:
    """How one language asks: the wordings of one question, none when it cannot be asked well."""

    section: Callable[[str, str], Wordings]  # title, heading
    # Title, what the row is about (empty: the page itself), column.
    cell: Callable[[str, str, str], Wordings]
    row: Callable[[str, str], Wordings]  # title, what the row is about


def _en_section(title: str, heading: str) -> Wordings:
    first, *rest = heading.lower().split()
    if task := _en_task(title, heading):
        return _en_with_title(f"how do I {task}", title, known=" " in task)
    if heading.lower() in _STEPS:
        return (f"What are the steps of “{title}”?",)
    if heading.lower() in _TELLS_NOTHING:
        return ()
    if first in _EN_APPLIES and rest:
        return _en_with_title(f"what applies {lowered(heading)}", title, known=_is_specific(rest))
    if first.endswith("ed") and not rest:
        return _en_with_title(f"what was {first}", title, known=False)
    about = lowered(heading) if first in _EN_ASKS else heading
    return (f"What does “{title}” say about {about}?",)


def _en_with_title(
    asked: str,
    title: str,
    *,
    known: bool,
) -> Wordings:
    """The question alone first, if it says enough without the page's title."""
    with_title = f"According to “{title}”, {asked}?"
    if not known:
        return (with_title,)
    return (f"{asked[0].upper()}{asked[1:]}?", with_title)


def _en_task(title: str, heading: str) -> str:
    """`restart the pump` of `Restart the pump` and `How to restart the pump`; empty without a task.

    Of `Steps` the task is in the page's title.
    """
    shown = title if heading.lower() in _STEPS else heading
    if how_to := _HOW_TO.match(shown):
        return lowered(how_to["what"])
    first, *rest = shown.lower().split()
    has_object = first in _EN.instructions_before and rest and rest[0] in _EN.objects
    is_task = first in _EN.instructions or has_object
    return lowered(shown) if is_task and not shown.endswith("?") else ""


def _en_cell(title: str, key: str, column: str) -> Wordings:
    if not _is_noun(column):
        return ()
    about = key or f"“{title}”"
    preposition = "of" if _EN_OF.search(column) or not key else "for"
    asked = f"what {_be(column)} the {column} {preposition} {about}"
    if _EN_PEOPLE.search(column):
        asked = f"who is the {column} of {about}"
    wordings = _en_with_title(asked, title, known=True)
    return wordings if key else wordings[:1]


def _en_row(title: str, key: str) -> Wordings:
    return (f"What does “{title}” say about {key}?",)


def _de_section(title: str, heading: str) -> Wordings:
    first, *rest = heading.lower().split()
    if heading.lower() in _STEPS:
        return (f"Wie läuft „{title}“ ab?",)
    if heading.lower() in _TELLS_NOTHING:
        return ()
    if first in _DE_APPLIES and rest:
        with_title = f"Was gilt laut „{title}“ {lowered(heading)}?"
        if _is_specific(rest):
            return (f"Was gilt {lowered(heading)}?", with_title)
        return (with_title,)
    if first in _DE_ASKS:
        return (f"Was sagt „{title}“ dazu: {heading}?",)
    if rest and _INFINITIVE.match(heading.split()[-1]):
        return (f"Wie geht das: {heading}?", f"Wie geht laut „{title}“: {heading}?")
    return (f"Was sagt „{title}“ zum Thema {heading}?",)


def _de_cell(title: str, key: str, column: str) -> Wordings:
    asked = "Wer" if _DE_PEOPLE.search(column) else "Was"
    in_title = f"{asked} steht in „{title}“"
    if not key:
        return (f"{in_title} unter „{column}“?",)
    return (
        f"{asked} steht bei {key} unter „{column}“?",
        f"{in_title} bei {key} unter „{column}“?",
    )


def _de_row(title: str, key: str) -> Wordings:
    return (f"Was steht in „{title}“ zu {key}?",)


ENGLISH = QuestionTemplates(_en_section, _en_cell, _en_row)
GERMAN = QuestionTemplates(_de_section, _de_cell, _de_row)
WORDS: Mapping[str, QuestionTemplates] = {"en": ENGLISH, "de": GERMAN}  # by language


def short_title(title: str) -> str:
    """A title without what explains it.

    >>> short_title("Post-mortem INC-118: sorters stopped")
    'Post-mortem INC-118'
    """
    return re.split(r":\s|\s[–—-]\s|\s\(", title)[0]


def lowered(text: str) -> str:
    """With a small first letter, unless the first word has capitals inside, as abbreviations do."""
    rest_of_word = text.split()[0][1:]
    if rest_of_word != rest_of_word.lower():
        return text
    return text[0].lower() + text[1:]


def _is_specific(words: Sequence[str]) -> bool:
    """Whether there are content words enough for a question without the page's title."""
    return len([word for word in words if word not in STOP]) > 1


def _be(noun: str) -> str:
    """`are` for a plural: `days of leave`, `Characters`, but not `Status`."""
    before, *_ = _PREPOSITION.split(noun.lower())
    words = before.split() or noun.lower().split()  # `per-unit cost` begins with one
    head = words[-1]
    is_plural = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return "are" if is_plural or head == "people" else "is"


def _is_noun(column: str) -> bool:
    """Whether a column's name can stand behind `the`: `Limit per night`, not `When it was told`."""
    words = column.lower().split()
    first = words[0]
    if "›" in column or _is_function_word(first) or _PREPOSITION.fullmatch(first):
        return False
    if _is_function_word(words[-1]):
        return False
    inside = list(filter(_is_function_word, words))
    return set(_EN.inside_columns).issuperset(inside)


def _is_function_word(word: str) -> bool:
    return word in STOP or word in _EN_APPLIES
