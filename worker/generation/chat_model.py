"""The one client of chat models: any OpenAI-compatible endpoint (vLLM, Ollama, llama.cpp, …)."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterable
from functools import partial
from typing import Any

import openai

from core import logs
from core.errors import ModelUnavailable
from core.logs import tracing
from core.pages import PageKey
from core.policy.model_routing import ModelRouting
from core.settings import Settings
from core.storage import clock
from worker.generation.call_metrics import counted
from worker.generation.endpoint.guard import CONNECT_S, check, no_answer
from worker.generation.endpoint.reply import GrowingReply, Reply
from worker.generation.endpoint.request import ModelRequest, Refusals
from worker.generation.endpoint.scoring import KnownWay, ScoringCalls
from worker.generation.endpoint.waiting import PAUSE_S, WaitLimits, again_in_s, awaited

log = logs.get(__name__)


class NotStreamed(Exception):
    """A request for a stream was answered with one body."""


def ignore_text(_piece: str) -> None:
    """For callers who do not stream the answer."""


class ChatModel:
    """One model at one endpoint."""

    def __init__(
        self,
        settings: Settings,
        model: str,
        routing: ModelRouting | None = None,
    ) -> None:
        self.name = model
        self.routing = routing  # None: every page may reach it
        self._settings = settings
        self._timeout = settings.llm_timeout_s
        self._sampling = settings.llm_sampling
        self._refusals = Refusals()
        self._scoring = KnownWay()
        # Retries are ours to decide: while somebody waits, quoted evidence now beats a model's
        # answer after three timeouts.
        self._client = openai.OpenAI(
            base_url=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            max_retries=0,
        )

    @property
    def left_out(self) -> frozenset[str]:
        """What the endpoint has refused so far of its parameters, and answered without."""
        return self._refusals.left_out

    def kept(self, pages: Iterable[PageKey]) -> frozenset[PageKey]:
        """Those of these pages that may not reach it."""
        return self.routing.kept(pages) if self.routing else frozenset()

    def reply(
        self,
        user: str,
        *,
        pages: Collection[PageKey],
        system: str = "",
        deadline: float,
    ) -> Reply:
        """Ask the model for a text that is of no use without its end.

        `pages` are all that the texts give away; `deadline` is in seconds since 1970.

        Raises:
            KeptInside: one of the pages may not reach the endpoint.
            ModelUnavailable: the endpoint is down, refuses, answers nothing, or is not finished at
                the deadline.
        """
        limits = WaitLimits(self._first_word(deadline), self._first_word(deadline))
        reply = self._asked(self._request(user, system), pages, limits, ignore_text)
        if not reply.whole:
            raise ModelUnavailable("the reply of the model was broken off, or it was too slow")
        return reply

    def written(
        self,
        user: str,
        *,
        pages: Collection[PageKey],
        system: str = "",
        deadline: float,
        on_text: Callable[[str], None] = ignore_text,
    ) -> Reply:
        """Have an answer written, as far as it comes; `on_text` gets each piece, or a sign of life.

        The deadline ends the wait for the first word. A model that has begun may go on as long as
        text grows, for as long as a question's patience once more.

        Raises:
            KeptInside: one of the pages may not reach the endpoint.
            ModelUnavailable: the endpoint is down, refuses, or has not begun at the deadline.
        """
        last_word = deadline + self._settings.answer_patience_s
        limits = WaitLimits(self._first_word(deadline), last_word)
        return self._asked(self._request(user, system), pages, limits, on_text)

    def at_once(self, *, temperature: float | None = None, seed: int | None = None) -> ScoringCalls:
        """The same model for many concurrent calls; what is None is not sent."""
        chosen = {"temperature": temperature, "seed": seed}
        sampling = {name: value for name, value in chosen.items() if value is not None}
        return ScoringCalls(
            self.name,
            self._settings,
            self.routing,
            self._refusals,
            sampling=sampling,
            known=self._scoring,
        )

    def _request(self, user: str, system: str) -> ModelRequest:
        return ModelRequest(self.name, user, system, self._sampling)

    def _first_word(self, deadline: float) -> float:
        return min(clock.now() + self._timeout, deadline)

    def _asked(
        self,
        request: ModelRequest,
        pages: Collection[PageKey],
        limits: WaitLimits,
        on_text: Callable[[str], None],
    ) -> Reply:
        check(self.routing, pages)
        if not limits.allows(0):
            raise ModelUnavailable("no time left to ask the model")
        with counted(self.name) as spent:
            try:
                reply = self._negotiated(request, limits, on_text)
            except TimeoutError:
                raise ModelUnavailable("the model is too slow: no word in time") from None
            except (openai.OpenAIError, ValueError) as error:  # ValueError: a chunk that is no JSON
                raise no_answer(error) from error
            spent(reply.usage)
        return reply

    def _negotiated(
        self, request: ModelRequest, limits: WaitLimits, on_text: Callable[[str], None]
    ) -> Reply:
        """Ask without what the endpoint refuses; once more where that may help."""
        left_out = self._refusals.left_out
        may_repeat = True
        while True:
            try:
                with tracing.span("model"):
                    reply = self._read(request.body(left_out), limits, on_text)
            except NotStreamed:
                left_out |= {"stream", "stream_options"}
            except openai.APIError as error:
                refused = _refused(request, error, left_out)
                wait_s = again_in_s(error)
                if refused:
                    left_out |= {refused}
                elif may_repeat and wait_s is not None and limits.allows(wait_s):
                    may_repeat = False
                    time.sleep(wait_s)
                else:
                    raise
            else:
                self._refusals.remember(left_out)
                return reply

    def _read(
        self, body: dict[str, Any], limits: WaitLimits, on_text: Callable[[str], None]
    ) -> Reply:
        """One request; what was written when it breaks off is kept."""
        started = clock.now()
        growing = GrowingReply()
        ends = partial(_ends, limits, growing)
        try:
            for chunk in awaited(self._chunks(body, limits.first_word - started), ends):
                piece = growing.add(chunk)
                if growing.text:  # from then on, no piece at all says that it goes on
                    on_text(piece)
        except (openai.OpenAIError, ValueError, TimeoutError) as error:
            if not growing.text.strip():
                raise
            log.warning("model.broken_off", error=str(error), characters=len(growing.text))
            growing.break_off()
        return growing.reply(seconds=clock.now() - started)

    def _chunks(self, body: dict[str, Any], left_s: float) -> Generator[Any]:
        """The chunks of a stream, or the one body of a reply that is not streamed."""
        timeout = openai.Timeout(max(left_s, PAUSE_S), connect=CONNECT_S)
        sent = self._client.chat.completions.create(**body, timeout=timeout)
        if not body.get("stream"):
            yield sent
            return
        with sent:
            if "json" in sent.response.headers.get("content-type", ""):
                raise NotStreamed
            yield from sent


def _refused(request: ModelRequest, error: openai.APIError, left_out: frozenset[str]) -> str | None:
    if not isinstance(error, openai.APIStatusError):
        return None
    return request.refused(error, left_out)


def _ends(limits: WaitLimits, growing: GrowingReply) -> float:
    return limits.ends(text=growing.text, heard_at=growing.heard_at)
