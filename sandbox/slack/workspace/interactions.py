"""Interaction payloads: pure functions (docs.slack.dev/reference/interaction-payloads)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.values import (
    APP_ID,
    HOME,
    Channel,
    Ids,
    Json,
    Message,
    Refused,
    User,
    View,
)


def find_element(blocks: Sequence[Json], action_id: str, value: str | None) -> tuple[str, Json]:
    """The block id and the element with this action id and, where buttons share one, this value."""
    found = [(block_id, e) for block_id, e in _elements(blocks) if e.get("action_id") == action_id]
    if not found:
        raise Refused("action_not_found")
    exact = [(block_id, e) for block_id, e in found if value is not None and value in _values(e)]
    if value is not None and not exact:
        raise Refused("value_not_found")
    return (exact or found)[0]


def chosen(element: Json, value: str | None) -> Json:
    """What the payload's action says of the choice: a value, or an option."""
    if element["type"] in ("static_select", "overflow", "radio_buttons"):
        options = element.get("options", [])
        return {
            "selected_option": next((o for o in options if value in (None, o.get("value"))), None)
        }
    values = _values(element)
    return {"value": value or values[0]} if values else {}


def block_actions(
    user: User, message: Message, channel: Channel, action: Json, trigger_id: str
) -> Json:
    """docs.slack.dev/reference/interaction-payloads/block_actions-payload"""
    container = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.ephemeral_for is not None,
    }
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    return {
        "type": "block_actions",
        **_about(user, trigger_id, message.ids),
        "container": container,
        "channel": {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name},
        "message": as_slack(message),
        "state": {"values": {}},
        "actions": [action],
    }


def view_actions(user: User, view: View, action: Json, trigger_id: str) -> Json:
    """The same for a button in a modal or in the Home tab."""
    home = view.content["type"] == "home"
    return {
        "type": "block_actions",
        **_about(user, trigger_id, view.ids),
        "container": {"type": "view", "view_id": view.id},
        "view": {**as_view(view), "state": {"values": _state(view.content["blocks"], {})}},
        "actions": [action],
        **({} if home else {"response_urls": []}),
    }


def slash_command(
    user: User, channel: Channel, command: str, text: str, trigger_id: str, *, ids: Ids = HOME
) -> Json:
    """docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling"""
    return {
        "token": "sandbox",
        "team_id": ids.team,
        "team_domain": ids.domain,
        "channel_id": channel.id,
        "channel_name": "directmessage" if channel.is_im else channel.name,
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": APP_ID,
        "is_enterprise_install": "false",
        "trigger_id": trigger_id,
    }


def shortcut(
    user: User, message: Message, channel: Channel, callback_id: str, trigger_id: str
) -> Json:
    """docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload"""
    return {
        "type": "message_action",
        **_about(user, trigger_id, message.ids),
        "callback_id": callback_id,
        "action_ts": message.ts,
        "message_ts": message.ts,
        "channel": {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name},
        "message": as_slack(message),
    }


def view_submission(user: User, view: View, values: Json, trigger_id: str) -> Json:
    """docs.slack.dev/reference/interaction-payloads/view-interactions-payload"""
    shown = {**as_view(view), "state": {"values": _state(view.content.get("blocks", []), values)}}
    return {
        "type": "view_submission",
        **_about(user, trigger_id, view.ids),
        "view": shown,
        "response_urls": [],
    }


def as_view(view: View) -> Json:
    """A view as Slack shows it to the app: docs.slack.dev/reference/views."""
    ids = {
        "id": view.id,
        "team_id": view.ids.team,
        "app_id": APP_ID,
        "bot_id": None,
        "root_view_id": view.id,
        "previous_view_id": None,
    }
    defaults = {
        "private_metadata": "",
        "callback_id": "",
        "state": {"values": {}},
        "external_id": "",
        "clear_on_close": False,
    }
    return {**defaults, **view.content, **ids, "hash": view.hash}


def inputs(blocks: Sequence[Json]) -> Iterator[tuple[Json, Json]]:
    """The input blocks of a view, each with its element."""
    for block in blocks:
        if block.get("type") == "input":
            yield block, block["element"]


def _about(user: User, trigger_id: str, ids: Ids) -> Json:
    person = {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id}
    team = {"id": ids.team, "domain": ids.domain}
    app = {"api_app_id": APP_ID, "token": "sandbox", "is_enterprise_install": False}
    return {"user": person, "team": team, "trigger_id": trigger_id, **app}


def _elements(blocks: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    for block in blocks:
        own = block.get("elements", []) if block["type"] in ("actions", "context_actions") else []
        for element in [*own, *filter(None, [block.get("accessory")])]:
            yield block["block_id"], element


def _values(element: Json) -> list[str]:
    if (
        element["type"] == "feedback_buttons"
    ):  # …/block-elements/feedback-buttons-element: the value of the button that was pressed
        return [element["positive_button"]["value"], element["negative_button"]["value"]]
    options = [option["value"] for option in element.get("options", []) if "value" in option]
    return options or [v for v in [element.get("value")] if v]


def _state(blocks: Sequence[Json], values: Json) -> Json:
    """What stands in the fields: what was filled in, else what the app had put there."""
    state: Json = {}
    for block, element in inputs(blocks):
        by_block, name = values.get(block["block_id"]), element["action_id"]
        given = (
            by_block if isinstance(by_block, dict) else values
        )  # by block and action, or by action alone
        filled = given[name] if name in given else _initial(element)
        state[block["block_id"]] = {name: _filled(element, filled)}
    return state


def _initial(element: Json) -> Any:
    if "initial_option" in element:
        return element["initial_option"]["value"]
    if "initial_options" in element:
        return [option["value"] for option in element["initial_options"]]
    return element.get("initial_users", element.get("initial_value"))


def _filled(element: Json, given: Any) -> Json:
    kind, options = element["type"], element.get("options", [])
    if kind in ("static_select", "radio_buttons"):
        return {
            "type": kind,
            "selected_option": next((o for o in options if o["value"] == given), None),
        }
    if kind in ("checkboxes", "multi_static_select"):
        return {
            "type": kind,
            "selected_options": [o for o in options if o["value"] in (given or [])],
        }
    if kind == "multi_users_select":
        return {"type": kind, "selected_users": list(given or [])}
    return {"type": kind, "value": given or None}
