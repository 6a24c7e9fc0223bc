"""The workspace page: rendered here, in the browser only moved into place."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.slack.render import markdown, mrkdwn
from sandbox.slack.render.emoji import with_emoji
from sandbox.slack.workspace.values import (
    BOT,
    PEOPLE,
    Channel,
    Json,
    Message,
    Refused,
    User,
    View,
)
from sandbox.slack.workspace.world import Sandbox

FOLDER = Path(__file__).parent
GROUPED_S = 300  # messages of one person within five minutes share one name and picture
# The page brings all it needs; nothing that a message says may load or run anything.
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
QUICK = ("+1", "-1", "question", "mag", "white_check_mark")


@dataclass(frozen=True)
class Seat:
    """A viewer of the page: who they are, which channel and thread they look at."""

    user: User
    channel: Channel
    thread_ts: str | None
    at_home: bool = False  # in the Home tab of the bot


async def whole(request: Request) -> Response:
    sandbox = _workspace(request)
    seat = _seat(sandbox, request)
    html = (
        _templates()
        .get_template("page.html")
        .render(**_context(sandbox, seat), parts=_parts(sandbox, seat))
    )
    return HTMLResponse(
        html, headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    )


async def pieces(request: Request) -> Response:
    """The parts of the page that change, each as HTML by the id of its place."""
    sandbox = _workspace(request)
    return JSONResponse(
        _parts(sandbox, _seat(sandbox, request)), headers={"Cache-Control": "no-store"}
    )


def _workspace(request: Request) -> Sandbox:
    """The one that `team` of the address names, else the first."""
    home: Sandbox = request.app.state.sandbox
    try:
        return home.in_team(request.query_params.get("team", ""))
    except Refused:
        return home


def _seat(sandbox: Sandbox, request: Request) -> Seat:
    asked = request.query_params
    try:
        user = sandbox.team.user(asked.get("as", "alice"))
    except Refused:
        user = PEOPLE[0]
    channel = _channel(sandbox, user, asked.get("channel", "general"))
    thread_ts = asked.get("thread") or None
    known = {message.ts for message in sandbox.team.messages(channel.id)}
    return Seat(
        user, channel, thread_ts if thread_ts in known else None, asked.get("channel") == "home"
    )


def _channel(sandbox: Sandbox, user: User, asked: str) -> Channel:
    if asked in ("dm", "home"):
        return sandbox.team.direct(user)
    try:
        channel = sandbox.team.channel_named(asked)
    except Refused:
        channel = sandbox.team.channel_named("general")
    return sandbox.team.direct(user) if channel.is_im and channel.user != user.id else channel


def _parts(sandbox: Sandbox, seat: Seat) -> dict[str, str]:
    template, context = _templates().get_template("parts.html"), _context(sandbox, seat)
    module: Any = template.make_module(context)
    names = ("sidebar", "title", "messages", "thread", "modal")
    return {name: str(getattr(module, name)()) for name in names}


def _context(sandbox: Sandbox, seat: Seat) -> Json:
    people = [user for user in sandbox.team.users.values() if not user.is_bot]
    names = {user.id: user.name for user in sandbox.team.users.values()}
    names |= {channel.id: channel.name for channel in sandbox.team.channels.values()}
    thread = (seat.channel.id, seat.thread_ts or "")
    return {
        "seat": seat,
        "place": sandbox.ids,
        "places": [each.ids for each in sandbox.app.workspaces.values()],
        "people": people,
        "channels": [c for c in sandbox.team.channels.values() if not c.is_im],
        "online": sandbox.link.ways > 0,
        "main": _listed(sandbox, seat, [m for m in _visible(sandbox, seat) if not m.is_reply]),
        "replies": _listed(sandbox, seat, _thread(sandbox, seat)),
        "thread_status": sandbox.status(*thread),
        "processing": _works(sandbox, *thread),
        "prompts": sandbox.now.prompts.get(seat.channel.id),
        "view": _view(sandbox, seat),
        "home": sandbox.now.homes.get(seat.user.id),
        "quick": QUICK,
        "mrkdwn": lambda text: mrkdwn.render(text, names),
        "names": names,
    }


def _visible(sandbox: Sandbox, seat: Seat) -> list[Message]:
    messages = sandbox.team.messages(seat.channel.id)
    return [m for m in messages if m.ephemeral_for in (None, seat.user.id)]


def _thread(sandbox: Sandbox, seat: Seat) -> list[Message]:
    return [m for m in _visible(sandbox, seat) if seat.thread_ts and m.root_ts == seat.thread_ts]


def _listed(sandbox: Sandbox, seat: Seat, messages: list[Message]) -> list[Json]:
    """The messages as the template shows them."""
    replies = [message for message in _visible(sandbox, seat) if message.is_reply]
    found = []
    for before, message in zip([None, *messages], messages, strict=False):
        its_own = [reply for reply in replies if reply.thread_ts == message.ts]
        repliers = dict.fromkeys(reply.user for reply in its_own)
        shown = {
            "message": message,
            "author": sandbox.team.users[message.user],
            "time": time.strftime("%H:%M", time.localtime(float(message.ts))),
            "joined": before is not None and _goes_with(before, message),
            "replies": its_own,
            "repliers": [sandbox.team.users[user] for user in repliers],
            "status": sandbox.status(message.channel, message.ts),
            "processing": _works(sandbox, message.channel, message.ts),
            "chosen": _choices(sandbox, seat.user.id, message.ts),
        }
        found.append(shown)
    return found


def _works(sandbox: Sandbox, channel: str, thread_ts: str) -> bool:
    """Whether the bot's session in this thread can be stopped."""
    return sandbox.now.sessions.get((channel, thread_ts)) == "processing"


def _choices(sandbox: Sandbox, user: str, ts: str) -> Json:
    """What this person chose on a message, by action id."""
    found = {}
    for (chooser, message_ts, action), value in sandbox.now.choices.items():
        if (chooser, message_ts) == (user, ts):
            found[action] = value
    return found


def _goes_with(before: Message, message: Message) -> bool:
    return before.user == message.user and float(message.ts) - float(before.ts) < GROUPED_S


def _view(sandbox: Sandbox, seat: Seat) -> View | None:
    for view in reversed(sandbox.now.views.values()):
        if view.open and view.user == seat.user.id:
            return view
    return None


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(FOLDER / "templates")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "markdown": markdown.render,
        "emoji": with_emoji,
        "initials": _initials,
        "colour": _colour,
    }
    environment.tests["web"] = mrkdwn.is_web
    environment.globals |= {"bot": BOT}
    return environment


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()[:2]).upper()


def _colour(user: User) -> str:
    """The class of a person's picture; style attributes would break the policy."""
    place = next((n for n, person in enumerate(PEOPLE, 1) if person.id == user.id), 1)
    return "abot" if user.is_bot else f"a{place}"
