"""Attribution of saved answers: which evidence caused them, by one of several methods.

The idea is the paper's, RAGonite (Saha Roy et al., WSDM 2025): leave a cluster of evidence out,
answer again, and see how much the answer changes. What goes beyond it is
`worker.attribution.methods.causal`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from core.attribution import AnswerVerdict, Explanation, Method
from core.embeddings import Embedder
from core.models import Record
from worker.attribution import result
from worker.attribution.ablation import removed
from worker.attribution.ablation.model_calls import Answerer, CallLedger, Calls, NoLedger, Report
from worker.attribution.ablation.removed import Removed
from worker.attribution.clustering.cluster import cluster, paper_clusters
from worker.attribution.methods import causal, ragonite
from worker.attribution.methods.budget import allot
from worker.attribution.methods.experiment import Experiment
from worker.attribution.options import Options
from worker.attribution.statistics import permutation_test
from worker.attribution.statistics.answer_distance import Comparison

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


class Attributor:
    """Explains saved answers by asking again without parts of their evidence."""

    def __init__(self, embedder: Embedder, options: Options) -> None:
        self.embedder = embedder
        self.options = options

    def explain(
        self,
        turn_id: str,
        record: Record,
        answerer: Answerer,
        *,
        varies: bool = True,
        report: Report = ignore_progress,
    ) -> Explanation:
        """`explained`, in an event loop of its own."""
        model = record.answer.model if varies else ""
        job = Job(turn_id, record, answerer, model, report)
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
        calls = Calls(
            job.record.hits,
            job.answerer,
            concurrency=self.options.concurrency,
            ledger=job.ledger,
            model=job.model,
            report=job.report,
        )
        explanation = await self._by_method(job, calls)
        return explanation.model_copy(
            update={
                "usage": calls.usage,
                "model": job.model,
            }
        )

    async def _by_method(self, job: Job, calls: Calls) -> Explanation:
        turn_id = job.turn_id
        method = self.options.method
        if not job.record.hits:
            unneeded = AnswerVerdict.DID_NOT_MATTER
            return Explanation(turn_id=turn_id, method=method, verdict=unneeded)
        if method is Method.OURS:
            return await self._causal(job, calls)
        if method is Method.NAIVE:
            return ragonite.similarities(
                turn_id,
                job.record,
                self.embedder,
                temperature=self.options.temperature,
            )
        return await self._as_the_paper(job, calls)

    async def _causal(self, job: Job, calls: Calls) -> Explanation:
        chosen, record = self.options, job.record
        comparison = self._comparison(record)
        clusters = cluster(
            record.hits,
            self.embedder,
            eps=chosen.eps,
            min_samples=chosen.min_samples,
        )
        groups = len(clusters)
        allotted = allot(chosen.max_calls, groups, chosen.repeats)
        experiment = Experiment(
            calls,
            comparison,
            allotted,
            max_calls=chosen.max_calls,
            exact=not job.model,
            rounds=chosen.rounds,
        )
        found = await causal.find(record, clusters, experiment, comparison, self.embedder)
        explanation = result.explained(
            job.turn_id,
            record,
            found,
            temperature=chosen.temperature,
        )
        allotted = experiment.allotted
        test = ""
        if job.model:
            test = permutation_test.NAME if allotted.is_enough else permutation_test.NONE
        facts = {"test": test, "repeats": allotted.repeats}
        return explanation.model_copy(update=facts)

    async def _as_the_paper(self, job: Job, calls: Calls) -> Explanation:
        """With as many repeats as the paper's, and fewer where the budget asks for it."""
        chosen, record = self.options, job.record
        groups = self._groups(record)
        tested = groups[: chosen.max_calls]
        repeats = 1
        if job.model:
            affordable = chosen.max_calls // len(tested)
            repeats = min(chosen.paper_repeats, affordable)
        comparison = self._comparison(record)
        effects = await ragonite.effects(record, tested, calls, comparison, repeats=repeats)
        explanation = ragonite.explained(
            job.turn_id,
            effects,
            temperature=chosen.temperature,
        )
        skipped = groups[chosen.max_calls :]
        labels = [removed.label(record, group) for group in skipped]
        facts = {
            "method": chosen.method,
            "repeats": repeats,
            "skipped": tuple(labels),
        }
        return explanation.model_copy(update=facts)

    def _groups(self, record: Record) -> list[Removed]:
        """What is left out at once: the paper's clusters, or each piece by itself."""
        chosen = self.options
        if chosen.method is not Method.PAPER:
            places = range(len(record.hits))
            return [(place,) for place in places]
        return paper_clusters(
            record.hits,
            self.embedder,
            eps=chosen.eps,
            min_samples=chosen.min_samples,
        )

    def _comparison(self, record: Record) -> Comparison:
        question = record.completed.text
        answer = record.answer.text
        return Comparison(question, answer, self.embedder)


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
