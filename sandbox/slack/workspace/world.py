"""A workspace as one value: team, link to the app, open modals, faults, received calls."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from itertools import count
from random import Random

from sandbox.slack.workspace import events
from sandbox.slack.workspace.changes import Changes
from sandbox.slack.workspace.grants import Grants
from sandbox.slack.workspace.link import Link
from sandbox.slack.workspace.state import Everything, Fault, Trigger
from sandbox.slack.workspace.team import Team
from sandbox.slack.workspace.tiers import Limits, Meter
from sandbox.slack.workspace.values import HOME, Ids, Json, Message, Refused, Status, tombstone

# docs.slack.dev/interactivity/handling-user-interaction:
# "a trigger_id … will expire 3 seconds after"
TRIGGER_S = 3.0


@dataclass
class App:
    """What the app has once for all workspaces in which it is installed."""

    link: Link
    limits: Limits
    random: Random
    changes: Changes = field(default_factory=Changes)
    grants: Grants = field(default_factory=Grants)
    workspaces: dict[str, Sandbox] = field(default_factory=dict)  # by the ids of their teams
    responses: count[int] = field(default_factory=lambda: count(1))  # a number for each URL


class Sandbox:
    """A workspace and its listeners: the app through the link, the pages through `changes`."""

    def __init__(self, app: App, ids: Ids = HOME) -> None:
        self.app, self.ids = app, ids
        self.link, self.changes, self.random = app.link, app.changes, app.random
        self.base_url = ""  # where the app reached us last: uploads go to the same place
        self.renew()
        app.workspaces[ids.team] = self

    @property
    def team(self) -> Team:
        return self.now.team

    @property
    def is_installed(self) -> bool:
        return self.app.grants.is_installed(self.ids.team)

    def renew(self) -> None:
        """Back to an empty workspace."""
        self.now = Everything(Team(self.ids))
        self.meter = Meter(self.app.limits)

    def in_team(self, name: str) -> Sandbox:
        """The workspace of this name or id of a team; the first one without.

        Raises:
            Refused: there is none.
        """
        for each in self.app.workspaces.values():
            if name.lower() in ("", each.ids.team.lower(), each.ids.name.lower()):
                return each
        raise Refused("team_not_found")

    def announce(self, *told: Json) -> list[Json]:
        """Send events to the app, in this order; nothing where it is not installed."""
        if not self.is_installed:
            return []
        callbacks = [events.callback(event, self.ids) for event in told]
        for callback in callbacks:
            self.link.deliver("events_api", callback)
        return callbacks

    def take_leave(self, *told: Json) -> None:
        """Tell the app that it was removed, or its token: Slack promises no order."""
        callbacks = [events.farewell(event, self.ids) for event in told]
        self.random.shuffle(callbacks)
        for callback in callbacks:
            self.link.deliver("events_api", callback)
        self.changes.tell("team")

    def posted(self, message: Message, *also: Json) -> Message:
        """Announce a new message; with `also`, the app gets several events for it, in any order."""
        told = [events.posted(message, self.team.channel(message.channel)), *also]
        self.random.shuffle(told)
        self.announce(*told)
        self.changes.tell("message", message.channel, message.ts)
        return message

    def changed(self, before: Message, message: Message) -> Message:
        self.team.keep(message)
        self.announce(
            events.changed(message, before, self.team.channel(message.channel), self.team.new_ts())
        )
        self.changes.tell("message", message.channel, message.ts)
        return message

    def deleted(self, message: Message) -> None:
        """Take a message away; what has replies leaves a tombstone, which is a change."""
        if self.team.has_replies(message):
            self.changed(message, tombstone(message))
            return
        self.team.remove(message)
        self.announce(
            events.deleted(message, self.team.channel(message.channel), self.team.new_ts())
        )
        self.changes.tell("message", message.channel, message.ts)

    def reacted(self, kind: str, message: Message, user: str, name: str) -> None:
        self.announce(events.reacted(kind, message, user, name, self.team.new_ts()))
        self.changes.tell("message", message.channel, message.ts)

    def response_url(self, base_url: str, where: tuple[str, str, str]) -> str:
        """A new URL for answers to what was done: `where` is its channel, message and person."""
        number = str(next(self.app.responses))
        self.now.responses[number] = where
        return f"{base_url}/response/{number}"

    def new_trigger(self, user: str) -> str:
        trigger = f"{time.time_ns()}.{secrets.token_hex(8)}"
        self.now.triggers[trigger] = Trigger(user, time.monotonic() + TRIGGER_S)
        return trigger

    def use_trigger(self, trigger_id: str) -> str:
        """The person behind a trigger that lives: docs.slack.dev/reference/methods/views.open."""
        trigger = self.now.triggers.get(trigger_id)
        if trigger is None:
            raise Refused("invalid_trigger_id")
        if trigger.used:
            raise Refused("exchanged_trigger_id")
        if time.monotonic() > trigger.until:
            raise Refused("expired_trigger_id")
        trigger.used = True
        return trigger.user

    def fault_for(self, method: str) -> Fault | None:
        """The first fault ordered for this method, counted down."""
        for fault in self.now.faults:
            meant = fault.times > 0 and fault.method in ("", method)
            if meant and self.random.random() < fault.share:
                fault.times -= 1
                return fault
        return None

    def status(self, channel: str, thread_ts: str) -> Status | None:
        """The status shown in a thread, unless its two minutes are over."""
        status = self.now.statuses.get((channel, thread_ts))
        return status if status and time.time() < status.until else None
