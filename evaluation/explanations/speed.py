"""`python -m evaluation explain-speed`: latency of explanations against a slow scripted model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Annotated

import typer

from core.attribution import Explanation
from core.embeddings import Embedder, load
from core.models import Hit
from core.settings import Settings, settings
from evaluation.explanations.planted.cases import Case, case
from evaluation.explanations.planted.marking import saved
from evaluation.harness.output import AsJson, show
from evaluation.harness.progress import track
from sandbox.http.server import running
from sandbox.llm.app import build_app
from sandbox.llm.client import ScriptedModel
from sandbox.llm.shapes import MODEL
from worker.attribution.attributor import Attributor, Job
from worker.attribution.options import Options
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel
from worker.generation.generator import GeneratedAnswer, Generator

SCENARIO = "single cause"
RETRY_AFTER_S = 1


@dataclass(frozen=True)
class Way:
    """How the explanation is made."""

    connections: int
    limited: int = 0  # calls that the endpoint answers with 429 and Retry-After

    def __str__(self) -> str:
        limited = f", {self.limited} times 429" if self.limited else ""
        return f"{self.connections} connections{limited}"


@dataclass(frozen=True)
class Took:
    """Seconds and calls of one explanation."""

    s: float
    cpu_s: float  # of this process, stand-in included; the rest also depends on other load
    calls: int
    received: int
    most: int  # calls that the endpoint has seen at the same time
    first_is_right: bool


class Bench:
    """The scripted model behind an endpoint, and the product's client of it."""

    def __init__(
        self, base_url: str, control: ScriptedModel, embedder: Embedder, explained: Case
    ) -> None:
        self._control = control
        self._embedder = embedder
        self._case = explained
        chosen = Settings(llm_base_url=base_url, llm_model=MODEL)
        self._model = ChatModel(chosen, MODEL)
        self._generator = Generator(self._model, Extractor(embedder, lambda _term: 1.0))

    def explain(self, way: Way, options: Options, delay_s: float) -> Took:
        self._control.reset()
        self._control.plant(self._case.plan)
        self._control.delay(delay_s)
        if way.limited:
            self._control.fault(
                status=429, retry_after=RETRY_AFTER_S, times=way.limited, path_contains="chat"
            )
        chosen = replace(options, concurrency=way.connections)
        started, worked = time.perf_counter(), time.process_time()
        found = asyncio.run(self._explained(Attributor(self._embedder, chosen)))
        seconds, cpu = time.perf_counter() - started, time.process_time() - worked
        load = self._control.load()
        return Took(
            s=round(seconds, 2),
            cpu_s=round(cpu, 2),
            calls=found.usage.calls,
            received=load.calls,
            most=load.most,
            first_is_right=set(found.effects[0].evidence_ids) <= self._case.planted,
        )

    async def _explained(self, attributor: Attributor) -> Explanation:
        record = saved(self._case)
        async with self._model.at_once() as many:

            async def answer(hits: Sequence[Hit]) -> GeneratedAnswer:
                return await self._generator.ask_again(many, record.completed, hits)

            return await attributor.explained(Job("speed", record, answer, record.answer.model))


def measure(ways: Sequence[Way], options: Options, clusters: int, delay_s: float) -> Iterator[Took]:
    """Each way in turn, on the same answer."""
    embedder = load(settings())
    embedder.embed(["The model's weights are read before anything is timed."])
    with running(build_app()) as url, ScriptedModel(url) as control:
        bench = Bench(f"{url}/v1", control, embedder, case(SCENARIO, 0, clusters=clusters))
        for way in ways:
            yield bench.explain(way, options, delay_s)


def explain_speed(
    clusters: Annotated[int, typer.Option(min=2, help="Of evidence.")] = 10,
    delay: Annotated[
        float, typer.Option(min=0, help="Seconds that the model takes for a call.")
    ] = 1.0,
    connections: Annotated[
        list[int] | None,
        typer.Option(help="As EXPLAIN_CONCURRENCY; may be given several times. 40 and 8."),
    ] = None,
    limited: Annotated[
        int, typer.Option(min=0, help="How many calls are answered with 429, where any are.")
    ] = 5,
    as_json: AsJson = False,
) -> None:
    """Seconds for an explanation, also with calls that meet a rate limit."""
    ways = [Way(*way) for way in product(connections or [40, 8], (0, limited))]
    options = Options.of(settings())
    took = track(measure(ways, options, clusters, delay), "explain-speed", total=len(ways))
    rows = {str(way): asdict(each) for way, each in zip(ways, took, strict=True)}
    show(rows, as_json=as_json)
