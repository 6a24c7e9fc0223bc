"""The one client of chat models: any OpenAI-compatible endpoint (vLLM, Ollama, llama.cpp, …)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import openai
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

from core import metrics
from core.errors import ModelUnavailable
from core.settings import Settings
from core.usage import Usage

# Of a call of an explanation: nobody waits for a single one, and the endpoint's rate limit passes.
RETRIES = 4
CONNECT_S = 3.0  # an endpoint that does not even take the connection is down


@dataclass(frozen=True)
class Reply:
    """What the model said, and what it cost."""

    text: str
    usage: Usage


def ignore_text(_piece: str) -> None:
    """For callers who do not stream the answer."""


class ChatModel:
    """One model at one endpoint."""

    def __init__(self, settings: Settings, model: str) -> None:
        self.name = model
        self._settings = settings
        self._timeout = settings.llm_timeout_s
        # Retries are ours to decide: while somebody waits, quoted evidence now beats a model's
        # answer after three timeouts.
        self._client = openai.OpenAI(
            base_url=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            max_retries=0,
        )

    def reply(
        self,
        user: str,
        *,
        system: str = "",
        deadline: float,
        on_text: Callable[[str], None] = ignore_text,
    ) -> Reply:
        """Ask the model; `on_text` gets each piece as it comes; `deadline`: seconds since 1970.

        Raises:
            ModelUnavailable: the endpoint is down, refuses, answers nothing, or is not finished at
                the deadline.
        """
        started = time.time()
        left = min(self._timeout, deadline - started)
        if left <= 0:
            raise ModelUnavailable("no time left to ask the model")
        messages = _messages(user, system)
        with _counted(self.name) as spent:
            try:
                reply = self._stream(messages, started, started + left, on_text)
            except (openai.OpenAIError, ValueError) as error:  # ValueError: a chunk that is no JSON
                raise _no_answer(error) from error
            spent(reply.usage)
        return reply

    def at_once(self) -> ManyCalls:
        """The same model for many concurrent calls."""
        return ManyCalls(self.name, self._settings)

    def _stream(
        self,
        messages: list[ChatCompletionMessageParam],
        started: float,
        until: float,
        on_text: Callable[[str], None],
    ) -> Reply:
        stream = self._client.chat.completions.create(
            model=self.name,
            messages=messages,
            stream=True,
            stream_options={"include_usage": True},
            timeout=openai.Timeout(until - started, connect=CONNECT_S),
        )
        received = _StreamedReply()
        with stream:
            for chunk in stream:
                # The client's own timeout is per read, and a slow trickle never meets it.
                if time.time() > until:
                    raise ModelUnavailable(
                        "the model is too slow: it was still writing when the time was up"
                    )
                piece = received.add(chunk)
                if piece:
                    on_text(piece)
        return received.reply(seconds=time.time() - started)


class ManyCalls:
    """The model behind an explanation: many concurrent calls in one event loop, none urgent.

    A rate limit of the endpoint (429) and server errors are retried, after as long as Retry-After
    says.
    """

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self._timeout = openai.Timeout(settings.llm_timeout_s, connect=CONNECT_S)
        self._client = openai.AsyncOpenAI(
            base_url=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            max_retries=RETRIES,
        )

    async def __aenter__(self) -> ManyCalls:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def reply(
        self,
        user: str,
        *,
        system: str = "",
    ) -> Reply:
        """Ask the model; without its evidence it may have nothing to say: the text is empty.

        Raises:
            ModelUnavailable: the endpoint is down or refuses, also after all retries.
        """
        with _counted(self.name) as spent:
            reply = await self._reply(_messages(user, system))
            spent(reply.usage)
        return reply

    async def _reply(self, messages: list[ChatCompletionMessageParam]) -> Reply:
        started = time.monotonic()
        try:
            done = await self._client.chat.completions.create(
                model=self.name, messages=messages, timeout=self._timeout
            )
        except (openai.OpenAIError, ValueError) as error:  # ValueError: a body that is no JSON
            raise _no_answer(error) from error
        if not getattr(done, "choices", None):
            raise ModelUnavailable("the model at LLM_BASE_URL sends something else than an answer")
        usage = Usage(calls=1, seconds=round(time.monotonic() - started, 3))
        if done.usage:
            usage = _with_tokens(usage, done.usage)
        content = done.choices[0].message.content or ""
        return Reply(content.strip(), usage)


def _no_answer(error: Exception) -> ModelUnavailable:
    return ModelUnavailable(f"the model at LLM_BASE_URL does not answer: {error}")


def _with_tokens(usage: Usage, said: CompletionUsage) -> Usage:
    """The usage with the tokens that the endpoint has counted."""
    tokens = {
        "prompt_tokens": said.prompt_tokens,
        "completion_tokens": said.completion_tokens,
    }
    return usage.model_copy(update=tokens)


def _messages(user: str, system: str) -> list[ChatCompletionMessageParam]:
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": user}]
    if system:
        messages.insert(0, {"role": "system", "content": system})
    return messages


@contextmanager
def _counted(model: str) -> Iterator[Callable[[Usage], None]]:
    """Count a call in the metrics; one that reports its usage was answered."""
    outcome = "failed"

    def spent(usage: Usage) -> None:
        nonlocal outcome
        outcome = "answered"
        metrics.MODEL_TOKENS.labels(model, "in").inc(usage.prompt_tokens)
        metrics.MODEL_TOKENS.labels(model, "out").inc(usage.completion_tokens)
        metrics.MODEL_SECONDS.labels(model).observe(usage.seconds)

    try:
        yield spent
    finally:
        metrics.MODEL_CALLS.labels(model, outcome).inc()


@dataclass
class _StreamedReply:
    """What a stream has sent so far; the client does not validate chunks, so any field may lack."""

    pieces: list[str] = field(default_factory=list)
    finished: bool = False
    usage: Usage = field(default_factory=lambda: Usage(calls=1))

    def add(self, chunk: ChatCompletionChunk) -> str:
        """Add a chunk; the piece of text in it."""
        usage = getattr(chunk, "usage", None)
        if usage:
            self.usage = _with_tokens(self.usage, usage)
        choices = getattr(chunk, "choices", None)
        if not choices:
            return ""
        self.finished = self.finished or choices[0].finish_reason is not None
        self.pieces.append(choices[0].delta.content or "")
        return self.pieces[-1]

    def reply(self, *, seconds: float) -> Reply:
        """The whole answer.

        Raises:
            ModelUnavailable: there is none, or the connection ended in the middle of it.
        """
        text = "".join(self.pieces).strip()
        if not self.finished:
            raise ModelUnavailable(
                "the reply of the model at LLM_BASE_URL ended before the answer did"
            )
        if not text:
            raise ModelUnavailable("the model returned an empty answer")
        usage = self.usage.model_copy(update={"seconds": round(seconds, 3)})
        return Reply(text, usage)
