"""What the stand-in for Slack, the bot's metrics and the processes tell about a load."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import httpx
import psutil
from prometheus_client.parser import text_string_to_metric_families
from sqlmodel import func, select

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.progress import STOP_ANSWER_ACTION
from core.states import TurnState
from core.storage.database import Database
from core.storage.tables import TurnRow
from evaluation.slack.load import CHANNELS, Asked
from sandbox.programs.stack import Stack
from sandbox.slack.client import Workspace

Json = dict[str, Any]


@dataclass
class Replies:
    """What a question got in reply."""

    first: float  # when our first sign came
    final: float | None  # when its final text stood there
    count: int = 0  # messages that end in the buttons of an answer


def report(
    asked: Sequence[Asked], workspace: Workspace, database: Database
) -> dict[str, float | None]:
    """What the stand-in saw of these questions."""
    events = [each for each in workspace.state()["deliveries"] if each["kind"] == "events_api"]
    of_people = [each for each in events if _is_of_a_person(each) and each["acknowledged"]]
    acknowledged = [1000 * (each["acknowledged_at"] - each["sent_at"][0]) for each in of_people]
    replies = _replies(workspace)
    first, final = [], []
    for question in asked:
        if reply := replies.get(question):
            first.append(reply.first - question.at)
            if reply.final:
                final.append(reply.final - question.at)
    return {
        "n": len(asked),
        "ms, acknowledged, p50": _quantile(acknowledged, 50),
        "ms, acknowledged, p99": _quantile(acknowledged, 99),
        "n, events": len(events),
        "n, events not acknowledged": sum(not each["acknowledged"] for each in events),
        "n, events sent again": sum(each["attempts"] > 1 for each in events),
        "n, questions lost": sum(each not in replies for each in asked),
        "n, questions without an end": len(asked) - len(final),
        "n, questions answered twice": sum(
            each in replies and replies[each].count > 1 for each in asked
        ),
        "n, closed with a reason": _closed(database),
        "s, first progress, p50": _quantile(first, 50),
        "s, first progress, p95": _quantile(first, 95),
        "s, final answer, p50": _quantile(final, 50),
        "s, final answer, p95": _quantile(final, 95),
    }


def _is_of_a_person(delivery: Json) -> bool:
    event = delivery["payload"]["event"]
    return "bot_id" not in event and "subtype" not in event


def _replies(workspace: Workspace) -> dict[Asked, Replies]:
    """By question; a reply becomes final when it is posted, updated or its stream stops."""
    signs = _first_calls(workspace, "assistant.threads.setStatus", "channel_id", "thread_ts")
    posted = _first_calls(workspace, "chat.postMessage", "channel", "thread_ts", only=_is_final)
    stopped = _first_calls(workspace, "chat.stopStream", "channel", "ts", only=_is_final)
    updated = _first_calls(workspace, "chat.update", "channel", "ts", only=_is_final)
    changed = stopped | updated
    found: dict[Asked, Replies] = {}
    for message in chain.from_iterable(map(workspace.messages, CHANNELS)):
        if not message.bot:
            continue
        question = Asked(message.channel, message.root_ts)
        place, ts = (question.channel, question.ts), float(message.ts)
        first = min(ts, signs.get(place, ts))
        reply = found.setdefault(question, Replies(first, posted.get(place)))
        reply.final = reply.final or changed.get((message.channel, message.ts))
        reply.count += message.has_button(EXPLAIN_ACTION)
    return found


def _first_calls(
    workspace: Workspace, method: str, *place: str, only: Callable[[Json], bool] = bool
) -> dict[tuple[str, str], float]:
    """When this method was first called for each place."""
    found: dict[tuple[str, str], float] = {}
    for call in workspace.received(method):
        if call.ok and only(call.arguments):
            channel, ts = (str(call.arguments.get(each)) for each in place)
            found.setdefault((channel, ts), call.time)
    return found


def _is_final(arguments: Json) -> bool:
    """Whether these are the blocks of a final answer: progress has none, or a button to stop it."""
    blocks = str(arguments.get("blocks") or "")
    return blocks not in ("", "[]") and STOP_ANSWER_ACTION not in blocks


def _closed(database: Database) -> int:
    with database.reading() as session:
        return session.exec(select(func.count()).where(TurnRow.state == TurnState.FAILED)).one()


def _quantile(values: Sequence[float], percent: int) -> float | None:
    """None when there is nothing to measure."""
    if not values:
        return None
    place = min(len(values) - 1, len(values) * percent // 100)
    return round(sorted(values)[place], 2)


def share_acknowledged_soon(stack: Stack) -> float:
    """By the bot's own clock, which does not include the latency of the stand-in."""
    text = httpx.get(f"http://127.0.0.1:{stack.settings.health_port}/metrics", trust_env=False).text
    counts = {"0.2": 0.0, "+Inf": 0.0}
    for family in text_string_to_metric_families(text):
        if family.name == "groundwire_slack_request_seconds":
            for sample in family.samples:
                bound = sample.labels.get("le")
                if bound in counts:
                    counts[bound] += sample.value
    return counts["0.2"] / counts["+Inf"]


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
