"""The steps from a question to its answer, each replaceable, and the request they take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.jobs.progress_events import Event
from core.manner import Context, Manner
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from worker.answerability.badge import Badge
from worker.answerability.gate import AnswerGate, Judgement
from worker.answerability.quote_gate import QuoteGate
from worker.entities import Entities
from worker.filters import Filters
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.generation.second_reader.model_reader import ModelReader
from worker.pipeline.second_look import SecondLook
from worker.question.rewrite import Completer, Past
from worker.retrieval.expand import EvidenceExpander, TableExpander
from worker.retrieval.live_access import LiveAccess
from worker.retrieval.retriever import Retriever
from worker.retrieval.whole_pages import WholePages
from worker.suggestions.suggester import Suggester
from worker.support.decision import Support

DEFAULT = Manner()
MANY_PIECES = 20  # searched for a model that reads whole pages well; see docs/benchmarks.md


def ignore_event(_event: Event) -> None:
    """For callers who do not show progress."""


@dataclass(frozen=True)
class AnswerRequest:
    """A question and what decides how it is answered."""

    question: str
    history: Sequence[Past]
    deadline: float  # seconds since 1970
    reader: Reader = EVERYBODY  # who may be shown what
    filtered: bool = True  # False: whoever asked took the filters away
    manner: Manner = DEFAULT  # how the channel or the person wants it
    locale: str = ""  # of whoever asks, such as de-DE
    origin: frozenset[PageKey] = frozenset()  # what the question gives away, if we had worded it
    report: Callable[[Event], None] = ignore_event


@dataclass(frozen=True)
class Steps:
    """The steps; the last nine may be missing."""

    completer: Completer
    retriever: Retriever
    confirmer: LiveAccess
    generator: Generator
    gate: AnswerGate | None = None  # without it, only the answerer may say that nothing answers
    badge: Badge | None = None  # without it, an answer is as sure as its pages
    filters: Filters | None = None
    entities: Entities | None = None
    suggester: Suggester | None = None
    widener: EvidenceExpander | TableExpander | None = None
    whole_pages: WholePages | None = None  # instead of the widener, where that is chosen
    support: Support | None = None  # without it what a model writes is shown unchecked
    second_reader: ModelReader | None = None  # without it rules alone say what is supported

    def decided(self, manner: Manner) -> Manner:
        """How much is read, where nobody has chosen: who has passed the exam is given more."""
        if manner.context is not Context.AUTO:
            return manner
        reads_well = self.trusted(manner) is not None
        context = Context.PAGES if reads_well else Context.FRAGMENTS
        evidence = manner.evidence or (MANY_PIECES if reads_well else 0)
        return manner.model_copy(update={"context": context, "evidence": evidence})

    def trusted(self, manner: Manner) -> ChatModel | None:
        """The model that answers in this manner, where it has passed the exam."""
        model = self.generator.in_manner(manner).model
        if model is None or self.second_reader is None or not self.second_reader.trusts(model):
            return None
        return model

    def reads_pages(self, manner: Manner) -> bool:
        """Whether whole pages are read in this manner."""
        return manner.context is Context.PAGES and self.whole_pages is not None

    def second_look(self, manner: Manner, judged: Judgement) -> SecondLook | None:
        """At what is quoted; none where a model writes, or where nothing was measured."""
        generator = self.generator.in_manner(manner)
        if generator.model or not judged.signs or self.gate is None or self.badge is None:
            return None
        return SecondLook(QuoteGate(self.badge, self.gate.lost), generator)
