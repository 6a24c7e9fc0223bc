"""Comments and attachments of pages and blog posts, as Cloud's REST API shows them."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api.lookup import content_of, entry_of
from sandbox.confluence.api.paging import cut
from sandbox.confluence.site.content import Entry, File, Said


async def get_footer_comments(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-comment/#api-pages-id-footer-comments-get"""
    return cut(
        request, [_comment(each) for each in entry_of(request).comments if each.kind == "footer"]
    )


async def get_inline_comments(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-comment/#api-pages-id-inline-comments-get"""
    return cut(
        request, [_comment(each) for each in entry_of(request).comments if each.kind == "inline"]
    )


async def get_attachments(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-attachment/#api-pages-id-attachments-get"""
    entry = entry_of(request)
    return cut(request, [attachment_json(entry, file) for file in entry.files])


async def get_download(request: Request) -> Response:
    """Where Data Center's link leads, by name, and the one address of Cloud that takes a token, by id."""
    wanted = request.path_params.get("name") or request.path_params["file"]
    file = next((file for file in entry_of(request).files if wanted in (file.name, file.id)), None)
    if file is None:
        raise HTTPException(404, "there is no such file")
    return Response(file.data, media_type=file.media_type)


async def get_link(_request: Request) -> Response:
    """Where Cloud's `downloadLink` leads: for people who are logged in, not for API tokens (CHANGE-2735)."""
    raise HTTPException(
        401,
        "API tokens are not accepted here: use /wiki/rest/api/content/{id}/child/attachment/{attachmentId}/download",
    )


def attachment_json(entry: Entry, file: File) -> dict[str, Any]:
    return {
        "id": file.id,
        "status": "current",
        "title": file.name,
        "mediaType": file.media_type,
        "fileSize": len(file.data),
        "pageId": entry.id,
        "version": {"number": file.version},
        "downloadLink": f"/download/attachments/{entry.id}/{file.name}?version={file.version}",
    }


def _comment(said: Said) -> dict[str, Any]:
    return {
        "id": said.id,
        "status": "current",
        "version": {"number": said.version, "authorId": said.author},
        "body": {"storage": {"representation": "storage", "value": said.body}},
    }


async def post_comment(request: Request) -> Response:
    """Control: somebody says something about a page."""
    sent = await request.json()
    content = content_of(request)
    entry = content.entries[str(sent["id"])]
    entry.comments.append(
        Said(_new_id(entry), sent["body"], sent.get("author", ""), sent.get("kind", "footer"))
    )
    return JSONResponse({"ok": True})


async def post_attach(request: Request) -> Response:
    """Control: somebody puts a file on a page, or a new version of it; the data as hex."""
    sent = await request.json()
    entry = content_of(request).entries[str(sent["id"])]
    known = next((file for file in entry.files if file.name == sent["name"]), None)
    version = known.version + 1 if known else 1
    entry.files = [file for file in entry.files if file is not known]
    entry.files.append(
        File(_new_id(entry), sent["name"], bytes.fromhex(sent["data"]), sent["media_type"], version)
    )
    return JSONResponse({"ok": True})


async def post_detach(request: Request) -> Response:
    """Control: a file is taken away."""
    sent = await request.json()
    entry = content_of(request).entries[str(sent["id"])]
    entry.files = [file for file in entry.files if file.name != sent["name"]]
    return JSONResponse({"ok": True})


def _new_id(entry: Entry) -> str:
    used = [int(said.id) for said in entry.comments] + [int(file.id) for file in entry.files]
    return str(max(used, default=int(entry.id) * 1000) + 1)


ROUTES = [
    *(
        Route(f"/wiki/api/v2/{kinds}/{{id}}/{part}", endpoint)
        for kinds in ("pages", "blogposts")
        for part, endpoint in (
            ("footer-comments", get_footer_comments),
            ("inline-comments", get_inline_comments),
            ("attachments", get_attachments),
        )
    ),
    Route("/wiki/download/attachments/{id}/{name}", get_link),
    Route("/wiki/rest/api/content/{id}/child/attachment/{file}/download", get_download),
    Route("/sandbox/comment", post_comment, methods=["POST"]),
    Route("/sandbox/attach", post_attach, methods=["POST"]),
    Route("/sandbox/detach", post_detach, methods=["POST"]),
]
