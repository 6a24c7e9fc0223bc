"""Question templates for sections, cells, rows and pages: the rules that choose a sentence.

They look at a heading's first and last word. What no rule knows is quoted, which is plain but never
wrong.

>>> question_templates("en").section("Pump handbook", "Restart the pump")[0]
'How do I restart the pump?'
>>> question_templates("de").cell("Anlagen", "F-24", "Maßnahme")[0]
'Maßnahme für F-24?'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core import grammar
from core.evidence.lexical.analyzer import STOP
from core.language.sentences import Sentences, sentences

Wordings = tuple[str, ...]  # of one question, the shortest first


_EN = grammar.languages()["en"].headings
_DE = grammar.languages()["de"].headings
_STEPS = frozenset(grammar.merged().headings.steps)
_TELLS_NOTHING = frozenset(grammar.merged().headings.tells_nothing)
_COUNTED = frozenset(grammar.merged().headings.counted)
_NUMBER = re.compile(r"\d[\d.,]*")
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


class QuestionTemplates:
    """The wordings of one question, none when it cannot be asked well; whatever the language."""

    def __init__(self, say: Sentences) -> None:
        self.say = say

    def section(self, title: str, heading: str) -> Wordings:
        if heading.lower() in _TELLS_NOTHING:
            return ()
        if heading.endswith("?"):
            return (raised(heading),)
        known = _is_specific(heading.lower().split())
        return self._with_title("ask-about", title, known=known, topic=heading)

    def cell(self, title: str, key: str, column: str, value: str = "") -> Wordings:
        """`key` says what the row is about; it is empty for the page itself."""
        if key and column.lower().split()[0] in _COUNTED and _NUMBER.fullmatch(value):
            return self._both("ask-count", title, row=key, column=column)
        return self._cell(title, key, column)

    def _cell(self, title: str, key: str, column: str) -> Wordings:
        if not key:
            return (self.say("ask-property-on", title=title, column=column, count=1),)
        return self._both("ask-cell", title, row=key, column=column, count=1)

    def row(self, title: str, key: str) -> Wordings:
        return (self.say("ask-row-on", title=title, row=key),)

    def _both(self, key: str, title: str, **values: str | int) -> Wordings:
        """The question alone, and with the title of the page that answers it."""
        return self.say(key, **values), self.say(f"{key}-on", title=title, **values)

    def _with_title(self, key: str, title: str, *, known: bool, **values: str) -> Wordings:
        """The question alone first, if it says enough without the page's title."""
        wordings = self._both(key, title, **values)
        return wordings if known else wordings[1:]


class EnglishTemplates(QuestionTemplates):
    """By the rules of English headings."""

    def section(self, title: str, heading: str) -> Wordings:
        first, *rest = heading.lower().split()
        if task := _task(title, heading):
            return self._with_title("ask-task", title, known=" " in task, task=task)
        if heading.lower() in _STEPS:
            return (self.say("ask-steps-on", title=title),)
        if heading.lower() in _TELLS_NOTHING:
            return ()
        if first in _EN_APPLIES and rest:
            known = _is_specific(rest)
            return self._with_title("ask-applies", title, known=known, when=lowered(heading))
        if first.endswith("ed") and not rest:
            return (self.say("ask-done-on", title=title, done=first),)
        if first in _EN_ASKS and not heading.endswith("?"):
            return (self.say("ask-question-on", title=title, question=lowered(heading)),)
        return super().section(title, heading)

    def _cell(self, title: str, key: str, column: str) -> Wordings:
        if not _is_noun(column):
            return ()
        if _EN_PEOPLE.search(column):
            return self._person(title, key, column)
        count = 2 if _is_plural(column) else 1
        if not key:
            return (self.say("ask-property-on", title=title, column=column, count=count),)
        question = "ask-cell-of" if _EN_OF.search(column) else "ask-cell"
        return self._both(question, title, row=key, column=column, count=count)

    def _person(self, title: str, key: str, column: str) -> Wordings:
        if not key:
            return (self.say("ask-property-person-on", title=title, column=column),)
        return self._both("ask-person", title, row=key, column=column)


class GermanTemplates(QuestionTemplates):
    """By the rules of German headings."""

    def section(self, title: str, heading: str) -> Wordings:
        first, *rest = heading.lower().split()
        if heading.lower() in _STEPS:
            return (self.say("ask-steps-on", title=title),)
        if first in _DE_APPLIES and rest:
            known = _is_specific(rest)
            return self._with_title("ask-applies", title, known=known, when=lowered(heading))
        if first in _DE_ASKS and not heading.endswith("?"):
            return (self.say("ask-question-on", title=title, question=lowered(heading)),)
        if rest and _INFINITIVE.match(heading.split()[-1]):
            return self._both("ask-task", title, task=heading)
        return super().section(title, heading)

    def _cell(self, title: str, key: str, column: str) -> Wordings:
        if not _DE_PEOPLE.search(column):
            return super()._cell(title, key, column)
        if not key:
            return (self.say("ask-property-person-on", title=title, column=column),)
        return self._both("ask-person", title, row=key, column=column)


# The languages that have rules of their own.
RULES: Mapping[str, type[QuestionTemplates]] = {
    "en": EnglishTemplates,
    "de": GermanTemplates,
}


def question_templates(language: str) -> QuestionTemplates:
    say = sentences(language)
    return RULES.get(say.language, QuestionTemplates)(say)


def _task(title: str, heading: str) -> str:
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


def raised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_specific(words: Sequence[str]) -> bool:
    """Whether there are content words enough for a question without the page's title."""
    return len([word for word in words if word not in STOP]) > 1


def _is_plural(noun: str) -> bool:
    """Of `days of leave`, `Characters` and `people`, but not of `Status`."""
    before, *_ = _PREPOSITION.split(noun.lower())
    words = before.split() or noun.lower().split()  # `per-unit cost` begins with one
    head = words[-1]
    if head == "people":
        return True
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


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
