"""Odd endpoints: what servers of models do that the protocol does not promise, each as data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sandbox.llm import shapes

Json = dict[str, Any]
ANSWER = "Five days [1]."
SAID: tuple[Json, ...] = ({"role": "assistant", "content": ""}, {"content": ANSWER})
USAGE = {"prompt_tokens": 7, "completion_tokens": 4, "total_tokens": 11}


@dataclass(frozen=True)
class Odd:
    """One endpoint; by itself an ordinary one that streams ANSWER."""

    deltas: tuple[Json | None, ...] = SAID  # None: a chunk without choices
    finish: str | None = "stop"
    usage: str = "last"  # in the last chunk, in every one, or in none
    noise: str = ""  # between the events
    one_body: bool = False  # whatever was asked for, the reply is one JSON body
    refuses: tuple[str, ...] = ()  # parameters; `system` is a role
    refusal: str = "Unsupported parameter: '{name}'"
    refusal_status: int = 400
    fails_first: tuple[int, ...] = ()  # statuses of the first calls
    retry_after: str = ""
    pause_s: float = 0.0  # before the last delta
    breaks: bool = False  # the connection ends before the reply does


ODD: dict[str, Odd] = {
    "reasons in the text": Odd(
        deltas=({"content": "<thi"}, {"content": "nk>5?\n\n</thi"}, {"content": "nk>\n"}, *SAID)
    ),
    "reasons without a beginning": Odd(deltas=({"content": "5 it is.</think>\n"}, *SAID)),
    "reasons beside the text": Odd(
        deltas=({"reasoning_content": "Is it 5?", "content": None}, {"reasoning": "Yes."}, *SAID)
    ),
    "sends parts": Odd(
        deltas=(
            {"content": [{"type": "thinking", "thinking": "5?"}]},
            {"content": [{"type": "text", "text": ANSWER}]},
        )
    ),
    "sends chunks without choices": Odd(deltas=(None, *SAID, None)),
    "sends null": Odd(deltas=({"content": None}, *SAID, {"content": None})),
    "calls a tool and answers": Odd(
        deltas=({"tool_calls": [{"index": 0}], "content": None}, *SAID)
    ),
    "counts in every chunk": Odd(usage="every"),
    "counts nothing": Odd(usage="none"),
    "never says why it ends": Odd(finish=None),
    "comments": Odd(noise=": keep-alive\n\n\n\n"),
    "does not stream": Odd(one_body=True),
    "refuses to stream": Odd(refuses=("stream",), refusal="streaming is not supported"),
    "refuses stream_options": Odd(refuses=("stream_options",)),
    "refuses a temperature": Odd(refuses=("temperature",)),
    "refuses a seed": Odd(refuses=("seed",), refusal_status=422),
    "refuses several": Odd(refuses=("seed", "temperature", "stream_options")),
    "knows no system role": Odd(
        refuses=("system",), refusal="Only user and assistant roles are supported!"
    ),
    "its template knows no system role": Odd(
        refuses=("system",), refusal="System role not supported", refusal_status=500
    ),
    "fails once": Odd(fails_first=(503,)),
    "is busy for a moment": Odd(fails_first=(429,), retry_after="0.1"),
}


def build(odd: Odd) -> Starlette:
    """The endpoint; `app.state.received` has the bodies of all requests."""
    received: list[Json] = []

    async def post_chat(request: Request) -> Response:
        asked = await request.json()
        received.append(asked)
        if len(received) <= len(odd.fails_first):
            return _failed(odd, odd.fails_first[len(received) - 1])
        for name in odd.refuses:
            if _is_sent(name, asked):
                refusal = odd.refusal.format(name=name)
                error = shapes.error(odd.refusal_status, refusal)
                return JSONResponse(error, odd.refusal_status)
        if odd.one_body or not asked.get("stream"):
            return JSONResponse(_body(odd))
        return StreamingResponse(_stream(odd), media_type="text/event-stream")

    path = "/v1/chat/completions"
    app = Starlette(routes=[Route(path, post_chat, methods=["POST"])])
    app.state.received = received
    return app


def _failed(odd: Odd, status: int) -> Response:
    headers = {"Retry-After": odd.retry_after} if odd.retry_after else {}
    return JSONResponse(shapes.error(status), status, headers)


def _is_sent(name: str, asked: Json) -> bool:
    if name == "system":
        return any(message["role"] == "system" for message in asked["messages"])
    return bool(name in asked)


def _body(odd: Odd) -> Json:
    texts = [delta.get("content") for delta in odd.deltas if delta]
    said = "".join(text for text in texts if isinstance(text, str))
    message = {"role": "assistant", "content": said}
    choice = {"index": 0, "message": message, "finish_reason": odd.finish}
    return {"object": "chat.completion", "choices": [choice], "usage": USAGE}


async def _stream(odd: Odd) -> AsyncIterator[str]:
    *events, last, end = list(_events(odd))
    for event in events:
        yield event + odd.noise
    await asyncio.sleep(odd.pause_s)
    yield last
    if odd.breaks:
        raise ConnectionResetError
    yield end


def _events(odd: Odd) -> Iterator[str]:
    """One for each delta, and the end."""
    for delta in odd.deltas:
        choices = [] if delta is None else [_choice(delta, None)]
        yield _event(choices, counted=odd.usage == "every")
    last = _event([_choice({}, odd.finish)], counted=odd.usage != "none")
    yield f"{last}data: [DONE]\n\n"


def _choice(delta: Json, finish: str | None) -> Json:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _event(choices: list[Json], *, counted: bool) -> str:
    chunk: Json = {"object": "chat.completion.chunk", "choices": choices}
    if counted:
        chunk["usage"] = USAGE
    return f"data: {json.dumps(chunk)}\n\n"
