"""The way from a question to an answer, on one screen: understand → find → answer → suggest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core import logs
from core.evidence import SearchResult
from core.jobs.progress_events import Event
from core.models import Answer, Hit, Manner, Mode, Note, Record, Usage
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed
from worker.entities import Entities
from worker.filters import Filters
from worker.generation.confidence import judged
from worker.generation.generator import GeneratedAnswer, Generator
from worker.question.classify import classify
from worker.question.rewrite import Completer, Past
from worker.retrieval.expand import EvidenceExpander
from worker.retrieval.live_access import LiveAccess
from worker.retrieval.retriever import Retriever
from worker.suggestions.candidates import Answered
from worker.suggestions.suggester import Suggester

log = logs.get(__name__)


DEFAULT = Manner()


def _silent(_event: Event) -> None:
    """For callers who do not watch."""


@dataclass(frozen=True)
class AnswerRequest:
    """A question and what decides how it is answered."""

    question: str
    history: Sequence[Past]
    deadline: float  # seconds since 1970
    reader: Reader = EVERYBODY  # who may be shown what
    filtered: bool = True  # False: whoever asked took the filters away
    manner: Manner = DEFAULT  # how the channel or the person wants it
    report: Callable[[Event], None] = _silent


@dataclass(frozen=True)
class Pipeline:
    """The steps, each replaceable; the last four may be missing."""

    completer: Completer
    retriever: Retriever
    confirmer: LiveAccess
    generator: Generator
    filters: Filters | None = None
    entities: Entities | None = None
    suggester: Suggester | None = None
    widener: EvidenceExpander | None = None  # without a model there is nobody to read more

    def answer(
        self,
        question: str,
        history: Sequence[Past],
        *,
        deadline: float,
        reader: Reader = EVERYBODY,
        filtered: bool = True,
        manner: Manner = DEFAULT,
        report: Callable[[Event], None] = _silent,
    ) -> Record:
        """Answer a question asked after `history` from what `reader` may read, by `deadline` (seconds since 1970).

        Raises:
            StoreUnavailable: the database or the embedder does not answer; Chroma and the model may be down.
        """
        return _Run(
            self,
            AnswerRequest(
                question, history, deadline, reader.within(manner.spaces), filtered, manner, report
            ),
        ).record()


@dataclass
class _Run:
    """One question on its way."""

    parts: Pipeline
    asked: AnswerRequest
    timings: logs.Timings = field(default_factory=logs.Timings)
    usage: Usage = field(default_factory=Usage)

    def record(self) -> Record:
        self.asked.report(Event("start"))
        completed = self._understood()
        self.asked.report(Event("stage", "retrieve"))
        found, hits = self._evidence(completed)
        self.asked.report(Event("stage", "generate"))
        draft = self._answer(_as_searched(completed, found), hits)
        answer = self._judged(draft.answer, draft.hits)
        said = {"notes": (*answer.notes, *_notes(found)), "searched": self.asked.manner.spaces}
        answer = answer.model_copy(
            update=said | {"suggestions": self._suggestions(completed, answer, draft.hits)}
        )
        made_from = {"hits": draft.hits, "prompt": draft.prompt, "manner": self.asked.manner}
        return Record(
            completed=completed,
            answer=answer,
            usage=self.usage,
            seconds=self.timings.seconds,
            **made_from,
        )

    def _understood(self) -> Completed:
        """The question with what the conversation, its kind and its filters say."""
        with self.timings.step("complete"):
            completed, used = self.parts.completer.complete(
                self.asked.question,
                self.asked.history,
                deadline=self.asked.deadline,
                reader=self.asked.reader,
            )
            self.usage += used
        completed = completed.model_copy(update={"kind": classify(completed)})
        if self.parts.filters is None or not self.asked.filtered:
            return completed
        with self.timings.step("filter"):
            conditions, used = self.parts.filters.find(
                completed, self.asked.reader, deadline=self.asked.deadline
            )
            self.usage += used
        return completed.model_copy(update={"conditions": conditions})

    def _evidence(self, completed: Completed) -> tuple[SearchResult, tuple[Hit, ...]]:
        """What was found, and what of it the reader may certainly be shown."""
        with self.timings.step("retrieve"):
            manner = self.asked.manner
            found = self.parts.retriever.retrieve(
                completed, self.asked.reader, manner.evidence, mode=manner.mode
            )
            places = (
                self.parts.entities.about(completed, self.asked.reader)
                if self.parts.entities
                else ()
            )
        with self.timings.step("confirm"):
            hits = self.parts.confirmer.confirmed((*places, *found.hits), self.asked.reader)
        if self.parts.widener is None:
            return found, hits
        with self.timings.step("widen"):
            return found, self.parts.widener.expand(completed, hits, self.asked.reader)

    def _answer(self, completed: Completed, hits: tuple[Hit, ...]) -> GeneratedAnswer:
        with self.timings.step("generate"):
            by = self.parts.generator.in_manner(self.asked.manner)
            draft = by.generate(
                completed,
                hits,
                deadline=self.asked.deadline,
                on_text=lambda piece: self.asked.report(Event("text", piece)),
            )
            self.usage += draft.usage
        return draft

    def _judged(self, answer: Answer, hits: tuple[Hit, ...]) -> Answer:
        """How sure a search by words or by meaning alone is, nobody has measured."""
        return judged(answer, hits) if self.asked.manner.mode is Mode.BOTH else answer

    def _suggestions(
        self, completed: Completed, answer: Answer, hits: tuple[Hit, ...]
    ) -> tuple[str, ...]:
        if self.parts.suggester is None:
            return ()
        with self.timings.step("suggest"):
            turn = Answered(completed, answer, hits, self.asked.history)
            found, used = self.parts.suggester.suggest(
                turn, self.asked.reader, deadline=self.asked.deadline
            )
            self.usage += used
        return tuple(suggestion.text for suggestion in found)


def _as_searched(completed: Completed, found: SearchResult) -> Completed:
    """Without the conditions that no page passed: the answerer is told what was searched, not what was asked for."""
    return (
        completed.model_copy(update={"conditions": ()}) if found.conditions_dropped else completed
    )


def _notes(found: SearchResult) -> list[Note]:
    said = {Note.WORDS_ONLY: found.words_only, Note.CONDITIONS_DROPPED: found.conditions_dropped}
    return [note for note, is_true in said.items() if is_true]
