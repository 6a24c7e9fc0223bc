"""files.*: upload in three steps (docs.slack.dev/messaging/working-with-files), never shared."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.workspace.values import File, Json, Refused
from sandbox.slack.workspace.world import Sandbox

# "Files are processed asynchronously": until then no block may show one
# (github.com/slackapi/slack-github-action/issues/413).
PROCESSING_S = 0.4
UPLOAD = "upload"  # the name under which a fault of the second step is ordered


def get_upload_url(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/files.getUploadURLExternal"""
    length = a.needed("length", "missing_argument")
    if not length.isdigit():
        raise Refused("invalid_arguments", "must be a number [json-pointer:/length]")
    file = File(
        "F" + secrets.token_hex(5).upper(), a.needed("filename", "missing_argument"), int(length)
    )
    sandbox.now.files[file.id] = file
    return {"upload_url": f"{sandbox.base_url}/upload/v1/{file.id}", "file_id": file.id}


async def upload(request: Request) -> Response:
    """The bytes; "a non-200 response indicates a failure"."""
    sandbox = _holder(request)
    file = sandbox.now.files.get(request.path_params["id"])
    data = await request.body()
    fault = sandbox.fault_for(UPLOAD)
    if fault or file is None or len(data) != file.length:
        return PlainTextResponse("not OK", fault.status if fault else 400)
    sandbox.now.files[file.id] = replace(file, data=data)
    return PlainTextResponse(f"OK - {len(data)}")


def complete_upload(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/files.completeUploadExternal

    Without a channel "the file will be private".
    """
    named = a.value("files")
    if not isinstance(named, list) or not named:
        raise Refused("invalid_arguments", "missing required field: files")
    if a.text("channel_id") or a.text("channels"):
        raise Refused("not_in_the_sandbox", "a file is not shared as a message of its own here")
    return {
        "files": [
            _completed(sandbox, str(each.get("id")), str(each.get("title") or "")) for each in named
        ]
    }


def _completed(sandbox: Sandbox, file_id: str, title: str) -> Json:
    file = sandbox.now.files.get(file_id)
    if file is None or not file.data or file.ready_at:
        raise Refused("file_not_found")
    sandbox.now.files[file_id] = replace(
        file, title=title or file.name, ready_at=time.monotonic() + PROCESSING_S
    )
    # "in many cases, the API response does not yet have" what is found out later:
    # github.com/slackapi/bolt-js/issues/2115
    return {
        "id": file.id,
        "name": file.name,
        "title": title or file.name,
        "size": file.length,
        "mimetype": "",
        "is_public": False,
    }


def delete(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/files.delete"""
    if sandbox.now.files.pop(a.needed("file", "file_not_found"), None) is None:
        raise Refused("file_not_found")
    return {}


def check_shown(sandbox: Sandbox, blocks: Sequence[Json], kind: str = "blocks") -> None:
    """Refuse a block with a file that is not there, or not yet.

    github.com/slackapi/python-slack-sdk/issues/1658
    """
    for index, block in enumerate(blocks):
        shown = block.get("slack_file")
        if not shown:
            continue
        file = sandbox.now.files.get(shown.get("id", ""))
        if file is None or not 0 < file.ready_at <= time.monotonic():
            raise Refused(
                "invalid_blocks", f"invalid slack file [json-pointer:/{kind}/{index}/slack_file]"
            )


async def show(request: Request) -> Response:
    """The picture, for the workspace page."""
    file = _holder(request).now.files.get(request.path_params["id"])
    if file is None or not file.data:
        return PlainTextResponse("file_not_found", 404)
    return Response(
        file.data,
        media_type="image/png",
        headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"},
    )


def _holder(request: Request) -> Sandbox:
    """The workspace that the file is in; ids of files are unique everywhere."""
    home: Sandbox = request.app.state.sandbox
    holders = [w for w in home.app.workspaces.values() if request.path_params["id"] in w.now.files]
    return next(iter(holders), home)
