"""An endpoint that tells how likely a text is, as vLLM or as llama.cpp's server does.

vLLM: `prompt_logprobs`, one for each token that was read, the first null. llama.cpp: `/tokenize`,
and `logprobs` of an answer whose tokens a grammar forces. https://docs.vllm.ai/en/latest/serving/
openai_compatible_server/ and https://github.com/ggml-org/llama.cpp/tree/master/tools/server
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.llm import shapes
from sandbox.llm.scores import Token, scores
from sandbox.llm.scripted import Messages, Script, all_text, tokens

Json = dict[str, Any]
_FORCED = re.compile(r"<\[(\d+)\]>")
SURE = -0.01  # the logarithm of a probability, of what nobody asks for


class Vocabulary:
    """Numbers of tokens."""

    def __init__(self) -> None:
        self._tokens: list[str] = []

    def numbers(self, text: str) -> list[int]:
        found: list[int] = []
        for token in tokens(text):
            if token not in self._tokens:
                self._tokens.append(token)
            found.append(self._tokens.index(token))
        return found

    def text(self, numbers: list[int]) -> str:
        return "".join(self._tokens[number] for number in numbers)


def build(script: Script, *, as_vllm: bool) -> Starlette:
    """With this model behind it; `received` in its state has the bodies of all requests."""
    routes = [Route("/v1/chat/completions", post_chat, methods=["POST"])]
    if not as_vllm:
        routes.append(Route("/tokenize", post_tokenize, methods=["POST"]))
    app = Starlette(routes=routes)
    app.state.script, app.state.as_vllm = script, as_vllm
    app.state.vocabulary, app.state.received = Vocabulary(), []
    return app


async def post_tokenize(request: Request) -> Response:
    asked: Json = await request.json()
    numbers = request.app.state.vocabulary.numbers(asked["content"])
    return JSONResponse({"tokens": numbers})


async def post_chat(request: Request) -> Response:
    state = request.app.state
    asked: Json = await request.json()
    state.received.append(asked)
    if state.as_vllm and asked.get("prompt_logprobs") is not None:
        return JSONResponse(_read(asked, state.script))
    forced = [int(each) for each in _FORCED.findall(asked.get("grammar", ""))]
    if not state.as_vllm and forced:
        text = state.vocabulary.text(forced)
        return JSONResponse(_said(asked, text, _scores(asked["messages"], text, state.script)))
    return JSONResponse(shapes.completion(shapes.reply_to(asked, state.script(asked["messages"]))))


def _read(asked: Json, script: Script) -> Json:
    """The prompt with the scores of its tokens, of which the last are those of the answer."""
    *before, last = asked["messages"]
    read = [(token, SURE) for token in tokens(all_text(before))]
    read += _scores(before, last["content"], script)
    logprobs: list[Json | None] = [None]
    for number, (token, logprob) in enumerate(read):
        entry = {"logprob": logprob, "rank": 1, "decoded_token": token}
        logprobs.append({str(number): entry})
    completion = shapes.completion(shapes.reply_to(asked, "."))
    return completion | {"prompt_logprobs": logprobs}


def _said(asked: Json, text: str, scored: list[Token]) -> Json:
    completion = shapes.completion(shapes.reply_to(asked, text))
    content: list[Json] = []
    for token, logprob in scored:
        content.append({"token": token, "logprob": logprob, "bytes": None, "top_logprobs": []})
    completion["choices"][0]["logprobs"] = {"content": content}
    return completion


def _scores(messages: Messages, text: str, script: Script) -> list[Token]:
    return scores(text, script(messages), Random(f"{all_text(messages)}\n{text}"))
