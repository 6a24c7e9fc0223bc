"""Examples out of our own corpora: what the search finds for a question, and whether that answers.

They teach how a wiki looks, rows, lists and headings, and questions in another language than the
page. The sample company, the utility, ConfQuestions and what employees type are kept out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from core.evidence.ranking.weights import PRODUCT
from core.models import Hit, Kind
from core.question import Completed
from evaluation.answerability.without import facts_of, has_facts, plainly
from evaluation.reader.squad import Example, as_typed
from evaluation.retrieval.left_out.corpora import GENERATED, LANGUAGES, available
from evaluation.retrieval.left_out.opened import Opened, embedders
from evaluation.sets.confquestions import Question
from worker.reading.readings import read_text

FOUND = 10  # pieces for a question
ANSWERED = 0.55  # share of the examples with an answer, where one was found
ON_ITS_PAGE = 0.65  # of the others, share of those from a page that answers elsewhere
FIRST = 6  # of what other pages say, the best ones
_NUMBER = re.compile(r"\d+")


class Pieces(NamedTuple):
    """What was found for a question."""

    answering: tuple[Example, ...]
    beside: tuple[Example, ...]  # on the page of the answer, without it
    others: tuple[Example, ...]


def pieces(folder: Path) -> list[Pieces]:
    """Of every question of the generated corpora whose facts are known, in both languages."""
    load = embedders()
    makers = available(None, folder / "corpora")
    found = []
    for name in GENERATED:
        opened = Opened(makers[name](), folder / "indexes", load)
        retriever = opened.retriever(PRODUCT)
        for language in LANGUAGES:
            for conversation in opened.corpus.asked[language]:
                for question in filter(facts_of, conversation):
                    text = question.completed or question.asked
                    asked = Completed(question=text, text=text)
                    found.append(_pieces(question, text, retriever.search(asked, k=FOUND).hits))
    return [each for each in found if any(each)]


def examples(found: Sequence[Pieces], random: Random) -> Iterator[Example]:
    """Without end, as `random` draws."""
    while True:
        one = random.choice(found)
        if one.answering and random.random() < ANSWERED:
            chosen = random.choice(one.answering)
        elif one.beside and random.random() < ON_ITS_PAGE:
            chosen = random.choice(one.beside)
        elif one.others:
            chosen = random.choice(one.others[:FIRST])
        else:
            continue
        yield chosen._replace(question=as_typed(chosen.question, random))


def _pieces(question: Question, asked: str, hits: Sequence[Hit]) -> Pieces:
    """Rivals, such as an older edition, are left out: what they say would be an answer too."""
    facts = facts_of(question)
    numbers = frozenset(_NUMBER.findall(" ".join(facts)))
    answering, beside, others = [], [], []
    for hit in hits:
        if hit.evidence.kind is Kind.PLACE:
            continue
        text = read_text(hit)
        pages = {copy.page.id for copy in hit.everywhere}
        is_said = has_facts(facts, plainly(text))
        # In the other language the words of a fact differ, its numbers do not.
        has_numbers = bool(numbers) and numbers <= frozenset(_NUMBER.findall(text))
        if pages & question.gold_ids and (is_said or has_numbers):
            answering.append(Example(asked, text, True, _place(facts, text)))
        elif pages & question.gold_ids:
            beside.append(Example(asked, text, False))
        elif not pages & question.rivals.keys() and not is_said:
            others.append(Example(asked, text, False))
    return Pieces(tuple(answering), tuple(beside), tuple(others))


def _place(facts: Sequence[str], text: str) -> tuple[int, int] | None:
    """Where the only fact stands, word by word."""
    start = text.casefold().find(facts[0].casefold())
    if len(facts) > 1 or start < 0 or len(text.casefold()) != len(text):
        return None
    return start, start + len(facts[0])
