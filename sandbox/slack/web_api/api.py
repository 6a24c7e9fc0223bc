"""The Web API under /api/: authentication, ordered faults, dispatch, and a record of calls."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.http.connections import cut
from sandbox.slack.web_api import oauth, openid, signatures
from sandbox.slack.web_api.arguments import Arguments, read
from sandbox.slack.web_api.methods import METHODS
from sandbox.slack.workspace.state import Call, Fault
from sandbox.slack.workspace.values import APP_TOKEN, Json, Refused
from sandbox.slack.workspace.world import Sandbox

SOCKET = "apps.connections.open"
# Before there is a token.
ACCESS = {"oauth.v2.access": oauth.access, "openid.connect.token": openid.token}

Answer = tuple[Json, int, dict[str, str]]  # body, status, headers


async def call(request: Request) -> Response:
    """One Web API call, answered as docs.slack.dev/apis/web-api/#responses says.

    The token says which workspace is meant; without one of a workspace it is the first.
    """
    sandbox: Sandbox = request.app.state.sandbox
    method = request.path_params["method"]
    given: Json = {}
    try:
        given = await read(request)
        token = given.pop("token", None) or request.headers.get("authorization", "").removeprefix(
            "Bearer "
        )
        sandbox = sandbox.in_team(sandbox.app.grants.team_of(token))
        sandbox.base_url = str(request.base_url).rstrip("/")
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
    if method in ACCESS:
        signatures.check(method, given)
        return {"ok": True, **ACCESS[method](sandbox, Arguments(given))}, 200, {}
    if not token:
        raise Refused("not_authed")
    if method == SOCKET:
        return _connection(sandbox, token, netloc)
    granted = sandbox.app.grants.of(token).consent.scope
    if method not in METHODS or method in sandbox.now.lacking:
        raise Refused("unknown_method")
    signatures.check(method, given)
    answer = METHODS[method](sandbox, Arguments(given, token))
    # docs.slack.dev/authentication/installing-with-oauth#scopes: "X-OAuth-Scopes" of every reply
    return {"ok": True, **answer}, 200, {"X-OAuth-Scopes": granted}


def _connection(sandbox: Sandbox, token: str, netloc: str) -> Answer:
    """docs.slack.dev/reference/methods/apps.connections.open: the app's, for all workspaces."""
    if token != APP_TOKEN:
        raise Refused("invalid_auth")
    return {"ok": True, "url": f"ws://{netloc}/link?ticket={sandbox.link.ticket()}"}, 200, {}


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
    number = request.path_params["id"]
    workspaces = request.app.state.sandbox.app.workspaces.values()
    sandbox = next((each for each in workspaces if number in each.now.responses), None)
    if sandbox is None:
        return Response("expired_url", 404)
    if fault := sandbox.fault_for("response_url"):
        answer, status, headers = _faulty(fault)
        return JSONResponse(answer, status, headers)
    channel, ts, user = sandbox.now.responses[number]
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
