"""The stand-in as one value: team, link to the app, open modals, faults, received calls."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from random import Random

from sandbox.slack.workspace import events
from sandbox.slack.workspace.changes import Changes
from sandbox.slack.workspace.link import Link, RetryPolicy
from sandbox.slack.workspace.team import Team
from sandbox.slack.workspace.tiers import PUBLISHED, Limits, Meter
from sandbox.slack.workspace.values import (
    File,
    Json,
    Message,
    Refused,
    Status,
    View,
    tombstone,
)

# docs.slack.dev/interactivity/handling-user-interaction:
# "a trigger_id … will expire 3 seconds after"
TRIGGER_S = 3.0


@dataclass
class Trigger:
    """The right to open one modal for the person who just did something."""

    user: str
    until: float
    used: bool = False


@dataclass
class Fault:
    """What to answer instead of the truth, and how often."""

    method: str = ""  # empty: any
    error: str = ""
    status: int = 200
    retry_after: int | None = None  # seconds, with status 429
    after: bool = False  # carry the call out first: the reply gets lost, not the request
    times: int = 1
    seconds: float = 0.0  # to wait before the reply; alone, the reply is the truth
    lost: bool = False  # carried out, but the connection is closed before the reply
    share: float = 1.0  # of the calls, by chance

    @property
    def is_truthful(self) -> bool:
        """Whether it only takes its time."""
        return not (self.error or self.lost or self.status != 200 or self.retry_after is not None)


@dataclass(frozen=True)
class Call:
    """One Web API call of the bot, and how it was answered."""

    method: str
    arguments: Json
    ok: bool
    error: str
    status: int
    time: float
    lost: bool = False  # the connection was closed before the reply


@dataclass
class Everything:
    """What a reset makes new."""

    team: Team = field(default_factory=Team)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    responses: dict[str, tuple[str, str, str]] = field(
        default_factory=dict
    )  # response_url -> (channel, ts, user)
    statuses: dict[tuple[str, str], Status] = field(default_factory=dict)
    sessions: dict[tuple[str, str], str] = field(default_factory=dict)
    prompts: dict[str, Json] = field(default_factory=dict)
    choices: dict[tuple[str, str, str], str] = field(
        default_factory=dict
    )  # (user, ts, action id) -> value of the feedback button chosen
    files: dict[str, File] = field(default_factory=dict)
    lacking: set[str] = field(default_factory=set)  # methods that this workspace does not have
    faults: list[Fault] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)


class Sandbox:
    """The state and its listeners: the app through the link, the pages through `changes`."""

    def __init__(
        self,
        retry_policy: RetryPolicy,
        seed: int | None = None,
        limits: Limits = PUBLISHED,
    ) -> None:
        self.link = Link(retry_policy)
        self.limits = limits
        self.meter = Meter(limits)
        self.changes = Changes()
        self.random = Random(seed)
        self.base_url = ""  # where the app reached us last: uploads go to the same place
        self.now = Everything()

    @property
    def team(self) -> Team:
        return self.now.team

    def reset(self) -> None:
        """Back to an empty workspace; the app stays connected."""
        self.link.forget()
        self.now = Everything()
        self.meter = Meter(self.limits)
        self.changes.tell("reset")

    def announce(self, *told: Json) -> list[Json]:
        """Send events to the app, in this order."""
        callbacks = [events.callback(event) for event in told]
        for callback in callbacks:
            self.link.deliver("events_api", callback)
        return callbacks

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
