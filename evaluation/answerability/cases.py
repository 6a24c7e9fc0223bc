"""Cases: questions asked of the whole index, and of one without what answers them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import yaml

from core.evidence.lexical.index import LexicalIndex
from core.evidence.ranking.weights import PRODUCT
from core.models import Answer, Hit, Note
from core.question import Completed
from core.settings import settings
from evaluation.answerability.expected import Expected, of_question
from evaluation.answerability.without import Without, answering, page_texts
from evaluation.harness.remembered import as_past
from evaluation.retrieval.left_out.bench import some, wordings
from evaluation.retrieval.left_out.corpora import LANGUAGES
from evaluation.retrieval.left_out.opened import Embedders, Opened
from evaluation.retrieval.left_out.outcomes import BY_RULES, Wording
from evaluation.sets.confquestions import Question
from worker.answerability.badge import Badge
from worker.answerability.covering import Covering
from worker.answerability.gate import AnswerGate
from worker.answerability.signs import Signs
from worker.answerability.vectors import RememberedVectors
from worker.bootstrap import rarity
from worker.extractive.extractor import Extractor
from worker.generation import confidence
from worker.generation.generator import Generator
from worker.question.classify import classify
from worker.question.rewrite import Completer, Past
from worker.reading.reader import bundled
from worker.reading.readings import Readings
from worker.retrieval.retriever import Retriever

MOST = 30  # questions of each corpus, each in two ways and two languages; each piece is read
READ = 600  # characters of an answer in which its facts must stand
OFF_TOPIC = Path(__file__).with_name("off_topic.yaml")
UNANSWERABLE = Path(__file__).parents[1] / "corpus" / "unanswerable.yaml"
# What is about nothing in any wiki, and what sounds as if the railway's knew.
LISTS = {"off topic": OFF_TOPIC, "unanswerable": UNANSWERABLE}
TYPED = "typed"  # the way in which employees ask; see evaluation.answerability.typed
READINGS = Readings(bundled)  # one for all: what was read is the same in every index
MISSED = sys.maxsize  # the rank of a page that is not among the hits


class Case(NamedTuple):
    """A question with what was found and answered, as the gate and the badge see it."""

    corpus: str
    way: str  # complete, by rules, typed; of a list, its name
    language: str
    thread: str
    rank: int  # of the first gold page among the pages found, from 1
    is_answerable: bool  # False: no page answers it, or those that do were taken out
    signs: dict[str, float]  # of the evidence
    said: dict[str, float]  # of the answer without a model; empty where it abstains
    is_right: bool | None  # the answer; None where nobody knows
    pages: list[tuple[list[float], bool]]  # features of each page found, and whether it is gold
    is_composed: bool = False  # the answer, from tables, lists or what is known of pages


@dataclass(frozen=True)
class Asked:
    """The product without a model over one index, with the gate open."""

    opened: Opened
    load: Embedders
    texts: Mapping[str, str]  # of all pages by id, as evaluation.answerability.without has them
    without: Without | None = None

    def case(
        self, completed: Completed, expected: Expected, named: tuple[str, str, str]
    ) -> tuple[Case | None, Completed, tuple[Hit, ...]]:
        """`named` are way, language and thread; no case where nothing at all was found."""
        completed = completed.model_copy(update={"kind": classify(completed)})
        found = self.retriever.retrieve(completed)
        completed = found.searched(completed)
        judged = self._gate.judged(completed, found.hits)
        if not judged.signs:
            return None, completed, found.hits
        answer = self._generator.quote(completed, found.hits, Note.NO_MODEL).answer
        is_refused = Note.NOT_FOUND in answer.notes
        said = {} if is_refused else self._badge.signs(answer, completed, found.hits, judged)
        is_answerable = bool(expected.gold) and self.without is None
        case = Case(
            self.opened.corpus.name,
            *named,
            _rank(expected, found.hits),
            is_answerable,
            dict(judged.signs),
            said,
            _is_right(answer, expected, found.hits) if is_answerable else False,
            _pages(expected, found.hits) if is_answerable else [],
            judged.is_composed,
        )
        return case, completed, found.hits

    @cached_property
    def retriever(self) -> Retriever:
        return self.opened.over(self._lexical)

    @property
    def _lexical(self) -> LexicalIndex:
        return self.without or self.opened.lexical

    @cached_property
    def _signs(self) -> Signs:
        vectors = RememberedVectors(lambda: self.load("bundled"))
        covering = Covering(self._lexical, self.opened.neighbours, vectors)
        return Signs(covering, vectors, READINGS)

    @cached_property
    def _gate(self) -> AnswerGate:
        return AnswerGate(self._signs, 0.0, self._extractor.is_composed)

    @cached_property
    def _badge(self) -> Badge:
        return Badge(self._signs)

    @cached_property
    def _generator(self) -> Generator:
        return Generator(None, self._extractor)

    @cached_property
    def _extractor(self) -> Extractor:
        embedder = self.load(settings().embedder)
        terms = self.retriever.evidence.terms
        return Extractor(
            embedder, lambda term: rarity(self._lexical, term), terms, readings=READINGS
        )


def cases(opened: Opened, load: Embedders, most: int = MOST) -> Iterator[Case]:
    """Of some questions, the same in every way and language."""
    asked = some(opened.corpus.asked, most)
    texts = page_texts(opened.database)
    whole = Asked(opened, load, texts)
    emptied: dict[str, Asked] = {}
    for name, less in _emptied(opened, asked.values(), texts):
        emptied[name] = Asked(opened, load, texts, less)
    for wording, threads in wordings(asked, LANGUAGES):
        for thread in filter(None, threads):
            yield from _of_thread(whole, wording, thread)
            yield from _of_thread(emptied[thread[0].conversation], wording, thread)
    for listed, file in LISTS.items():
        if listed == "off topic" or opened.corpus.name == "railway":
            yield from _of_list(whole, listed, file)


def _emptied(
    opened: Opened,
    asked: Iterable[Sequence[Sequence[Question]]],
    texts: Mapping[str, str],
) -> Iterator[tuple[str, Without]]:
    """By thread, the index without any page that answers one of its questions."""
    retriever = opened.retriever(PRODUCT)
    seen = set[str]()
    for threads in asked:
        for thread in threads:
            name = thread[0].conversation
            if name not in seen:
                seen.add(name)
                yield name, Without(opened.lexical, answering(retriever, thread, texts))


def _of_thread(asked: Asked, wording: Wording, thread: Sequence[Question]) -> Iterator[Case]:
    completer = Completer(None, asked.retriever.evidence)
    name = f"{asked.opened.corpus.name} {thread[0].conversation}"
    history: list[Past] = []
    for question in thread:
        completed = _plain(question.completed)
        if wording.way == BY_RULES:
            completed = completer.complete(question.asked, history, deadline=0.0)[0]
        expected = of_question(question, asked.texts)
        case, completed, hits = asked.case(completed, expected, (*wording, name))
        history.append(as_past(completed, hits))
        if case:
            yield case


def _of_list(asked: Asked, name: str, file: Path) -> Iterator[Case]:
    for number, item in enumerate(yaml.safe_load(file.read_text(encoding="utf-8"))):
        for language, text in item.items():
            case, _, _ = asked.case(_plain(text), Expected(), (name, language, f"{name} {number}"))
            if case:
                yield case


def _is_right(answer: Answer, expected: Expected, hits: Sequence[Hit]) -> bool | None:
    """Whether it says the facts where people read them, and stands on a page that has them."""
    if expected.says is None:
        return None
    cited = {each for source in answer.sources for each in source.evidence_ids}
    pages = {copy.page.id for hit in hits if hit.evidence.id in cited for copy in hit.everywhere}
    if pages.isdisjoint(expected.gold) or Note.NOT_FOUND in answer.notes:
        return False
    return expected.says(answer.text[:READ])


def _rank(expected: Expected, hits: Sequence[Hit]) -> int:
    pages = dict.fromkeys(hit.page.id for hit in hits)
    ranks = (rank for rank, page in enumerate(pages, 1) if page in expected.gold)
    return next(ranks, MISSED)


def _pages(expected: Expected, hits: Sequence[Hit]) -> list[tuple[list[float], bool]]:
    return [
        (list(confidence.features(hits, page)), page.id in expected.gold)
        for page in dict.fromkeys(hit.page.key for hit in hits)
    ]


def _plain(text: str) -> Completed:
    return Completed(question=text, text=text)
