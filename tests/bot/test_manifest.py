"""`manifest.json` asks Slack for what the bot uses: no event less, no scope more."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from desk import NOBODY, settings
from slack_bolt import App, BoltRequest, BoltResponse
from slack_sdk import WebClient

from bot.aside import Aside
from bot.slack_api.client import client
from bot.slack_api.sender import Write
from bot.wiring.listening import build_listeners
from core.storage.database import Database

ROOT = Path(__file__).parents[2]
MANIFEST = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
FEATURES = MANIFEST["features"]
SUBSCRIBED = MANIFEST["settings"]["event_subscriptions"]["bot_events"]
SHORTCUTS = MANIFEST["features"].get("shortcuts", [])
SCOPES = MANIFEST["oauth_config"]["scopes"]["bot"]

# Slack is subscribed to messages by the kind of conversation:
# docs.slack.dev/reference/events/message
KINDS = {"message": {"message.channels", "message.groups", "message.im", "message.mpim"}}

# The scopes of each event: docs.slack.dev/reference/events/<event>
OF_EVENTS: dict[str, set[str]] = {
    "agent_session_stopped": {
        "chat:write"
    },  # of agents.sessions.setStatus, which makes the session
    "app_context_changed": set(),
    "app_home_opened": set(),
    "app_mention": {"app_mentions:read"},
    "message.channels": {"channels:history"},
    "message.groups": {"groups:history"},
    "message.im": {"im:history"},
    "message.mpim": {"mpim:history"},
    "reaction_added": {"reactions:read"},
    "reaction_removed": {"reactions:read"},
    "app_uninstalled": set(),
    "member_joined_channel": {"channels:read", "groups:read"},
    "tokens_revoked": set(),
}

# The scopes of each call: docs.slack.dev/reference/methods/<method>. That a bot may call
# conversations.replies in the channels it was added to:
# docs.slack.dev/reference/scopes/channels.history
OF_METHODS = {
    "assistant.threads_setSuggestedPrompts": {"assistant:write"},
    "auth.test": set(),
    "chat.postEphemeral": {"chat:write"},
    "chat.postMessage": {"chat:write"},
    "chat.update": {"chat:write"},
    "chat.delete": {"chat:write"},
    "files.delete": {"files:write"},
    "chat.startStream": {"chat:write"},
    "chat.appendStream": {"chat:write"},
    "chat.stopStream": {"chat:write"},
    "assistant.threads_setStatus": {"chat:write"},
    "agents.sessions_setStatus": {"chat:write"},
    # files.getUploadURLExternal and files.completeUploadExternal
    "files.upload_v2": {"files:write"},
    # Never asked about direct messages.
    "conversations.info": {"channels:read", "groups:read", "mpim:read"},
    "views.open": set(),
    "views.publish": set(),
    "views.update": set(),
    "reactions.add": {"reactions:write"},
    # Never asked about direct messages.
    "conversations.members": {"channels:read", "groups:read", "mpim:read"},
    "users.lookupByEmail": {"users:read.email"},
    "users.info": {"users:read", "users:read.email"},
    "conversations.replies": {"channels:history", "groups:history", "im:history", "mpim:history"},
    "conversations.history": {"channels:history", "groups:history", "im:history", "mpim:history"},
    "users.conversations": {"channels:read", "groups:read", "im:read", "mpim:read"},
}


class Recorded(App):
    """A real Bolt app that remembers what it was asked to listen to, in Bolt's own words."""

    def __init__(self, client: WebClient) -> None:
        self.asked: dict[str, list[Any]] = {}
        super().__init__(client=client, signing_secret="none", token_verification_enabled=False)

    def event(self, event: Any, *more: Any, **conditions: Any) -> Any:
        self._note("event", event)
        return super().event(event, *more, **conditions)

    def action(self, constraints: Any, *more: Any, **conditions: Any) -> Any:
        self._note("action", constraints)
        return super().action(constraints, *more, **conditions)

    def command(self, command: Any, *more: Any, **conditions: Any) -> Any:
        self._note("command", command)
        return super().command(command, *more, **conditions)

    def view(self, constraints: Any, *more: Any, **conditions: Any) -> Any:
        self._note("view", constraints)
        return super().view(constraints, *more, **conditions)

    def shortcut(self, constraints: Any, *more: Any, **conditions: Any) -> Any:
        self._note("shortcut", constraints)
        return super().shortcut(constraints, *more, **conditions)

    def _note(self, kind: str, constraint: Any) -> None:
        self.asked.setdefault(kind, []).append(constraint)


