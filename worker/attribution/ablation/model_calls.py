"""The model calls of one explanation: concurrent, bounded, and each saved once it is answered."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Protocol

from core.errors import ModelUnavailable
from core.models import Hit
from core.turns.explanations import Call
from core.usage import Usage
from worker.attribution.ablation.ablate import without
from worker.attribution.ablation.removed import Removed
from worker.attribution.budget import Budget
from worker.generation.generator import GeneratedAnswer
from worker.text.tokens import estimate

# The answer to the turn's question from these hits.
Answerer = Callable[[Sequence[Hit]], Awaitable[GeneratedAnswer]]
Report = Callable[[int, int], None]  # calls done, and of about how many


MOST_FAILED = 0.5  # of the calls of a stage: then the endpoint is down, and not only busy
DEAD = 4  # calls that failed for good before any was answered: the others are not tried


class CallLedger(Protocol):
    """Where finished calls are kept until the explanation is."""

    def finished(self) -> Mapping[tuple[str, int], Call]: ...

    def save(self, call: Call) -> None: ...


class NoLedger:
    """A ledger for explanations that are never resumed."""

    def finished(self) -> Mapping[tuple[str, int], Call]:
        return {}

    def save(self, call: Call) -> None:
        """Nothing is kept."""


class Calls:
    """Asks for answers and remembers them; never more than `concurrency` at once."""

    def __init__(
        self,
        hits: Sequence[Hit],
        answerer: Answerer,
        *,
        concurrency: int,
        ledger: CallLedger,
        model: str,
        report: Report,
        largest: Usage,  # that one call may be, before any is known
    ) -> None:
        self.usage = Usage()
        self._read = Usage()  # tokens of all calls, estimated where the endpoint does not say
        self.failed = 0  # calls that brought no answer
        self.expected = 0  # how many calls it will be, as far as that can be told now
        self._hits = hits
        self._answerer = answerer
        self._slots = asyncio.Semaphore(concurrency)
        self._ledger = ledger
        self._model = model
        self._report = report
        self._saved = ledger.finished()
        self._answers: dict[Removed, list[str | None]] = {}  # None: the call failed
        self._largest = largest

    @property
    def done(self) -> int:
        return sum(map(len, self._answers.values()))

    @property
    def spent(self) -> Usage:
        """With every call that was tried; tokens are estimated where the endpoint is silent."""
        return self._read.model_copy(update={"calls": self.done})

    def left(self, budget: Budget) -> int:
        """How many more calls this budget allows."""
        return budget.left(self.spent, self._largest)

    def answers(self, removed: Removed) -> list[str]:
        """What was answered without these, in the order of the repeats."""
        return [each for each in self._answers.get(removed, []) if each is not None]

    def answer(self, removed: Removed, repeat: int) -> str | None:
        """The answer of one call; None where it failed."""
        answers = self._answers.get(removed, [])
        return answers[repeat] if repeat < len(answers) else None

    async def ask(self, wanted: Mapping[Removed, int]) -> None:
        """Have as many answers without these as wanted.

        Raises:
            ModelUnavailable: a call failed for good; the pending ones are cancelled, the finished
                ones are kept.
        """
        missing = self._missing(wanted)
        found = await self._fetched(missing, self._call)
        self._keep(missing, found)

    async def tried(self, wanted: Mapping[Removed, int], *, order: Sequence[int]) -> None:
        """The same; a call that fails for good is counted, and leaves no answer.

        The calls begin in this order of their places.

        Raises:
            ModelUnavailable: more than half of these calls failed, or the first few and none was
                ever answered; the finished ones are kept.
        """
        errors: list[ModelUnavailable] = []
        answered = bool(self._answers)

        async def tried(removed: Removed, repeat: int) -> Call | None:
            nonlocal answered
            try:
                call = await self._call(removed, repeat)
            except ModelUnavailable as error:
                errors.append(error)
                if len(errors) >= DEAD and not answered:
                    raise
                return None
            answered = True
            return call

        missing = self._missing(wanted)
        shuffled = [missing[place] for place in order if place < len(missing)]
        found = await self._fetched(shuffled, tried)
        self._keep(missing, found)
        self.failed += len(errors)
        if len(errors) > MOST_FAILED * len(missing):
            raise errors[0]

    def _missing(self, wanted: Mapping[Removed, int]) -> list[tuple[Removed, int]]:
        missing: list[tuple[Removed, int]] = []
        for removed, count in wanted.items():
            answered = len(self._answers.get(removed, []))
            missing += [(removed, repeat) for repeat in range(answered, count)]
        return missing

    async def _fetched(
        self,
        missing: Sequence[tuple[Removed, int]],
        call: Callable[[Removed, int], Awaitable[Call | None]],
    ) -> Mapping[tuple[Removed, int], Call | None]:
        """All of them at once, in this order."""
        self.expected = max(self.expected, self.done + len(missing))
        found: dict[tuple[Removed, int], Call | None] = {}

        async def fetch(removed: Removed, repeat: int) -> None:
            found[removed, repeat] = await call(removed, repeat)
            self._report(self.done + len(found), self.expected)

        await _all(fetch(*each) for each in missing)
        return found

    def _keep(
        self,
        missing: Sequence[tuple[Removed, int]],
        found: Mapping[tuple[Removed, int], Call | None],
    ) -> None:
        for removed, repeat in missing:
            made = found[removed, repeat]
            self._answers.setdefault(removed, []).append(made.text if made else None)
            if made:
                self.usage += made.usage
                self._count(removed, made)

    def _count(self, removed: Removed, made: Call) -> None:
        used = made.usage
        if not used.prompt_tokens + used.completion_tokens:
            texts = [each.evidence.text for each in without(self._hits, removed)]
            used = Usage(prompt_tokens=_estimated(texts), completion_tokens=_estimated([made.text]))
        self._read += used
        self._largest = Usage(
            prompt_tokens=max(self._largest.prompt_tokens, used.prompt_tokens),
            completion_tokens=max(self._largest.completion_tokens, used.completion_tokens),
        )

    async def _call(self, removed: Removed, repeat: int) -> Call:
        key = self._key(removed)
        saved = self._saved.get((key, repeat))
        if saved:
            return saved
        async with self._slots:
            draft = await self._answerer(without(self._hits, removed))
        call = Call(key, repeat, draft.answer.text, draft.usage)
        await asyncio.to_thread(self._ledger.save, call)
        return call

    def _key(self, removed: Removed) -> str:
        """Idempotency key of a call: the model and the evidence removed, in whatever order."""
        ids = sorted(self._hits[position].evidence.id for position in removed)
        written = "\n".join([self._model, *ids])
        return hashlib.sha256(written.encode()).hexdigest()[:32]


def _estimated(texts: Iterable[str]) -> int:
    return sum(map(estimate, texts))


async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Wait for all of them; when one fails, cancel the others."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
