"""Comments and attachments of pages and blog posts, as Cloud's REST API shows them.

Addresses under https://developer.atlassian.com/cloud/confluence/ are cut to `…/rest/`.
"""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api.lookup import content_of, entry_of
from sandbox.confluence.api.paging import cut
from sandbox.confluence.site.content import Comment, Entry, File


async def get_footer_comments(request: Request) -> Response:
    """…/rest/v2/api-group-comment/#api-pages-id-footer-comments-get"""
    return cut(request, _comments(entry_of(request), "footer"))


async def get_inline_comments(request: Request) -> Response:
    """…/rest/v2/api-group-comment/#api-pages-id-inline-comments-get"""
    return cut(request, _comments(entry_of(request), "inline"))


async def get_attachments(request: Request) -> Response:
    """…/rest/v2/api-group-attachment/#api-pages-id-attachments-get"""
    entry = entry_of(request)
    return cut(request, [attachment_json(entry, file) for file in entry.files])


async def get_download(request: Request) -> Response:
    """Data Center's download link, by name; the one address of Cloud that takes a token, by id."""
    wanted = request.path_params.get("name") or request.path_params["file"]
    file = next((file for file in entry_of(request).files if wanted in (file.name, file.id)), None)
    if file is None:
        raise HTTPException(404, "there is no such file")
    return Response(file.data, media_type=file.media_type)


async def get_link(_request: Request) -> Response:
    """Cloud's `downloadLink`: for people who are logged in, not for API tokens (CHANGE-2735)."""
    raise HTTPException(
        401,
        "API tokens are not accepted here: "
        "use /wiki/rest/api/content/{id}/child/attachment/{attachmentId}/download",
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


def _comments(entry: Entry, kind: str) -> list[dict[str, Any]]:
    return [_comment(each) for each in entry.comments if each.kind == kind]


def _comment(comment: Comment) -> dict[str, Any]:
    return {
        "id": comment.id,
        "status": "current",
        "version": {"number": comment.version, "authorId": comment.author},
        "body": {"storage": {"representation": "storage", "value": comment.body}},
    }


async def post_comment(request: Request) -> Response:
    """Control: a person comments on a page."""
    sent = await request.json()
    content = content_of(request)
    entry = content.entries[str(sent["id"])]
    author, kind = sent.get("author", ""), sent.get("kind", "footer")
    entry.comments.append(Comment(_new_id(entry), sent["body"], author, kind))
    return JSONResponse({"ok": True})


async def post_attach(request: Request) -> Response:
    """Control: attach a file to a page, or a new version of it; the data as hex."""
    sent = await request.json()
    entry = content_of(request).entries[str(sent["id"])]
    known = next((file for file in entry.files if file.name == sent["name"]), None)
    version = known.version + 1 if known else 1
    entry.files = [file for file in entry.files if file is not known]
    data = bytes.fromhex(sent["data"])
    entry.files.append(File(_new_id(entry), sent["name"], data, sent["media_type"], version))
    return JSONResponse({"ok": True})


async def post_detach(request: Request) -> Response:
    """Control: a file is taken away."""
    sent = await request.json()
    entry = content_of(request).entries[str(sent["id"])]
    entry.files = [file for file in entry.files if file.name != sent["name"]]
    return JSONResponse({"ok": True})


def _new_id(entry: Entry) -> str:
    used = [int(each.id) for each in entry.comments] + [int(file.id) for file in entry.files]
    return str(max(used, default=int(entry.id) * 1000) + 1)


_PAGES, _BLOGPOSTS = "/wiki/api/v2/pages/{id}", "/wiki/api/v2/blogposts/{id}"

ROUTES = [
    Route(f"{_PAGES}/footer-comments", get_footer_comments),
    Route(f"{_PAGES}/inline-comments", get_inline_comments),
    Route(f"{_PAGES}/attachments", get_attachments),
    Route(f"{_BLOGPOSTS}/footer-comments", get_footer_comments),
    Route(f"{_BLOGPOSTS}/inline-comments", get_inline_comments),
    Route(f"{_BLOGPOSTS}/attachments", get_attachments),
    Route("/wiki/download/attachments/{id}/{name}", get_link),
    Route("/wiki/rest/api/content/{id}/child/attachment/{file}/download", get_download),
    Route("/sandbox/comment", post_comment, methods=["POST"]),
    Route("/sandbox/attach", post_attach, methods=["POST"]),
    Route("/sandbox/detach", post_detach, methods=["POST"]),
]
