"""`python -m evaluation explain`: why answers are what they are, a line for each."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.attribution import ExplainBy, Method
from core.embeddings import load
from core.errors import GroundwireError, ModelUnavailable
from core.settings import Settings, settings
from core.usage import Usage
from evaluation.explanations.any_answer.asking import CaseAnswerer, Paid
from evaluation.explanations.any_answer.case import Case, read
from evaluation.explanations.any_answer.reported import Reported, reported
from evaluation.harness.json_lines import BadLine
from evaluation.harness.output import AsJson, fail
from evaluation.harness.progress import track
from worker.attribution.attributor import Attributor, Job
from worker.attribution.options import Options
from worker.generation.chat_model import ChatModel
from worker.generation.endpoint.scoring import ScoringCalls

MOST_EMPTY = 3  # empty replies in a row, after which a model has no answer


def explain(
    cases: Annotated[Path, typer.Option(help="The answers, a JSON object on each line.")],
    as_json: AsJson = False,
) -> None:
    """Which evidence made an answer what it is, of any program's answers.

    Asks the model of LLM_BASE_URL and LLM_MODEL. With --json a line is printed as soon as its case
    is done. A case whose model does not answer is not tested, and the exit code is 1 at the end.
    """
    try:
        given = read(cases)
        by = explainer(settings())
    except (BadLine, GroundwireError) as error:
        fail(str(error))
    lines = track(by.all(given), "explain", total=len(given))
    if as_json:
        _print_lines(lines)
    else:
        Console().print(_table(list(lines)))
    if by.failed:
        fail(f"the model did not answer in {len(by.failed)} of {len(given)} cases")


@dataclass
class Explainer:
    """Explains one case after the other, as the product explains its own answers."""

    attributor: Attributor
    model: ChatModel
    sampling: Mapping[str, float]  # temperature and seed, as far as they are sent
    failed: list[Case]  # those whose model did not answer

    def by(self, way: ExplainBy) -> Explainer:
        """The same in this way; what failed is counted together."""
        options = replace(self.attributor.options, by=way)
        return replace(self, attributor=Attributor(self.attributor.embedder, options))

    def all(self, cases: Iterable[Case]) -> Iterator[Reported]:
        for case in cases:
            yield asyncio.run(self._line(case))

    async def _line(self, case: Case) -> Reported:
        """Its explanation; without one the answer, as far as there is any, not tested."""
        started = time.perf_counter()
        paid = Paid()
        line = Reported(case.id, case.answer or "")
        async with self._many() as many:
            answerer = CaseAnswerer(many, case)
            try:
                line = replace(line, answer=await _answer(answerer, paid))
                line = await self._explained(answerer, line.answer, paid)
            except ModelUnavailable as error:
                self.failed.append(case)
                typer.echo(f"groundwire: case {json.dumps(case.id)}: {error}", err=True)
        usage = paid.usage
        tokens = usage.prompt_tokens + usage.completion_tokens
        return replace(
            line,
            calls=usage.calls,
            tokens=tokens if tokens or not usage.calls else None,
            seconds=round(time.perf_counter() - started, 3),
        )

    def _many(self) -> ScoringCalls:
        seed = self.sampling.get("seed")
        return self.model.at_once(
            temperature=self.sampling.get("temperature"), seed=None if seed is None else int(seed)
        )

    async def _explained(self, answerer: CaseAnswerer, answer: str, paid: Paid) -> Reported:
        case, name = answerer.case, self.model.name
        record = case.record(answer, name)
        job = Job(json.dumps(case.id), record, answerer, name, ledger=paid, scorer=answerer.score)
        return reported(case, answer, await self._within(paid.usage).explained(job))

    def _within(self, paid: Usage) -> Attributor:
        """With what is left of the budget: the answer itself may have been paid for."""
        options = self.attributor.options
        left = replace(options, budget=options.budget.after(paid))
        return Attributor(self.attributor.embedder, left)


async def _answer(answerer: CaseAnswerer, paid: Paid) -> str:
    """The answer that is given; the model's where there is none.

    Raises:
        ModelUnavailable: it does not answer, or it answers nothing.
    """
    if answerer.case.answer is not None:
        return answerer.case.answer
    for _ in range(MOST_EMPTY):
        reply = await answerer.reply(answerer.case.hits)
        paid.usages.append(reply.usage)
        if reply.text:
            return reply.text
    raise ModelUnavailable("the model answers nothing")


def explainer(chosen: Settings) -> Explainer:
    """As the settings have it.

    Raises:
        SettingsError: there is no model, or something else is not as it has to be.
    """
    chosen.require("llm_base_url", "llm_model")
    model = ChatModel(chosen, chosen.llm_model or "")
    options = Options.of(chosen)
    options = replace(options, method=Method.OURS, budget=options.budget.of_model(model.name))
    attributor = Attributor(load(chosen), options)
    return Explainer(attributor, model, chosen.llm_sampling, failed=[])


def _print_lines(lines: Iterable[Reported]) -> None:
    """In ASCII: whatever the terminal's encoding, every character can be read back."""
    for line in lines:
        typer.echo(json.dumps(line.as_json()))  # which flushes


def _table(lines: Sequence[Reported]) -> Table:
    table = Table("id", "verdict", "sentence", "needed", "part", "enough", show_lines=True)
    for line in lines:
        head = (str(line.id), line.verdict)
        if not line.sentences:
            table.add_row(*map(Text, head))
        for each in line.sentences:
            ids = (each.needed, each.part, each.enough)
            table.add_row(*map(Text, (*head, each.text, *map(_written, ids))))
    return table


def _written(ids: Iterable[object]) -> str:
    return "; ".join(
        ", ".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in ids
    )
