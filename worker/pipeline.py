"""The way from a question to an answer, on one screen: complete → retrieve → confirm → generate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core import logs
from core.access import EVERYBODY, Reader
from core.events import Event
from core.models import Note, Record
from worker.complete import Completer, Past
from worker.confirm import Confirmer
from worker.generate import Generator
from worker.retrieve import Retriever

log = logs.get(__name__)


def _silent(_event: Event) -> None:
    """For callers who do not watch."""


@dataclass(frozen=True)
class Pipeline:
    """The steps, each replaceable."""

    completer: Completer
    retriever: Retriever
    confirmer: Confirmer
    generator: Generator

    def answer(
        self,
        question: str,
        history: Sequence[Past],
        *,
        deadline: float,
        reader: Reader = EVERYBODY,
        report: Callable[[Event], None] = _silent,
    ) -> Record:
        """Answer a question asked after `history` from what `reader` may read, by `deadline` (seconds since 1970).

        Raises:
            StoreUnavailable: the database or the embedder does not answer; Chroma and the model may be down.
        """
        timings = logs.Timings()
        report(Event("start"))
        with timings.step("complete"):
            completed, completing = self.completer.complete(question, history, deadline=deadline)
        report(Event("stage", "retrieve"))
        with timings.step("retrieve"):
            found = self.retriever.retrieve(completed, reader)
        with timings.step("confirm"):
            hits = self.confirmer.confirmed(found.hits, reader)
        report(Event("stage", "generate"))
        with timings.step("generate"):
            draft = self.generator.generate(completed, hits, deadline=deadline, on_text=lambda piece: report(Event("text", piece)))
        notes = (*draft.answer.notes, Note.WORDS_ONLY) if found.words_only else draft.answer.notes
        return Record(
            completed=completed,
            hits=hits,
            answer=draft.answer.model_copy(update={"notes": notes}),
            prompt=draft.prompt,
            usage=completing + draft.usage,
            seconds=timings.seconds,
        )
