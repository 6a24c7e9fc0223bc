"""The model reader: a configured model says which claims of an answer its pages say.

It sees what no rule sees: who does what, conditions, exceptions, an order turned round. What it
says counts only where it judges two controls rightly, and one that has failed several times running
is left alone for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from core import logs, metrics
from core.errors import ModelUnavailable
from core.models import Hit
from core.pages import PageKey
from core.storage import clock
from worker.generation.chat_model import ChatModel
from worker.generation.second_reader.controls import controlled
from worker.generation.second_reader.verdicts import verdicts
from worker.prompting import templates
from worker.prompting.context_window import Packed, pack
from worker.support.decision import SecondReading
from worker.support.statements import statements_of
from worker.text import sanitize
from worker.text.tokens import estimate

WAIT_S = 20.0  # at most: whoever asked has read the answer as it grew, and waits for its sources
MOST_FAILURES = 3  # running; then it is not asked for a while: each costs a call and a wait
REST_S = 3600.0
LEAST_ROOM = 200  # tokens of evidence

log = logs.get(__name__)


def anybody(_model: str) -> bool:
    """For an exam, which everybody may take."""
    return True


class ModelReader:
    """Claims and pieces in, verdicts out, by one call. Threads may share it."""

    def __init__(
        self,
        context_tokens: int,
        has_passed: Callable[[str], bool] = anybody,
        *,
        most_failures: int | None = MOST_FAILURES,
    ) -> None:
        """`has_passed`: whether the model of this name may be asked at all (see Grades).

        `most_failures`: None asks a model however often it has failed.
        """
        self._context_tokens = context_tokens
        self._has_passed = has_passed
        self._most_failures = most_failures
        self._failures = Counter[str]()  # running, by model
        self._rests_until: dict[str, float] = {}

    def trusts(self, model: ChatModel) -> bool:
        """Whether it would be asked now."""
        rests = clock.now() < self._rests_until.get(model.name, 0.0)
        return not rests and self._has_passed(model.name)

    def read(
        self,
        model: ChatModel,
        question: str,
        claims: Sequence[str],
        hits: Sequence[Hit],
        pages: Collection[PageKey],
    ) -> SecondReading:
        """`hits` are the pieces that the claims cite, `pages` all that the texts give away."""
        if not claims or not hits or not self.trusts(model):
            return SecondReading()
        packed = pack(hits, self._room(question, claims))
        shown = " ".join(_prompt(question, (), packed).split())
        statements = [each for each in statements_of(hits) if each.text in shown]
        asked = controlled(claims, statements, [hit.page.title for hit in packed.hits])
        prompt = _prompt(question, asked.texts, packed)
        try:
            reply = model.reply(prompt, pages=pages, deadline=clock.now() + WAIT_S)
        except ModelUnavailable as error:
            log.warning("support.model_unavailable", error=str(error))
            return self._heard(model.name, "unavailable", SecondReading())
        told = verdicts(reply.text, len(asked.texts))
        if told is None:
            return self._heard(model.name, "unreadable", SecondReading(usage=reply.usage))
        said = asked.believed(told.said)
        outcome = "not_believed" if said is None else "believed"
        reading = SecondReading(said, answers=told.answers, usage=reply.usage)
        return self._heard(model.name, outcome, reading)

    def _room(self, question: str, claims: Sequence[str]) -> int:
        """Tokens for the evidence."""
        taken = estimate(_prompt(question, claims, Packed((), ())))
        return max(self._context_tokens - taken, LEAST_ROOM)

    def _heard(self, model: str, outcome: str, reading: SecondReading) -> SecondReading:
        metrics.ANSWERS_READ.labels(outcome=outcome).inc()
        if reading.said is not None:
            self._failures[model] = 0
            return reading
        self._failures[model] += 1
        log.info("support.not_believed", model=model, outcome=outcome)
        if self._failures[model] == self._most_failures:
            self._failures[model] = 0
            self._rests_until[model] = clock.now() + REST_S
            log.warning("support.model_rests", model=model, outcome=outcome, seconds=REST_S)
        return reading


def _prompt(question: str, claims: Sequence[str], evidence: Packed) -> str:
    return templates.render(
        "read_claims",
        question=sanitize.plain(question),
        claims=[sanitize.line(each) for each in claims],
        evidence=evidence.blocks,
    )
