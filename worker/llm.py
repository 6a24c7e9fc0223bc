"""The one way to a chat model: any OpenAI-compatible endpoint (OpenAI, vLLM, Ollama, llama.cpp)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import openai
from openai.types.chat import ChatCompletionMessageParam

from core.errors import ModelUnavailable
from core.models import Usage
from core.settings import Settings

CONNECT_S = 3.0  # an endpoint that does not even take the connection is down


@dataclass(frozen=True)
class Reply:
    """What the model said, and what it cost."""

    text: str
    usage: Usage


def _ignore(_piece: str) -> None:
    """For callers who do not watch the answer grow."""


class ChatModel:
    """One model at one endpoint."""

    def __init__(self, settings: Settings, model: str) -> None:
        self.name = model
        self._timeout = settings.llm_timeout_s
        # Retries are ours to decide: while somebody waits, quoted evidence now beats a model's answer after three timeouts.
        self._client = openai.OpenAI(base_url=settings.llm_base_url, api_key=settings.llm_api_key.get_secret_value(), max_retries=0)

    def reply(self, user: str, *, system: str = "", deadline: float, on_text: Callable[[str], None] = _ignore) -> Reply:
        """Ask the model; `on_text` sees each piece as it comes; `deadline` is in seconds since 1970.

        Raises:
            ModelUnavailable: the endpoint is down, refuses, answers nothing, or is not finished at the deadline.
        """
        started = time.time()
        left = min(self._timeout, deadline - started)
        if left <= 0:
            raise ModelUnavailable("no time left to ask the model")
        messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": user}]
        if system:
            messages.insert(0, {"role": "system", "content": system})
        try:
            return self._stream(messages, started, started + left, on_text)
        except openai.OpenAIError as error:
            raise ModelUnavailable(f"the model at LLM_BASE_URL does not answer: {error}") from error

    def _stream(
        self, messages: list[ChatCompletionMessageParam], started: float, until: float, on_text: Callable[[str], None]
    ) -> Reply:
        stream = self._client.chat.completions.create(
            model=self.name,
            messages=messages,
            stream=True,
            stream_options={"include_usage": True},
            timeout=openai.Timeout(until - started, connect=CONNECT_S),
        )
        pieces: list[str] = []
        tokens = (0, 0)
        with stream:
            for chunk in stream:
                if time.time() > until:  # the client's own timeout is per read, and a slow trickle never meets it
                    raise ModelUnavailable("the model is too slow: it was still writing when the time was up")
                if chunk.usage:
                    tokens = (chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
                piece = chunk.choices[0].delta.content if chunk.choices else None
                if piece:
                    pieces.append(piece)
                    on_text(piece)
        text = "".join(pieces).strip()
        if not text:
            raise ModelUnavailable("the model returned an empty answer")
        usage = Usage(calls=1, prompt_tokens=tokens[0], completion_tokens=tokens[1], seconds=round(time.time() - started, 3))
        return Reply(text, usage)
