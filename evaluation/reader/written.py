"""Examples out of the wikis that others wrote: what employees type, and what is found for it.

A question that no page answers teaches most: every piece that the search finds for it speaks of the
same things, and none of them says what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.evidence.ranking.weights import PRODUCT
from core.models import Hit, Kind
from core.question import Completed
from evaluation.answerability.expected import Expected, ids_by_title, of_typed
from evaluation.employees.questions import Wanted
from evaluation.employees.wikis import LEARNT, AskedSet, questions, wiki
from evaluation.harness.remembered import as_past
from evaluation.reader.own import FOUND, Pieces
from evaluation.reader.squad import Example
from evaluation.retrieval.left_out.opened import Opened, embedders
from worker.question.classify import classify
from worker.question.rewrite import Completer, Past
from worker.reading.readings import read_text
from worker.retrieval.retriever import Retriever

_WORD = re.compile(r"\w+")


def pieces(
    folder: Path, of: AskedSet = AskedSet.QUESTIONS, names: Sequence[str] = LEARNT
) -> Iterator[Pieces]:
    """Of every question of these wikis for which something was found."""
    for _, made in found_for(folder, names, of):
        yield made


def found_for(folder: Path, names: Sequence[str], of: AskedSet) -> Iterator[tuple[str, Pieces]]:
    """The same for any of their questions, with the id of each."""
    load = embedders()
    for name in names:
        opened = Opened(wiki(name), folder / "indexes", load)
        retriever = opened.retriever(PRODUCT)
        ids = ids_by_title(opened.corpus.pages)
        for wanted in questions(name, of):
            completed, hits = searched(retriever, wanted)
            asked = " ".join((completed.question, *completed.context))
            made = labelled(asked, wanted, of_typed(wanted, ids), hits[:FOUND])
            if any(made):
                yield wanted.id, made


def labelled(asked: str, wanted: Wanted, expected: Expected, hits: Sequence[Hit]) -> Pieces:
    """A piece that may answer in other words than those that were written down is left out."""
    answering, beside, others = [], [], []
    for hit in hits:
        if hit.evidence.kind is Kind.PLACE:
            continue
        text = read_text(hit)
        is_right = bool({copy.page.id for copy in hit.everywhere} & expected.gold)
        places = [place_of(each, text) for each in wanted.answers]
        place = next(filter(None, places), None)
        if is_right and place:
            answering.append(Example(asked, text, True, place))
        elif wanted.answerable and expected.says and expected.says(text):
            continue
        elif is_right:
            beside.append(Example(asked, text, False))
        else:
            others.append(Example(asked, text, False))
    return Pieces(tuple(answering), tuple(beside), tuple(others))


def place_of(answer: str, text: str) -> tuple[int, int] | None:
    """Where its words stand one behind the other, whatever marks are between them.

    >>> place_of("two weeks", "Back within **two** weeks."), place_of("wee", "two weeks")
    ((14, 25), None)
    """
    wanted = [each.group().casefold() for each in _WORD.finditer(answer)]
    said = list(_WORD.finditer(text))
    words = [each.group().casefold() for each in said]
    for start in range(len(words) - len(wanted) + 1):
        if wanted and words[start : start + len(wanted)] == wanted:
            return said[start].start(), said[start + len(wanted) - 1].end()
    return None


def searched(retriever: Retriever, wanted: Wanted) -> tuple[Completed, Sequence[Hit]]:
    """After those that were asked before it in its thread."""
    completer = Completer(None, retriever.evidence)
    history: list[Past] = []
    for text in wanted.before:
        completed, hits = _searched(retriever, completer, text, history)
        history.append(as_past(completed, hits))
    return _searched(retriever, completer, wanted.ask, history)


def _searched(
    retriever: Retriever, completer: Completer, text: str, history: Sequence[Past]
) -> tuple[Completed, Sequence[Hit]]:
    completed = completer.complete(text, history, deadline=0.0)[0]
    completed = completed.model_copy(update={"kind": classify(completed)})
    found = retriever.retrieve(completed)
    return found.searched(completed), found.hits
