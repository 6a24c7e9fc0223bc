"""The model behind an explanation: many concurrent calls in one event loop, none urgent."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Self

import openai

from core.errors import ModelUnavailable
from core.pages import PageKey
from core.policy.model_routing import ModelRouting
from core.settings import Settings
from core.usage import Usage
from worker.generation.call_metrics import counted
from worker.generation.endpoint.guard import CONNECT_S, check, no_answer
from worker.generation.endpoint.reasoning import WithoutReasoning, spoken
from worker.generation.endpoint.reply import Reply, said, with_tokens
from worker.generation.endpoint.request import ModelRequest, Refusals

# Nobody waits for a single call, and the endpoint's rate limit passes.
RETRIES = 4


class ManyCalls:
    """A rate limit of the endpoint (429) and server errors are retried, as long as it says.

    What decides the words is sent as it was for the answer that is explained.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        routing: ModelRouting | None,
        refusals: Refusals,
        *,
        sampling: dict[str, float],
    ) -> None:
        self.name = name
        self._routing = routing
        self._refusals = refusals
        self._sampling = sampling
        self._timeout = openai.Timeout(settings.llm_timeout_s, connect=CONNECT_S)
        self._client = openai.AsyncOpenAI(
            base_url=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            max_retries=RETRIES,
        )

    async def __aenter__(self) -> Self:
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
        check(self._routing, pages)
        request = ModelRequest(self.name, user, system, self._sampling, streams=False)
        with counted(self.name) as spent:
            reply = await self._reply(request)
            spent(reply.usage)
        return reply

    async def _reply(self, request: ModelRequest) -> Reply:
        started = time.monotonic()
        try:
            done = await self._asked(request)
        except (openai.OpenAIError, ValueError) as error:  # ValueError: a body that is no JSON
            raise no_answer(error) from error
        if not getattr(done, "choices", None):
            raise ModelUnavailable("the model at LLM_BASE_URL sends something else than an answer")
        usage = Usage(calls=1, seconds=round(time.monotonic() - started, 3))
        if done.usage:
            usage = with_tokens(usage, done.usage)
        text = WithoutReasoning().add(said(done.choices[0]))
        return Reply(spoken(text).strip(), usage)

    async def _asked(self, request: ModelRequest) -> Any:
        left_out = self._refusals.left_out
        while True:
            body = request.body(left_out)
            try:
                done = await self._client.chat.completions.create(**body, timeout=self._timeout)
            except openai.APIStatusError as error:
                refused = request.refused(error, left_out)
                if refused is None:
                    raise
                left_out |= {refused}
            else:
                self._refusals.remember(left_out)
                return done
