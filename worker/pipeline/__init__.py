"""The pipeline from question to answer: rewrite, classify, filter, retrieve, generate, suggest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.jobs.progress_events import Event
from core.manner import Manner
from core.metrics import Timings
from core.models import Record
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.storage import clock
from worker.pipeline.run import Run
from worker.pipeline.steps import DEFAULT, AnswerRequest, Steps, ignore_event
from worker.question.rewrite import Past
from worker.suggestions.candidates import Answered
from worker.suggestions.suggested import Suggested

LOOK_S = 10.0  # for suggestions, at most


@dataclass(frozen=True)
class Pipeline(Steps):
    """Question in, answer with all that it was made from out."""

    def answer(
        self,
        question: str,
        history: Sequence[Past],
        *,
        deadline: float,
        reader: Reader = EVERYBODY,
        filtered: bool = True,
        manner: Manner = DEFAULT,
        locale: str = "",
        origin: frozenset[PageKey] = frozenset(),
        report: Callable[[Event], None] = ignore_event,
    ) -> Record:
        """Answer a question asked after `history` from what `reader` may read, by `deadline`.

        `deadline` is in seconds since 1970. `locale` counts where the questions show no language.

        Raises:
            AccessUnknown: no source says right now who may read its pages.
            StoreUnavailable: the database or the embedder does not answer; the vector store and
                the model may be down.
        """
        request = AnswerRequest(
            question=question,
            history=history,
            deadline=deadline,
            reader=reader.within(manner.spaces),
            filtered=filtered,
            manner=manner,
            locale=locale,
            origin=origin,
            report=report,
        )
        record = self.made(request)
        return self.suggest(record, request).on(record)

    def made(self, asked: AnswerRequest) -> Record:
        """The answer without suggestions, for which nobody is to wait.

        Raises:
            AccessUnknown, StoreUnavailable: as `answer`.
        """
        return Run(self, replace(asked, manner=self.decided(asked.manner))).record()

    def suggest(self, record: Record, asked: AnswerRequest) -> Suggested:
        """What to ask next, after this record of the request."""
        if self.suggester is None:
            return Suggested()
        timings = Timings()
        with timings.step("suggest"):
            turn = Answered(record.completed, record.answer, record.hits, asked.history)
            found, used = self.suggester.suggest(turn, asked.reader, deadline=clock.now() + LOOK_S)
        texts = tuple(each.text for each in found)
        shows = tuple(tuple(sorted(each.pages)) for each in found)
        return Suggested(texts, shows, used, timings.seconds)
