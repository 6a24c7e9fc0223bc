"""Scores a text: how likely the model was to say it, where the endpoint of the model tells.

- As a prompt (vLLM): the text is a last message that has not ended, and `prompt_logprobs` tells of
  each token that was read. https://docs.vllm.ai/en/latest/serving/openai_compatible_server/
- As an answer (llama.cpp, which tells nothing of prompts): a grammar allows the tokens of the text
  and no other ones, so that the model says it. `logprobs` are those from before the grammar.
  https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import openai

from core.errors import ModelUnavailable, NoScores
from core.pages import PageKey
from core.policy.model_routing import ModelRouting
from core.settings import Settings
from core.usage import Usage
from worker.generation.call_metrics import counted
from worker.generation.endpoint.guard import check, no_answer
from worker.generation.endpoint.many_calls import ManyCalls
from worker.generation.endpoint.reply import with_tokens
from worker.generation.endpoint.request import ModelRequest, Refusals
from worker.generation.endpoint.token_scores import Scores, placed

# Statuses of an endpoint that does not know a parameter, or a path; others pass, or are no answer.
NOT_KNOWN = (400, 404, 405, 422, 500, 501)
ASKED, SAID = "Is one more than zero?", "Yes, it is."  # to find out whether an endpoint scores
Tokens = list[tuple[str, float]]  # text and logprob


class Way(Enum):
    """How an endpoint scores a text."""

    AS_PROMPT = "prompt"
    AS_ANSWER = "answer"
    NONE = "none"  # it does not


class KnownWay:
    """How an endpoint scores texts, once it was asked to; kept as long as the process runs."""

    def __init__(self) -> None:
        self.way: Way | None = None  # nobody has asked yet


@dataclass(frozen=True)
class ScoringRequest(ModelRequest):
    """A question to a model, with the answer whose probability is asked for."""

    text: str = ""
    forced: tuple[int, ...] = ()  # the tokens of the text, where they are to be said

    def body(self, left_out: frozenset[str]) -> dict[str, Any]:
        body = super().body(left_out)
        if self.forced:
            only = " ".join(f"<[{token}]>" for token in self.forced)
            asked = {"logprobs": True, "top_logprobs": 1, "max_tokens": len(self.forced)}
            return body | asked | {"extra_body": {"grammar": f"root ::= {only}"}}
        body["messages"].append({"role": "assistant", "content": self.text})
        unended = {"add_generation_prompt": False, "continue_final_message": True}
        return body | {"max_tokens": 1, "extra_body": {"prompt_logprobs": 0, **unended}}


class ScoringCalls(ManyCalls):
    """Many concurrent calls, of which some may ask how likely a text was."""

    def __init__(
        self,
        name: str,
        settings: Settings,
        routing: ModelRouting | None,
        refusals: Refusals,
        *,
        sampling: dict[str, float],
        known: KnownWay,
    ) -> None:
        super().__init__(name, settings, routing, refusals, sampling=sampling)
        self._known = known

    async def score(
        self,
        user: str,
        text: str,
        *,
        pages: Collection[PageKey],
        system: str = "",
    ) -> tuple[Scores, Usage]:
        """How likely the model was to say this text.

        Raises:
            KeptInside: one of the `pages` that the texts give away may not reach the endpoint.
            NoScores: the endpoint does not tell.
            ModelUnavailable: it is down or refuses, also after all retries.
        """
        check(self._routing, pages)
        request = ScoringRequest(self.name, user, system, streams=False, text=text)
        with counted(self.name) as spent:
            scores, usage = await self._scored(request)
            spent(usage)
        return scores, usage

    async def _scored(self, request: ScoringRequest) -> tuple[Scores, Usage]:
        """Raises NoScores: the endpoint does not tell, or of another text than this."""
        started = time.monotonic()
        if self._known.way is None:
            self._known.way = await self._found_out()
        scores, done = await self._by(self._known.way, request)
        if scores is None:
            raise NoScores("the model at LLM_BASE_URL does not tell how likely a text is")
        seconds = round(time.monotonic() - started, 3)
        return scores, _usage(done).model_copy(update={"seconds": seconds})

    async def _found_out(self) -> Way:
        """How the endpoint scores, by a request that costs next to nothing and has no page in it.

        Most endpoints leave unread what they do not know, and answer. One may break on it, and yet
        answer whatever else it is asked.

        Raises:
            NoScores: it gave no reply, so nobody knows.
        """
        request = ScoringRequest(self.name, ASKED, streams=False, text=SAID)
        for way in (Way.AS_PROMPT, Way.AS_ANSWER):
            try:
                scores, _done = await self._by(way, request)
            except ModelUnavailable as error:
                raise NoScores("the model at LLM_BASE_URL does not say how it scores") from error
            if scores is not None:
                return way
        return Way.NONE

    async def _by(self, way: Way, request: ScoringRequest) -> tuple[Scores | None, Any]:
        """The scores, and the reply as far as there is one."""
        try:
            if way is Way.AS_PROMPT:
                done = await self._asked(request)
                return placed(request.text, _of_prompt(done)), done
            if way is Way.AS_ANSWER and (forced := await self._tokens(request.text)):
                fields = {**request.__dict__, "forced": forced}
                done = await self._asked(ScoringRequest(**fields))
                return placed(request.text, _of_answer(done)), done
        except openai.APIStatusError as error:
            if error.status_code not in NOT_KNOWN:
                raise no_answer(error) from error
        except (openai.OpenAIError, ValueError) as error:  # ValueError: a body that is no JSON
            raise no_answer(error) from error
        return None, None

    async def _tokens(self, text: str) -> tuple[int, ...]:
        """By llama.cpp's own call, beside those of OpenAI's protocol; empty: it has none."""
        url = str(self._client.base_url).rstrip("/").removesuffix("/v1")
        sent = {"content": text, "add_special": False}
        reply = await self._client.post(f"{url}/tokenize", body=sent, cast_to=object)
        tokens = reply.get("tokens") if isinstance(reply, Mapping) else None
        if not isinstance(tokens, list) or not all(isinstance(each, int) for each in tokens):
            return ()
        return tuple(tokens)


def _of_prompt(done: Any) -> Tokens:
    """Of each token that was read; the first one has nothing before it, and no probability."""
    found: Tokens = []
    for entry in getattr(done, "prompt_logprobs", None) or ():
        # The token that stands there comes before those that might have.
        own = next(iter(entry.values()), None) if isinstance(entry, Mapping) else None
        if isinstance(own, Mapping) and isinstance(own.get("logprob"), int | float):
            found.append((str(own.get("decoded_token") or ""), float(own["logprob"])))
    return found


def _of_answer(done: Any) -> Tokens:
    """Of each token that was said."""
    choices = getattr(done, "choices", None)
    logprobs = getattr(choices[0], "logprobs", None) if choices else None
    found: Tokens = []
    for each in getattr(logprobs, "content", None) or ():
        if each.token:  # not the mark of the end
            found.append((each.token, float(each.logprob)))
    return found


def _usage(done: Any) -> Usage:
    if done is None:
        return Usage()
    usage = Usage(calls=1)
    return with_tokens(usage, done.usage) if getattr(done, "usage", None) else usage
