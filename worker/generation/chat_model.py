"""The one client of chat models: any OpenAI-compatible endpoint (vLLM, Ollama, llama.cpp, …)."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

import openai
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

from core.errors import KeptInside, ModelUnavailable
from core.pages import PageKey
from core.policy.model_routing import ModelRouting
from core.settings import Settings
from core.usage import Usage
from worker.generation.call_metrics import counted

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
        # Retries are ours to decide: while somebody waits, quoted evidence now beats a model's
        # answer after three timeouts.
        self._client = openai.OpenAI(
            base_url=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            max_retries=0,
        )

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
        on_text: Callable[[str], None] = ignore_text,
    ) -> Reply:
        """Ask the model; `on_text` gets each piece as it comes; `deadline`: seconds since 1970.

        `pages` are all that the texts give away.

        Raises:
            KeptInside: one of the pages may not reach the endpoint.
            ModelUnavailable: the endpoint is down, refuses, answers nothing, or is not finished at
                the deadline.
        """
        _check(self.routing, pages)
        started = time.time()
        left = min(self._timeout, deadline - started)
        if left <= 0:
            raise ModelUnavailable("no time left to ask the model")
        messages = _messages(user, system)
        with counted(self.name) as spent:
            try:
                reply = self._stream(messages, started, started + left, on_text)
            except (openai.OpenAIError, ValueError) as error:  # ValueError: a chunk that is no JSON
                raise _no_answer(error) from error
            spent(reply.usage)
        return reply

    def at_once(self) -> ManyCalls:
        """The same model for many concurrent calls."""
        return ManyCalls(self.name, self._settings, self.routing)

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

    def __init__(
        self,
        name: str,
        settings: Settings,
        routing: ModelRouting | None = None,
    ) -> None:
        self.name = name
        self._routing = routing
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
        pages: Collection[PageKey],
        system: str = "",
    ) -> Reply:
        """Ask the model; without its evidence it may have nothing to say: the text is empty.

        Raises:
            KeptInside: one of the `pages` that the texts give away may not reach the endpoint.
            ModelUnavailable: the endpoint is down or refuses, also after all retries.
        """
        _check(self._routing, pages)
        with counted(self.name) as spent:
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


def _check(routing: ModelRouting | None, pages: Collection[PageKey]) -> None:
    if routing and (kept := routing.kept(pages)):
        keys = ", ".join(sorted(map(str, kept)))
        raise KeptInside(f"pages that may not reach {routing.endpoint}: {keys}")


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
