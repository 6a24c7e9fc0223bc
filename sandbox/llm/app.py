"""The endpoint: OpenAI's calls under /v1/, and the control API of tests under /sandbox/.

Left out: tools, images, several choices, log probabilities, the Responses API.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sandbox.http.faults import Fault, FaultMiddleware, FaultPlan
from sandbox.llm import shapes
from sandbox.llm.counting import CountCalls, Load
from sandbox.llm.model import Model, UnknownScript
from sandbox.llm.planted import WrongPlan
from sandbox.llm.recording import RecordBodies


def build_app() -> Starlette:
    """The endpoint with the toy behind it."""
    plan, received, load = FaultPlan(), list[dict[str, Any]](), Load()
    middleware = [
        Middleware(CountCalls, load=load),
        Middleware(RecordBodies, received=received),
        Middleware(FaultMiddleware, plan=plan, error_body=shapes.error),
    ]
    app = Starlette(
        routes=ROUTES, middleware=middleware, exception_handlers={HTTPException: show_error}
    )
    app.state.model, app.state.faults = Model(), plan
    app.state.received, app.state.load = received, load
    return app


async def get_models(_request: Request) -> Response:
    return JSONResponse(shapes.models())


async def post_chat(request: Request) -> Response:
    """https://platform.openai.com/docs/api-reference/chat/create"""
    asked = await _asked(request, "messages")
    if "prompt_logprobs" in asked:  # vLLM's own; see sandbox.llm.scoring
        raise HTTPException(400, "Unrecognized request argument supplied: prompt_logprobs")
    model: Model = request.app.state.model
    reply = shapes.reply_to(asked, model.answer(asked["messages"]))
    await asyncio.sleep(model.call_delay_s)
    if not asked.get("stream"):
        await asyncio.sleep(sum(model.delays(len(reply.pieces))))
        return JSONResponse(shapes.completion(reply))
    options = asked.get("stream_options") or {}
    stream = shapes.events(reply, include_usage=bool(options.get("include_usage")))
    return StreamingResponse(
        paced(stream, model.delays(len(stream))), media_type="text/event-stream"
    )


async def post_embeddings(request: Request) -> Response:
    return JSONResponse(shapes.embeddings(await _asked(request, "input")))


async def paced(stream: list[str], delays: list[float]) -> AsyncIterator[str]:
    """The events of a stream with a pause before each."""
    for event, delay_s in zip(stream, delays, strict=True):
        await asyncio.sleep(delay_s)
        yield event


async def _asked(request: Request, needed: str) -> dict[str, Any]:
    """The request's body with what the call cannot do without."""
    asked: dict[str, Any] = await _json(request)
    for name in ("model", needed):
        if not asked.get(name):
            raise HTTPException(400, f"Missing required parameter: '{name}'.")
    return asked


async def _json(request: Request) -> dict[str, Any]:
    try:
        sent = await request.json()
    except json.JSONDecodeError as error:
        raise HTTPException(400, f"The body is not JSON: {error.msg}") from None
    if not isinstance(sent, dict):
        raise HTTPException(400, "The body is not a JSON object")
    return sent


async def post_script(request: Request) -> Response:
    """What the model says from now on."""
    model: Model = request.app.state.model
    try:
        model.script(**await _json(request))
    except (TypeError, UnknownScript, WrongPlan) as error:
        raise HTTPException(400, str(error)) from None
    return JSONResponse({"ok": True})


async def post_pace(request: Request) -> Response:
    """How long an answer takes from now on."""
    try:
        request.app.state.model.take(**await _json(request))
    except TypeError as error:
        raise HTTPException(400, str(error)) from None
    return JSONResponse({"ok": True})


async def post_faults(request: Request) -> Response:
    plan: FaultPlan = request.app.state.faults
    try:
        plan.add(Fault.from_json(await _json(request)))
    except ValueError as error:
        raise HTTPException(400, str(error)) from None
    return JSONResponse({"ok": True})


async def get_received(request: Request) -> Response:
    return JSONResponse({"received": request.app.state.received})


async def get_load(request: Request) -> Response:
    """How many calls there were, how many are in progress, and the most at the same time."""
    load: Load = request.app.state.load
    return JSONResponse(load.as_json())


async def post_reset(request: Request) -> Response:
    """The toy again, no faults, no delay, nothing received, nothing counted."""
    state = request.app.state
    state.model.reset()
    state.faults.clear()
    state.received.clear()
    state.load.clear()
    return JSONResponse({"ok": True})


async def show_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse(shapes.error(error.status_code, error.detail), error.status_code)


ROUTES = [
    Route("/v1/models", get_models),
    Route("/v1/chat/completions", post_chat, methods=["POST"]),
    Route("/v1/embeddings", post_embeddings, methods=["POST"]),
    Route("/sandbox/script", post_script, methods=["POST"]),
    Route("/sandbox/pace", post_pace, methods=["POST"]),
    Route("/sandbox/faults", post_faults, methods=["POST"]),
    Route("/sandbox/received", get_received),
    Route("/sandbox/load", get_load),
    Route("/sandbox/reset", post_reset, methods=["POST"]),
]