@pytest.fixture
def registered(tmp_path: Path, database: Database) -> Recorded:
    chosen = settings(tmp_path, "http://127.0.0.1:1", NOBODY)
    web = client(chosen)
    app = Recorded(web)
    for listeners in build_listeners(chosen, database, web, Aside()):
        listeners.register(app)
    return app


def called() -> set[str]:
    """The Web API methods that the bot names; Bolt itself calls auth.test, which needs no scope."""
    source = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "bot").rglob("*.py"))
    read = re.findall(r"client\.([a-z]+_\w+)\(", source)
    return {name.replace("_", ".", 1) for name in (*read, *Write)}


def test_every_event_that_is_listened_to_is_subscribed_and_nothing_else(
    registered: Recorded,
) -> None:
    asked = registered.asked["event"]
    # A subtype, such as that of an edit, needs no subscription of its own.
    names = {each["type"] if isinstance(each, dict) else each for each in asked}
    wanted = {kind for name in names for kind in KINDS.get(name, {name})}
    assert sorted(wanted) == SUBSCRIBED


def test_every_command_that_is_listened_to_is_offered_and_nothing_else(
    registered: Recorded,
) -> None:
    assert registered.asked["command"] == [
        command["command"] for command in FEATURES.get("slash_commands", [])
    ]


def test_every_shortcut_that_is_listened_to_is_offered_and_nothing_else(
    registered: Recorded,
) -> None:
    assert registered.asked.get("shortcut", []) == [
        shortcut["callback_id"] for shortcut in FEATURES.get("shortcuts", [])
    ]


def test_nothing_that_bolt_has_was_registered_past_this_test(registered: Recorded) -> None:
    assert len(registered._listeners) == sum(map(len, registered.asked.values()))


@pytest.mark.parametrize("event", [*SUBSCRIBED, "channel_created", "member_joined_channel"])
def test_bolt_finds_a_listener_for_what_is_subscribed_and_for_nothing_else(
    registered: Recorded, event: str
) -> None:
    """Asked of Bolt itself: what no listener takes gets 404, which Slack counts as a failure."""
    told = {
        "type": event.partition(".")[0],
        "channel_type": event.partition(".")[2],
        "user": "U1",
        "channel": "C1",
        "tab": "messages",
    }
    request = BoltRequest(
        body={"type": "event_callback", "team_id": "T1", "event": told}, mode="socket_mode"
    )
    response = BoltResponse(status=404)
    found = [
        listener
        for listener in registered._listeners
        if listener.matches(req=request, resp=response)
    ]
    assert bool(found) is (event in SUBSCRIBED)


def test_the_scopes_of_every_method_are_known() -> None:
    assert called() == OF_METHODS.keys()


def test_the_scopes_are_those_of_the_events_and_the_methods_and_no_more() -> None:
    needed = set().union(*(OF_EVENTS[event] for event in SUBSCRIBED), *OF_METHODS.values())
    needed |= {"commands"} if FEATURES.get("slash_commands") or FEATURES.get("shortcuts") else set()
    assert sorted(needed) == SCOPES


def test_every_shortcut_is_offered_on_messages_and_nothing_else() -> None:
    assert {each["type"] for each in SHORTCUTS} == {"message"}
    assert all(len(each["name"]) <= 24 and len(each["description"]) <= 150 for each in SHORTCUTS)


def test_the_app_is_an_agent_and_hears_when_somebody_opens_it() -> None:
    assert MANIFEST["features"]["agent_view"]["agent_description"]
    assert "app_home_opened" in SUBSCRIBED


def test_buttons_and_modals_reach_the_bot(registered: Recorded) -> None:
    assert registered.asked["action"]
    assert registered.asked["view"]
    assert MANIFEST["settings"]["interactivity"]["is_enabled"]


def test_events_and_buttons_come_through_socket_mode_and_need_no_address() -> None:
    assert MANIFEST["settings"]["socket_mode_enabled"]
    assert "request_url" not in json.dumps(MANIFEST)


def test_the_home_tab_is_shown() -> None:
    assert FEATURES["app_home"]["home_tab_enabled"]


def test_people_can_write_to_the_bot() -> None:
    home = FEATURES["app_home"]
    assert home["messages_tab_enabled"]
    assert not home["messages_tab_read_only_enabled"]


def test_names_are_as_short_as_slack_wants_them() -> None:
    # docs.slack.dev/reference/app-manifest: 35 and 140 characters, and 80 of a-z, 0-9, -, _ and .
    # for the bot
    shown = MANIFEST["display_information"]
    assert len(shown["name"]) <= 35
    assert len(shown["description"]) <= 140
    assert re.fullmatch(r"[a-z0-9._-]{1,80}", MANIFEST["features"]["bot_user"]["display_name"])
