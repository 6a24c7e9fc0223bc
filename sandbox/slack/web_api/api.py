"""The Web API under /api/: authentication, ordered faults, dispatch, and a record of calls."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.http.connections import cut
from sandbox.slack.web_api import signatures
from sandbox.slack.web_api.arguments import Arguments, read
from sandbox.slack.web_api.methods import METHODS
from sandbox.slack.workspace.values import APP_TOKEN, BOT_TOKEN, Json, Refused
from sandbox.slack.workspace.world import Call, Fault, Sandbox

SOCKET = "apps.connections.open"

Answer = tuple[Json, int, dict[str, str]]  # body, status, headers


async def call(request: Request) -> Response:
    """One Web API call, answered as docs.slack.dev/apis/web-api/#responses says."""
    sandbox: Sandbox = request.app.state.sandbox
    method = request.path_params["method"]
    given: Json = {}
    sandbox.base_url = str(request.base_url).rstrip("/")
    try:
        given = await read(request)
        token = given.pop("token", None) or request.headers.get("authorization", "").removeprefix(
            "Bearer "
        )
        response = await _with_fault(sandbox, request, method, given, token)
    except Refused as refused:
        response = _refusal(refused)
    lost = getattr(request.state, "lost", False)
    _record(sandbox, method, given, response, lost=lost)
    return JSONResponse(response[0], response[1], response[2])


async def _with_fault(
    sandbox: Sandbox, request: Request, method: str, given: Json, token: str
) -> Answer:
    fault = sandbox.fault_for(method)
    if fault is None:
        return _metered(sandbox, method, given, token, request.url.netloc)
    await asyncio.sleep(fault.seconds)
    if not (fault.is_truthful or fault.after or fault.lost):
        return _faulty(fault)
    answer = _metered(sandbox, method, given, token, request.url.netloc)
    if fault.lost:
        cut(request)
        request.state.lost = True
    return _faulty(fault) if fault.after else answer


def _faulty(fault: Fault) -> Answer:
    if fault.retry_after is not None:  # docs.slack.dev/apis/web-api/rate-limits
        return {"ok": False, "error": "ratelimited"}, 429, {"Retry-After": str(fault.retry_after)}
    return {"ok": False, "error": fault.error or "internal_error"}, fault.status, {}


def _metered(sandbox: Sandbox, method: str, given: Json, token: str, netloc: str) -> Answer:
    """docs.slack.dev/apis/web-api/rate-limits: 429 with the seconds after which to try again."""
    if wait := sandbox.meter.take(method, given, time.monotonic()):
        return _faulty(Fault(retry_after=wait))
    return _answered(sandbox, method, given, token, netloc)


def _answered(sandbox: Sandbox, method: str, given: Json, token: str, netloc: str) -> Answer:
    if not token:
        raise Refused("not_authed")
    if token != (APP_TOKEN if method == SOCKET else BOT_TOKEN):
        raise Refused("invalid_auth")
    if method == SOCKET:
        return {"ok": True, "url": f"ws://{netloc}/link?ticket={sandbox.link.ticket()}"}, 200, {}
    if method not in METHODS or method in sandbox.now.lacking:
        raise Refused("unknown_method")
    signatures.check(method, given)
    return {"ok": True, **METHODS[method](sandbox, Arguments(given))}, 200, {}


def _refusal(refused: Refused) -> Answer:
    answer: Json = {"ok": False, "error": refused.code}
    if refused.complaints:
        answer["errors"] = list(refused.complaints)
        answer["response_metadata"] = {
            "messages": [f"[ERROR] {complaint}" for complaint in refused.complaints]
        }
    return answer, 200, {}


def _record(
    sandbox: Sandbox, method: str, given: Json, response: Answer, *, lost: bool = False
) -> None:
    answer, status, _ = response
    sandbox.now.calls.append(
        Call(method, given, answer["ok"], answer.get("error", ""), status, time.time(), lost)
    )


async def respond(request: Request) -> Response:
    """A message sent to a response_url.

    docs.slack.dev/interactivity/handling-user-interaction#message_responses
    """
    sandbox: Sandbox = request.app.state.sandbox
    if fault := sandbox.fault_for("response_url"):
        answer, status, headers = _faulty(fault)
        return JSONResponse(answer, status, headers)
    if request.path_params["id"] not in sandbox.now.responses:
        return Response("expired_url", 404)
    channel, ts, user = sandbox.now.responses[request.path_params["id"]]
    given = await read(request)
    arguments = {**given, "channel": channel, "ts": ts, "user": user}
    try:
        METHODS[_respond_method(given)](sandbox, Arguments(arguments))
    except Refused as refused:
        return Response(refused.code, 400)
    _record(sandbox, "response_url", given, ({"ok": True}, 200, {}))
    return Response("ok")


def _respond_method(given: Json) -> str:
    if given.get("delete_original"):
        return "chat.delete"
    if given.get("replace_original"):
        return "chat.update"
    return (
        "chat.postMessage" if given.get("response_type") == "in_channel" else "chat.postEphemeral"
    )
