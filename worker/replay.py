"""Replay: answers a saved question again from other evidence, which explanations are made of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from core.attribution import Explanation
from core.errors import ModelUnavailable
from core.models import Hit, Note, Record
from core.policy.prices import cost
from core.storage.database import Database
from core.turns import explanations
from core.turns.explanations import Call
from core.usage import Usage
from worker.attribution.ablation.ablate import asked, frozen
from worker.attribution.ablation.model_calls import Answerer, CallLedger, NoLedger, Report
from worker.attribution.attributor import Attributor, Job, ignore_progress, never_stop
from worker.attribution.scoring.scored_trials import Scorer
from worker.bootstrap import WorkerParts
from worker.generation.endpoint.token_scores import Scores
from worker.generation.generator import GeneratedAnswer, Generator


def charge_nobody(_usage: Usage) -> None:
    """For calls that count against nobody's budget."""


@dataclass(frozen=True)
class SavedCalls:
    """Keeps finished calls in SQL, so that a resumed explanation does not pay for them twice."""

    database: Database
    turn_id: str
    charge: Callable[[Usage], None] = charge_nobody

    def finished(self) -> Mapping[tuple[str, int], Call]:
        return explanations.calls(self.database, self.turn_id)

    def save(self, call: Call) -> None:
        self.charge(call.usage)
        explanations.save_call(self.database, self.turn_id, call)


@dataclass(frozen=True)
class ExplanationWatch:
    """Who gets the progress of an explanation, where its calls are kept, and what cancels it."""

    report: Report = ignore_progress
    ledger: CallLedger = field(default_factory=NoLedger)
    check: Callable[[], None] = never_stop


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
    # Quoting weighs words by the index. Who only explains never searches, which would keep it new.
    parts.evidence.index.caught_up()
    hits = frozen(record, context_tokens=parts.settings.llm_context_tokens)
    as_shown = record.model_copy(update={"hits": hits})
    explainer = parts.explainer.in_manner(record.manner)
    model = explainer.model.name if explainer.model and record.answer.model else ""

    async def explained() -> Explanation:
        async with _answering(explainer, record) as (answerer, scorer):
            job = Job(
                turn_id,
                as_shown,
                answerer,
                model,
                report=watch.report,
                ledger=watch.ledger,
                check=watch.check,
                scorer=scorer,
            )
            return await (attributor or parts.attributor).explained(job)

    found = asyncio.run(explained())
    price = cost(found.usage, found.model, parts.settings.prices) if found.model else None
    currency = parts.settings.currency if price is not None else ""
    return found.model_copy(update={"cost": price, "currency": currency})


def _sampled(record: Record, setting: str) -> float | None:
    """How the answer's words were chosen; None: the endpoint was not told, as with `none`."""
    try:
        return float(record.settings.get(setting, ""))
    except ValueError:  # an old record, or `none`
        return None


@asynccontextmanager
async def _answering(
    explainer: Generator, record: Record
) -> AsyncIterator[tuple[Answerer, Scorer | None]]:
    """What answers the record's question, the model or the extractor; and what scores answers."""
    completed = asked(record)
    if not record.answer.model:

        async def quote(hits: Sequence[Hit]) -> GeneratedAnswer:
            return explainer.quote(completed, hits, Note.NO_MODEL)

        yield quote, None
        return
    if explainer.model is None:
        raise ModelUnavailable("the answer is a model's, but LLM_BASE_URL is not set any more")
    temperature, seed = _sampled(record, "llm_temperature"), _sampled(record, "llm_seed")
    sampled = explainer.model.at_once(
        temperature=temperature, seed=None if seed is None else int(seed)
    )
    async with sampled as model:

        async def ask(hits: Sequence[Hit]) -> GeneratedAnswer:
            return await explainer.ask_again(model, completed, hits)

        async def score(hits: Sequence[Hit], text: str) -> tuple[Scores, Usage]:
            return await explainer.score(model, completed, hits, text)

        yield ask, score
