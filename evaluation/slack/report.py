"""What became of questions: made, which SQL tells, and shown, which the stand-in tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import psutil
from sqlmodel import col, select

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.progress import STOP_ANSWER_ACTION
from core.storage.database import Database
from core.storage.tables import TurnRow
from evaluation.slack.figures import Figures, quantiles
from evaluation.slack.load import Asked
from sandbox.programs.stack import Stack
from sandbox.slack.client import Call, Message, Workspace

SIGNS = ("assistant.threads.setStatus", "agents.sessions.setStatus")


@dataclass
class Replies:
    """What a question got in reply; times are those of Slack."""

    signs: list[float] = field(default_factory=list)
    shown: float | None = None  # when the final text stood there
    answers: int = 0  # messages that end in the buttons of an answer


def report(asked: Sequence[Asked], workspace: Workspace, database: Database) -> Figures:
    """What is known of these questions: seconds, and how many were lost or answered twice."""
    replies = _replies(asked, workspace)
    made = _made(database)
    first = [min(reply.signs) - each.at for each, reply in replies.items() if reply.signs]
    shown = {each: reply.shown for each, reply in replies.items() if reply.shown is not None}
    after = [at - made[each] for each, at in shown.items() if each in made]
    return {
        "n, questions": len(asked),
        "n, without a word": sum(not reply.signs for reply in replies.values()),
        "n, without an end": len(asked) - len(shown),
        "n, answered twice": sum(reply.answers > 1 for reply in replies.values()),
        **quantiles("s, first sign", first, 50, 95),
        **quantiles("s, made", [made[each] - each.at for each in asked if each in made], 50, 95),
        **quantiles("s, shown", [at - each.at for each, at in shown.items()], 50, 95, 100),
        **quantiles("s, shown after made", after, 50, 90, 95, 100),
    }


def _made(database: Database) -> dict[Asked, float]:
    """When each answer, or the reason why there is none, was saved."""
    query = select(TurnRow.channel, TurnRow.ts, TurnRow.finished_at)
    with database.reading() as session:
        rows = session.exec(query.where(col(TurnRow.finished_at).is_not(None))).all()
    return {Asked(channel, ts): at for channel, ts, at in rows if at is not None}


def _replies(asked: Sequence[Asked], workspace: Workspace) -> dict[Asked, Replies]:
    found = {each: Replies() for each in asked}
    received = [call for call in workspace.received() if call.ok]
    writes = _by_message(received)
    for call in received:
        place = Asked(str(call.arguments.get("channel_id")), str(call.arguments.get("thread_ts")))
        if call.method in SIGNS and place in found:
            found[place].signs.append(call.time)
    for channel in sorted({each.channel for each in asked}):
        for message in workspace.messages(channel):
            reply = found.get(Asked(channel, message.root_ts))
            if reply is not None and message.bot and not message.ephemeral_for:
                _count(reply, message, writes)
    return found


def _by_message(received: Sequence[Call]) -> dict[tuple[str, str], list[Call]]:
    """The writes to a message; a new one is known by its thread alone."""
    found: dict[tuple[str, str], list[Call]] = {}
    for call in received:
        channel = str(call.arguments.get("channel"))
        if call.method == "chat.postMessage":
            place = (channel, str(call.arguments.get("thread_ts")))
        elif call.method in ("chat.update", "chat.stopStream"):
            place = (channel, str(call.arguments.get("ts")))
        else:
            continue
        found.setdefault(place, []).append(call)
    return found


def _count(reply: Replies, message: Message, writes: Mapping[tuple[str, str], list[Call]]) -> None:
    reply.signs.append(float(message.ts))
    reply.answers += message.has_button(EXPLAIN_ACTION)
    if message.streaming or message.has_button(STOP_ANSWER_ACTION) or not message.blocks:
        return
    posts = writes.get((message.channel, message.root_ts), [])
    changes = writes.get((message.channel, message.ts), [])
    saying = [call.time for call in (*posts, *changes) if _says(call, message)]
    stops = [call.time for call in changes if call.method == "chat.stopStream"]
    at = min(saying or stops, default=float(message.ts))
    reply.shown = at if reply.shown is None else min(reply.shown, at)


def _says(call: Call, message: Message) -> bool:
    """Whether this call wrote the text that stands there in the end, and no Stop button."""
    same = call.arguments.get("text") == message.text
    return same and STOP_ANSWER_ACTION not in str(call.arguments.get("blocks") or "")


def cpu_seconds(stack: Stack) -> dict[str, float]:
    found = {}
    for name, program in stack.programs.running.items():
        if program.process.poll() is None:
            times = psutil.Process(program.process.pid).cpu_times()
            found[name] = times.user + times.system
    return found


def cpu_used(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    names = [name for name in before if name in after]
    return {f"s of CPU, {name}": round(after[name] - before[name], 1) for name in names}
