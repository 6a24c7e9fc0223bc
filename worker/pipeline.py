"""The way from a question to an answer, on one screen: understand → find → answer → suggest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core import logs
from core.access import EVERYBODY, Reader
from core.events import Event
from core.evidence import Found
from core.models import Answer, Completed, Hit, Note, Record, Usage
from worker.candidates import Answered
from worker.complete import Completer, Past
from worker.confidence import judged
from worker.confirm import Confirmer
from worker.entities import Entities
from worker.filters import Filters
from worker.generate import Draft, Generator
from worker.retrieve import Retriever
from worker.route import route
from worker.suggest import Suggester
from worker.widen import Widener

log = logs.get(__name__)


def _silent(_event: Event) -> None:
    """For callers who do not watch."""


@dataclass(frozen=True)
class Asked:
    """A question and what decides how it is answered."""

    question: str
    history: Sequence[Past]
    deadline: float  # seconds since 1970
    reader: Reader = EVERYBODY  # who may be shown what
    filtered: bool = True  # False: whoever asked took the filters away
    report: Callable[[Event], None] = _silent


@dataclass(frozen=True)
class Pipeline:
    """The steps, each replaceable; the last four may be missing."""

    completer: Completer
    retriever: Retriever
    confirmer: Confirmer
    generator: Generator
    filters: Filters | None = None
    entities: Entities | None = None
    suggester: Suggester | None = None
    widener: Widener | None = None  # without a model there is nobody to read more

    def answer(
        self,
        question: str,
        history: Sequence[Past],
        *,
        deadline: float,
        reader: Reader = EVERYBODY,
        filtered: bool = True,
        report: Callable[[Event], None] = _silent,
    ) -> Record:
        """Answer a question asked after `history` from what `reader` may read, by `deadline` (seconds since 1970).

        Raises:
            StoreUnavailable: the database or the embedder does not answer; Chroma and the model may be down.
        """
        return _Run(self, Asked(question, history, deadline, reader, filtered, report)).record()


@dataclass
class _Run:
    """One question on its way."""

    parts: Pipeline
    asked: Asked
    timings: logs.Timings = field(default_factory=logs.Timings)
    usage: Usage = field(default_factory=Usage)

    def record(self) -> Record:
        self.asked.report(Event("start"))
        completed = self._understood()
        self.asked.report(Event("stage", "retrieve"))
        found, hits = self._evidence(completed)
        self.asked.report(Event("stage", "generate"))
        draft = self._answer(_as_searched(completed, found), hits)
        answer = judged(draft.answer, draft.hits)
        notes = (*answer.notes, *_notes(found))
        answer = answer.model_copy(update={"notes": notes, "suggestions": self._suggestions(completed, answer, draft.hits)})
        return Record(
            completed=completed, hits=draft.hits, answer=answer, prompt=draft.prompt, usage=self.usage, seconds=self.timings.seconds
        )

    def _understood(self) -> Completed:
        """The question with what the conversation, its kind and its filters say."""
        with self.timings.step("complete"):
            completed, used = self.parts.completer.complete(
                self.asked.question, self.asked.history, deadline=self.asked.deadline, reader=self.asked.reader
            )
            self.usage += used
        completed = completed.model_copy(update={"kind": route(completed)})
        if self.parts.filters is None or not self.asked.filtered:
            return completed
        with self.timings.step("filter"):
            conditions, used = self.parts.filters.find(completed, self.asked.reader, deadline=self.asked.deadline)
            self.usage += used
        return completed.model_copy(update={"conditions": conditions})

    def _evidence(self, completed: Completed) -> tuple[Found, tuple[Hit, ...]]:
        """What was found, and what of it the reader may certainly be shown."""
        with self.timings.step("retrieve"):
            found = self.parts.retriever.retrieve(completed, self.asked.reader)
            places = self.parts.entities.about(completed, self.asked.reader) if self.parts.entities else ()
        with self.timings.step("confirm"):
            hits = self.parts.confirmer.confirmed((*places, *found.hits), self.asked.reader)
        if self.parts.widener is None:
            return found, hits
        with self.timings.step("widen"):
            return found, self.parts.widener.widened(completed, hits, self.asked.reader)

    def _answer(self, completed: Completed, hits: tuple[Hit, ...]) -> Draft:
        with self.timings.step("generate"):
            draft = self.parts.generator.generate(
                completed, hits, deadline=self.asked.deadline, on_text=lambda piece: self.asked.report(Event("text", piece))
            )
            self.usage += draft.usage
        return draft

    def _suggestions(self, completed: Completed, answer: Answer, hits: tuple[Hit, ...]) -> tuple[str, ...]:
        if self.parts.suggester is None:
            return ()
        with self.timings.step("suggest"):
            turn = Answered(completed, answer, hits, self.asked.history)
            found, used = self.parts.suggester.suggest(turn, self.asked.reader, deadline=self.asked.deadline)
            self.usage += used
        return tuple(suggestion.text for suggestion in found)


def _as_searched(completed: Completed, found: Found) -> Completed:
    """Without the conditions that no page passed: the answerer is told what was searched, not what was asked for."""
    return completed.model_copy(update={"conditions": ()}) if found.conditions_dropped else completed


def _notes(found: Found) -> list[Note]:
    said = {Note.WORDS_ONLY: found.words_only, Note.CONDITIONS_DROPPED: found.conditions_dropped}
    return [note for note, is_true in said.items() if is_true]
