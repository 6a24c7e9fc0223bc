"""Answers a saved question again, in the way its answer was made, from other evidence: what explanations are made of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from core.attribution import Explanation
from core.errors import ModelUnavailable
from core.models import Hit, Note, Record, Usage
from core.storage.database import Database
from core.turns import explanations
from core.turns.explanations import Call
from worker.attribution.ablation.ablate import asked, frozen
from worker.attribution.ablation.model_calls import Answerer, CallLedger, NoLedger, Report
from worker.attribution.attributor import Attributor, Job, nobody_stops, nobody_watches
from worker.bootstrap import WorkerParts
from worker.generation.generator import GeneratedAnswer, Generator
from worker.prices import cost


def free(_usage: Usage) -> None:
    """For calls that count for nobody."""


@dataclass(frozen=True)
class SavedCalls:
    """Keeps finished calls in SQL, so that whoever takes the explanation up again does not pay for them twice."""

    database: Database
    turn_id: str
    charge: Callable[[Usage], None] = free

    def finished(self) -> Mapping[tuple[str, int], Call]:
        return explanations.calls(self.database, self.turn_id)

    def save(self, call: Call) -> None:
        self.charge(call.usage)
        explanations.save_call(self.database, self.turn_id, call)


@dataclass(frozen=True)
class ExplanationWatch:
    """Who hears how far an explanation is, where its calls are kept, and what ends it."""

    report: Report = nobody_watches
    ledger: CallLedger = field(default_factory=NoLedger)
    check: Callable[[], None] = nobody_stops


def explain(
    parts: WorkerParts,
    turn_id: str,
    record: Record,
    watch: ExplanationWatch,
    attributor: Attributor | None = None,
) -> Explanation:
    """Why the record's answer is what it is, by the attributor of the settings or by another one.

    Raises:
        ModelUnavailable: the answer is a model's, and the model is away.
        Stopped, LeaseLost: see worker.jobs.
    """
    hits = frozen(record, context_tokens=parts.settings.llm_context_tokens)
    as_shown = record.model_copy(update={"hits": hits})
    explainer = parts.explainer.in_manner(record.manner)
    model = explainer.model.name if explainer.model and record.answer.model else ""

    async def explained() -> Explanation:
        async with _answering(explainer, record) as answerer:
            job = Job(turn_id, as_shown, answerer, model, watch.report, watch.ledger, watch.check)
            return await (attributor or parts.attributor).explained(job)

    found = asyncio.run(explained())
    price = cost(found.usage, found.model, parts.settings.prices) if found.model else None
    return found.model_copy(
        update={"cost": price, "currency": parts.settings.currency if price is not None else ""}
    )


@asynccontextmanager
async def _answering(explainer: Generator, record: Record) -> AsyncIterator[Answerer]:
    """What answers the record's question: the model, or the extractor for a quoted answer."""
    completed = asked(record)
    if not record.answer.model:

        async def quote(hits: Sequence[Hit]) -> GeneratedAnswer:
            return explainer.quote(completed, hits, Note.NO_MODEL)

        yield quote
        return
    if explainer.model is None:
        raise ModelUnavailable("the answer is a model's, but LLM_BASE_URL is not set any more")
    async with explainer.model.at_once() as model:

        async def ask(hits: Sequence[Hit]) -> GeneratedAnswer:
            return await explainer.ask_again(model, completed, hits)

        yield ask
