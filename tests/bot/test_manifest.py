"""`manifest.json` asks Slack for what the bot uses: no event less, no scope more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from desk import NOBODY, parts, settings
from slack_bolt import App

from bot import listeners
from core.database import Database

ROOT = Path(__file__).parents[2]
MANIFEST = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
SUBSCRIBED = MANIFEST["settings"]["event_subscriptions"]["bot_events"]
SCOPES = MANIFEST["oauth_config"]["scopes"]["bot"]

# Slack is subscribed to messages by the kind of conversation: docs.slack.dev/reference/events/message
KINDS = {"message": {"message.channels", "message.groups", "message.im", "message.mpim"}}

# The scopes of each event: docs.slack.dev/reference/events/<event>
OF_EVENTS = {
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
}

# The scopes of each call: docs.slack.dev/reference/methods/<method>, and docs.slack.dev/reference/scopes/channels.history
# for the fact that a bot may call conversations.replies in the channels it was added to.
OF_METHODS = {
    "auth.test": set(),
    "chat.postEphemeral": {"chat:write"},
    "chat.postMessage": {"chat:write"},
    "chat.update": {"chat:write"},
    "chat.delete": {"chat:write"},
    "files.delete": {"files:write"},
    "files.upload_v2": {"files:write"},  # files.getUploadURLExternal and files.completeUploadExternal
    "views.open": set(),
    "views.update": set(),
    "users.info": {"users:read", "users:read.email"},
    "conversations.replies": {"channels:history", "groups:history", "im:history", "mpim:history"},
}


class Heard:
    """In the place of a Bolt app: what the bot registers for."""

    def __init__(self) -> None:
        self.events: set[str] = set()
        self.actions: list[Any] = []

    def event(self, name: str) -> Callable[[object], None]:
        self.events.add(name)
        return lambda _listener: None

    def action(self, constraint: Any) -> Callable[[object], None]:
        self.actions.append(constraint)
        return lambda _listener: None


def registered(folder: Path, database: Database) -> Heard:
    heard = Heard()
    listeners.register(cast(App, heard), parts(settings(folder, "http://127.0.0.1:1", NOBODY), database))
    return heard


def called() -> set[str]:
    """The Web API methods that the bot's code names; Bolt itself calls auth.test, which needs no scope."""
    source = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "bot").glob("*.py"))
    return {name.replace("_", ".", 1) for name in re.findall(r"client\.([a-z]+_\w+)\(", source)}


def test_every_event_that_is_listened_to_is_subscribed_and_nothing_else(tmp_path: Path, database: Database) -> None:
    wanted = {kind for name in registered(tmp_path, database).events for kind in KINDS.get(name, {name})}
    assert sorted(wanted) == SUBSCRIBED


def test_the_scopes_of_every_method_are_known() -> None:
    assert called() == OF_METHODS.keys()


def test_the_scopes_are_those_of_the_events_and_the_methods_and_no_more() -> None:
    needed = {OF_EVENTS[event] for event in SUBSCRIBED}.union(*OF_METHODS.values())
    assert sorted(needed) == SCOPES


def test_buttons_reach_the_bot(tmp_path: Path, database: Database) -> None:
    assert registered(tmp_path, database).actions
    assert MANIFEST["settings"]["interactivity"]["is_enabled"]


def test_events_and_buttons_come_through_socket_mode_and_need_no_address() -> None:
    assert MANIFEST["settings"]["socket_mode_enabled"]
    assert "request_url" not in json.dumps(MANIFEST)


def test_people_can_write_to_the_bot() -> None:
    home = MANIFEST["features"]["app_home"]
    assert home["messages_tab_enabled"]
    assert not home["messages_tab_read_only_enabled"]


def test_names_are_as_short_as_slack_wants_them() -> None:
    # docs.slack.dev/reference/app-manifest: 35 and 140 characters, and 80 of a-z, 0-9, -, _ and . for the bot
    shown = MANIFEST["display_information"]
    assert len(shown["name"]) <= 35
    assert len(shown["description"]) <= 140
    assert re.fullmatch(r"[a-z0-9._-]{1,80}", MANIFEST["features"]["bot_user"]["display_name"])
