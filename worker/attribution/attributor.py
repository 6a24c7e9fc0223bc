"""Attribution of saved answers: which evidence caused them, by one of several methods.

The idea is the paper's, RAGonite (Saha Roy et al., WSDM 2025): leave a cluster of evidence out,
answer again, and see how much the answer changes. What goes beyond it is
`worker.attribution.experiment`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.attribution import AnswerVerdict, Explanation, Method
from core.embeddings import Embedder
from core.models import Record
from core.usage import Usage
from worker.attribution.ablation.model_calls import Answerer, CallLedger, Calls, NoLedger, Report
from worker.attribution.methods import METHODS
from worker.attribution.methods.method import AttributionMethod, Material
from worker.attribution.options import Options
from worker.attribution.scoring.scored_trials import Scorer, answerer_of
from worker.text.tokens import estimate

CHECK_EVERY_S = 1.0  # whether somebody has stopped it


def ignore_progress(_done: int, _of: int) -> None:
    """For callers who do not show progress."""


def never_stop() -> None:
    """For callers whom nobody can stop."""


@dataclass(frozen=True)
class Job:
    """An explanation that is to be made."""

    turn_id: str
    record: Record  # with its hits as the answerer was given them
    answerer: Answerer
    model: str  # that answers; empty: quoted answers, which are always the same
    report: Report = ignore_progress
    ledger: CallLedger = field(default_factory=NoLedger)
    check: Callable[[], None] = never_stop  # raises when it is to end
    scorer: Scorer | None = None  # how likely the model is to say something, where it can be asked


class Attributor:
    """Explains saved answers by asking again without parts of their evidence."""

    def __init__(
        self,
        embedder: Embedder,
        options: Options,
        methods: Mapping[Method, AttributionMethod] = METHODS,
    ) -> None:
        self.embedder = embedder
        self.options = options
        self._methods = methods

    def explain(
        self,
        turn_id: str,
        record: Record,
        answerer: Answerer,
        *,
        varies: bool = True,
        report: Report = ignore_progress,
        scorer: Scorer | None = None,
    ) -> Explanation:
        """`explained`, in an event loop of its own."""
        model = record.answer.model if varies else ""
        job = Job(turn_id, record, answerer, model, report, scorer=scorer)
        return asyncio.run(self.explained(job))

    async def explained(self, job: Job) -> Explanation:
        """Which evidence caused the saved answer.

        Raises:
            ModelUnavailable: the model does not answer; what it did answer is in the task's ledger.
            whatever `job.check` raises, within about a second.
        """
        started = time.monotonic()
        work = self._explanation(job)
        explanation = await _unless_stopped(work, job.check)
        seconds = round(time.monotonic() - started, 3)
        return explanation.model_copy(update={"seconds": seconds})

    async def _explanation(self, job: Job) -> Explanation:
        calls, scored = self._calls(job)
        material = Material(
            job.turn_id,
            job.record,
            calls,
            embedder=self.embedder,
            options=self.options,
            model=job.model,
            scored=scored,
        )
        explanation = await self._by_method(material)
        return explanation.model_copy(
            update={
                "method": self.options.method,
                "usage": calls.usage + scored.usage if scored else calls.usage,
                "model": job.model,
            }
        )

    def _calls(self, job: Job) -> tuple[Calls, Calls | None]:
        """Those for answers, and those for scores, which come before them."""
        many = partial(
            Calls,
            job.record.hits,
            concurrency=self.options.concurrency,
            ledger=job.ledger,
            largest=_like(job.record),
        )
        if job.scorer is None or not job.model:
            return many(job.answerer, model=job.model, report=job.report), None
        scorer = answerer_of(job.scorer, job.record.answer.text)
        scored = many(scorer, model=f"{job.model}, scored", report=job.report)

        def report(done: int, of: int) -> None:
            job.report(done + scored.done, of + scored.done)

        return many(job.answerer, model=job.model, report=report), scored

    async def _by_method(self, material: Material) -> Explanation:
        if not material.record.hits:
            untested = AnswerVerdict.NOT_TESTED
            return Explanation(turn_id=material.turn_id, verdict=untested)
        return await self._methods[self.options.method](material)


def _like(record: Record) -> Usage:
    """What the call of the saved answer took, estimated."""
    given = sum(estimate(each.evidence.text) for each in record.hits)
    return Usage(
        prompt_tokens=max(given, estimate(record.prompt)),
        completion_tokens=estimate(record.answer.text),
    )


async def _unless_stopped(
    work: Coroutine[Any, Any, Explanation],
    check: Callable[[], None],
) -> Explanation:
    """The result of the work; what `check` raises while it lasts cancels it."""

    async def watch() -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            await asyncio.to_thread(check)

    working = asyncio.create_task(work)
    watching = asyncio.create_task(watch())
    try:
        await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        return _raised(watching)
    finally:
        working.cancel()
        watching.cancel()
        await asyncio.gather(working, watching, return_exceptions=True)


def _raised(watching: asyncio.Task[None]) -> Explanation:
    watching.result()
    raise AssertionError("a watch ends only by raising")
