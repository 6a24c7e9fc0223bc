"""The model reader: a configured model says which claims of an answer its pages say.

It sees what no rule sees: who does what, conditions, exceptions, an order turned round. What it
says counts only where it judges two controls rightly, and one that has failed several times running
is left alone for a while.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from threading import Lock

from core import logs, metrics
from core.errors import ModelUnavailable
from core.pages import PageKey
from core.storage import clock
from worker.generation.chat_model import ChatModel
from worker.generation.second_reader.controls import Cited, controlled
from worker.generation.second_reader.verdicts import verdicts
from worker.prompting import templates
from worker.prompting.context_window import Packed, pack
from worker.support.reading.again import SecondReading, ToRead
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

    def __init__(self, context_tokens: int, has_passed: Callable[[str], bool] = anybody) -> None:
        """`has_passed`: whether the model of this name may be asked at all (see Grades)."""
        self._context_tokens = context_tokens
        self._has_passed = has_passed
        self._lock = Lock()
        self._failures = Counter[str]()  # running, by model
        self._rests_until: dict[str, float] = {}

    def trusts(self, model: ChatModel) -> bool:
        """Whether it would be asked now."""
        rests = time.monotonic() < self._rests_until.get(model.name, 0.0)
        return not rests and self._has_passed(model.name)

    def read(
        self, model: ChatModel, question: str, asked: ToRead, pages: Collection[PageKey]
    ) -> SecondReading:
        """What can be believed of it; `pages` are all that the texts give away."""
        if not self.trusts(model):
            return SecondReading()
        try:
            outcome, reading = self.heard(model, question, asked, pages)
        except ModelUnavailable as error:
            log.warning("support.model_unavailable", model=model.name, error=str(error))
            outcome, reading = "unavailable", SecondReading()
        if outcome:
            metrics.ANSWERS_READ.labels(outcome=outcome).inc()
            self._remember(model.name, outcome, is_believed=reading.said is not None)
        return reading

    def heard(
        self, model: ChatModel, question: str, asked: ToRead, pages: Collection[PageKey]
    ) -> tuple[str, SecondReading]:
        """How it went, and the reading; no word where there is nothing to be asked.

        Raises:
            ModelUnavailable: see ChatModel.reply.
        """
        own = [
            (claim.read, places) for claim, places in zip(asked.claims, asked.places, strict=True)
        ]
        packed = pack(asked.hits, self._room(question))
        shown = " ".join(_prompt(question, "", (), packed).split())
        statements = [each for each in statements_of(packed.hits) if each.text in shown]
        among = controlled(own, statements, [hit.page.title for hit in packed.hits])
        if not own or among is None:
            return "", SecondReading()
        prompt = _prompt(question, asked.answer, among.texts, packed)
        reply = model.reply(prompt, pages=pages, deadline=clock.now() + WAIT_S)
        told = verdicts(reply.text, len(among.texts))
        if told is None:
            return "unreadable", SecondReading(usage=reply.usage)
        said = among.believed(told.said)
        outcome = "not_believed" if said is None else "believed"
        return outcome, SecondReading(said, answers=told.answers, usage=reply.usage)

    def _room(self, question: str) -> int:
        """Tokens for the evidence: all of a long answer has to be read beside all that it cites.

        The answer takes those that the window has for a reply, which is short here. Where there are
        none the endpoint refuses, which is better than claims that are called unsupported for a
        piece that was cut.
        """
        taken = estimate(_prompt(question, "", (), Packed((), ())))
        return max(self._context_tokens - taken, LEAST_ROOM)

    def _remember(self, model: str, outcome: str, *, is_believed: bool) -> None:
        with self._lock:
            self._failures[model] = 0 if is_believed else self._failures[model] + 1
            rests = self._failures[model] >= MOST_FAILURES
            if rests:
                self._failures[model] = 0
                self._rests_until[model] = time.monotonic() + REST_S
        if not is_believed:
            log.info("support.not_believed", model=model, outcome=outcome)
        if rests:
            log.warning("support.model_rests", model=model, outcome=outcome, seconds=REST_S)


def _prompt(question: str, answer: str, claims: Sequence[Cited], evidence: Packed) -> str:
    return templates.render(
        "read_claims",
        question=sanitize.plain(question),
        answer=sanitize.data(answer),
        claims=[(sanitize.line(text), places) for text, places in claims],
        evidence=evidence.blocks,
    )
