"""views.*: modals, and the Home tab. docs.slack.dev/reference/views"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.web_api.block_kit import VIEW_BLOCKS, accept
from sandbox.slack.web_api.files import check_shown
from sandbox.slack.workspace.interactions import as_view
from sandbox.slack.workspace.values import Json, Refused, View
from sandbox.slack.workspace.world import Sandbox

VIEW_BYTES = 250_000  # docs.slack.dev/reference/methods/views.open#errors, view_too_large
LIMITS = {"title": 24, "submit": 24, "close": 24}


def open_modal(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/views.open

    A trigger lives 3 s and works once, even when the view is then refused.
    """
    user = sandbox.use_trigger(a.needed("trigger_id", "invalid_trigger_id"))
    view = View(
        "V" + secrets.token_hex(4).upper(),
        user,
        _checked(sandbox, a.value("view"), "modal"),
        sandbox.team.new_ts(),
        ids=sandbox.ids,
    )
    return _kept(sandbox, view)


def update(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/views.update, by view_id or external_id.

    A hash guards against an older state.
    """
    view = _wanted(sandbox, a)
    if a.text("hash") not in (None, "", view.hash):
        raise Refused("hash_conflict")
    return _kept(
        sandbox,
        replace(
            view, content=_checked(sandbox, a.value("view"), "modal"), hash=sandbox.team.new_ts()
        ),
    )


def publish(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/views.publish"""
    user = sandbox.team.user(a.needed("user_id", "invalid_arguments"))
    view = View(
        "VH" + user.id[1:],
        user.id,
        _checked(sandbox, a.value("view"), "home"),
        sandbox.team.new_ts(),
        ids=sandbox.ids,
    )
    sandbox.now.homes[user.id] = view
    sandbox.changes.tell("view")
    return {"view": as_view(view)}


def _wanted(sandbox: Sandbox, a: Arguments) -> View:
    view_id, external = a.text("view_id"), a.text("external_id")
    for view in sandbox.now.views.values():
        if view.open and (
            view.id == view_id or (external and view.content.get("external_id") == external)
        ):
            return view
    raise Refused("not_found")


def _kept(sandbox: Sandbox, view: View) -> Json:
    sandbox.now.views[view.id] = view
    sandbox.changes.tell("view")
    return {"view": as_view(view)}


def _checked(sandbox: Sandbox, view: Json | None, kind: str) -> Json:
    if (
        not isinstance(view, dict)
        or view.get("type") != kind
        or not isinstance(view.get("blocks"), list)
    ):
        raise Refused(
            "invalid_arguments", f"must be a view of type {kind} with blocks [json-pointer:/view]"
        )
    if kind == "modal" and not view.get("title"):
        raise Refused("invalid_arguments", "missing required field: title [json-pointer:/view]")
    for name, most in LIMITS.items():
        if len((view.get(name) or {}).get("text", "")) > most:
            raise Refused(
                "invalid_arguments",
                f"must be less than {most + 1} characters [json-pointer:/view/{name}/text]",
            )
    if len(json.dumps(view, ensure_ascii=False).encode()) > VIEW_BYTES:
        raise Refused("view_too_large")
    blocks = accept(view["blocks"], VIEW_BLOCKS)
    check_shown(sandbox, blocks, "view/blocks")
    return {**view, "blocks": [_with_action(block) for block in blocks]}


def _with_action(block: Json) -> Json:
    if block["type"] != "input":
        return block
    return {**block, "element": {"action_id": secrets.token_urlsafe(4), **block["element"]}}
