"""Leads for questions about the tasks of a page: those that are open or done, and whose they are.

Only where the question names the page by all its telling words, or a person whose tasks stand on
the only page with tasks: the tasks of another meeting are no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core import grammar
from core.evidence.lexical.page_status import is_unsettled
from core.language.sentences import Sentences
from core.models import Evidence, Hit, Kind, Page
from core.question import Completed, QuestionKind
from core.structure import ListItem, Neighbour
from worker.support.dates import Day, taken_out
from worker.typed.asked import Operation, as_typed, content, typed_question
from worker.typed.written import MOST_NAMES, cited, plain

People = Mapping[str, frozenset[str]]  # names with their terms

OPEN, DONE = "[ ] ", "[x] "  # the marks of tasks
GAP = "…"  # the list goes on where it was not found

_GRAMMAR = grammar.merged().composing
_WORDS = _GRAMMAR.tasks
_SAYS_TASK, _SAYS_OPEN, _SAYS_DONE, _SAYS_LAST, _PASSED_OVER = (
    re.compile(rf"\b{words}(?!\w)", re.IGNORECASE)
    for words in (_WORDS.words, _WORDS.open, _WORDS.done, _WORDS.last, _WORDS.passed_over)
)
_ASKED = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _WORDS.asked)
_KINDS = frozenset(content(" ".join((*_WORDS.kinds, *_GRAMMAR.pages.page))))
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")  # also of `what's`
# As indexer.evidence.verbalize writes it; else who is mentioned first.
_ASSIGNEE = re.compile(r"\(assignee: ([^;()]+)|@([^\W\d_a-z]\w*(?: [^\W\d_a-z]\w+)?)")
_OF_ALL = (Operation.CELL, Operation.WHICH, Operation.COUNT)
_NOT_ASKING = (QuestionKind.CAUSE, QuestionKind.HYPOTHETICAL, QuestionKind.COMPARISON)


@dataclass(frozen=True)
class TaskQuestion:
    """What a question asks of tasks."""

    terms: frozenset[str]  # that name a page or a person
    days: tuple[Day, ...]  # of the page
    marks: tuple[str, ...]  # of the state, in the order in which they are shown
    is_last: bool


@dataclass(frozen=True)
class SectionTasks:
    """The tasks under one heading, each with the number of its hit."""

    page: Page
    headings: tuple[str, ...]
    announced: tuple[str, ...]
    items: Sequence[tuple[int, ListItem]]
    is_cut: bool  # the list goes on where it was not found

    @property
    def terms(self) -> frozenset[str]:
        """What a question may call them by."""
        return frozenset(content(" ".join((self.page.title, *self.headings, *self.announced))))

    @property
    def days(self) -> list[Day]:
        """Those of the heading, else of the title."""
        return taken_out(" ".join(self.headings))[0] or taken_out(self.page.title)[0]


def tasks(say: Sentences, completed: Completed, hits: Sequence[Hit]) -> str:
    """The matching tasks under a line for each section; empty where nothing is certainly meant."""
    asked = _asked(completed)
    if asked is None:
        return ""
    sections = list(_sections(hits))
    people = _people(asked, sections)
    if not _is_clear(asked, people, sections):
        return ""
    named = _named(asked, people, sections)
    return "\n\n".join(filter(None, (_written(say, asked, people, each) for each in named)))


def _asked(completed: Completed) -> TaskQuestion | None:
    """Of the question alone where rules have completed it: what they add names no page for sure."""
    own = completed if completed.by else completed.by_itself
    text = _POSSESSIVE.sub("", as_typed(own.searched).text)
    is_asked = any(pattern.search(text) for pattern in _ASKED)
    if own.kind in _NOT_ASKING or not (is_asked or _SAYS_TASK.search(text)):
        return None
    if own.kind is QuestionKind.PROCEDURE and not is_asked:
        return None
    marks, left = _state(text)
    if not marks or (own.kind is QuestionKind.CONFIRMATION and marks != (OPEN,)):
        return None
    days, left = taken_out(left)
    is_last = bool(_SAYS_LAST.search(left))
    for pattern in (_SAYS_LAST, _SAYS_TASK, _PASSED_OVER):
        left = pattern.sub(" ", left)
    typed = typed_question(own, left)  # which refuses what is negated
    if typed is None or typed.operation not in _OF_ALL or set(_WORDS.own) & typed.written:
        return None
    return TaskQuestion(typed.open_terms - _KINDS, tuple(days), marks, is_last)


def _state(text: str) -> tuple[tuple[str, ...], str]:
    """The marks that are asked for, none where both states are, and the text without its words.

    >>> _state("which tasks are not done yet")
    (('[ ] ',), 'which tasks are  ')
    """
    without_open = _SAYS_OPEN.sub(" ", text)
    left = _SAYS_DONE.sub(" ", without_open)
    says_open, says_done = without_open != text, left != without_open
    if says_open and says_done:
        return (), left
    if says_open:
        return (OPEN,), left
    return ((DONE,) if says_done else (OPEN, DONE)), left


def _sections(hits: Sequence[Hit]) -> Iterator[SectionTasks]:
    found: dict[object, list[tuple[int, Hit]]] = {}
    for number, hit in enumerate(hits, start=1):
        if hit.evidence.kind is Kind.TASK and not is_unsettled(hit.page):
            where = (hit.page.key, hit.evidence.heading_path)
            found.setdefault(where, []).append((number, hit))
    known = {hit.evidence.id for hit in hits}
    for pieces in found.values():
        pieces.sort(key=lambda each: each[1].evidence.position)
        items = [(number, item) for number, hit in pieces for item in hit.evidence.items]
        first = pieces[0][1]
        yield SectionTasks(
            page=first.page,
            headings=first.evidence.heading_path,
            announced=tuple(item.text for _, item in items if item.depth < 0),
            items=[(number, item) for number, item in items if item.mark in (OPEN, DONE)],
            is_cut=any(_is_cut(hit.evidence, known) for _, hit in pieces),
        )


def _is_cut(piece: Evidence, known: set[str]) -> bool:
    """Whether tasks stand right before or after it that were not found."""
    return any(near.id not in known and _has_tasks(near) for near in (piece.before, piece.after))


def _has_tasks(near: Neighbour) -> bool:
    return any(line.text.startswith((OPEN, DONE)) for line in near.lines)


def _whose(item: ListItem) -> str:
    """The name of the person that the task is for; empty where it does not say."""
    found = _ASSIGNEE.search(item.text)
    return (found[1] or found[2]).strip() if found else ""


def _people(asked: TaskQuestion, sections: Sequence[SectionTasks]) -> People:
    """Those whom the question names, with the terms of their names; those it names best."""
    names = dict.fromkeys(_whose(item) for each in sections for _, item in each.items)
    named = {name: frozenset(content(name)) & asked.terms for name in names}
    return {
        name: frozenset(content(name))
        for name, shared in named.items()
        if shared and not any(other > shared for other in named.values())
    }


def _is_clear(asked: TaskQuestion, people: People, sections: Sequence[SectionTasks]) -> bool:
    """No word may name two people, or a person and a page."""
    for one, other in combinations(people.values(), 2):
        is_same = one <= other or other <= one  # with and without the family name
        if one & other & asked.terms and not is_same:
            return False
    said = frozenset[str]().union(*people.values()) & asked.terms
    return all(said.isdisjoint(each.terms) for each in sections)


def _named(
    asked: TaskQuestion, people: People, sections: Sequence[SectionTasks]
) -> Sequence[SectionTasks]:
    """The sections that the question names; without a name the only page, for a person."""
    about = asked.terms.difference(*people.values())
    if about or asked.days:
        named = [each for each in sections if about <= each.terms and _is_of(asked.days, each)]
    else:
        is_one = len({each.page.key for each in sections}) == 1
        named = list(sections) if people and is_one else []
    return _last(named) if asked.is_last else named


def _is_of(days: Sequence[Day], section: SectionTasks) -> bool:
    return all(any(day.is_said_by(own) for own in section.days) for day in days)


def _last(sections: Sequence[SectionTasks]) -> Sequence[SectionTasks]:
    """Those of the last day; of the only page without one, all."""
    days = [max((day[:3] for day in each.days if day.year), default=()) for each in sections]
    if not any(days):
        return sections if len({each.page.key for each in sections}) == 1 else []
    if not all(days):
        return []
    return [each for each, day in zip(sections, days, strict=True) if day == max(days)]


def _written(say: Sentences, asked: TaskQuestion, people: People, section: SectionTasks) -> str:
    """`Open tasks in “Weekly”: **2** [1]` over the tasks; no number where others were not found."""
    known: dict[str, int] = {}
    for mark in asked.marks:
        for number, item in section.items:
            if item.mark == mark and (not people or _whose(item) in people):
                known.setdefault(f"- {mark}{plain(item.text)}", number)
    if not known:
        return ""
    sentence = say(_SENTENCES[asked.marks], scope=_scope(section))
    if people:
        sentence += f" ({', '.join(map(plain, people))})"
    if not section.is_cut:
        sentence += f": **{len(known)}**"
    left = len(known) - MOST_NAMES
    lines = list(known)[:MOST_NAMES]
    if left > 0:
        lines.append(f"{GAP} {say('and-more', count=left)}")
    elif section.is_cut:
        lines.append(GAP)
    return "\n".join((cited(sentence, sorted(known.values())), *lines))


_SENTENCES = {
    (OPEN,): "lead-tasks-open",
    (DONE,): "lead-tasks-done",
    (OPEN, DONE): "lead-tasks",
}


def _scope(section: SectionTasks) -> str:
    """`Weekly › Actions`, as the heads of excerpts."""
    names = dict.fromkeys((section.page.title, *section.headings[-1:]))
    return plain(" › ".join(names))
