"""`python -m evaluation slack`: the whole product under load, real processes against the stand-in for Slack and a scripted model.

Two loads over each transport: a steady one, and a rush in which all questions come at once. What is reported was seen by the stand-in,
so it holds for what people would have seen. Everything shares this machine, the stand-ins and whoever asks included.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import httpx
import psutil
import typer
import yaml
from prometheus_client.parser import text_string_to_metric_families
from rich.progress import Progress
from sqlmodel import col, func, select

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.progress import STOP_ANSWER_ACTION
from core.storage.database import Database, open_database
from core.storage.tables import TurnRow
from evaluation.harness.stage import AsJson, console, fail, show_down
from sandbox.confluence.__main__ import SAMPLE
from sandbox.llm.client import ScriptedModel
from sandbox.programs.processes import DidNotStart, free_port
from sandbox.programs.stack import PRODUCT, Stack, Transport
from sandbox.slack.client import Workspace

FIRST_S, WHOLE_S = 0.3, 2.0  # of the model's answer
EVENTS_OF_A_MENTION = 2
PEOPLE, CHANNELS = ("alice", "ben", "chloe", "dev"), ("general", "engineering", "hr")
DRAIN_S = 600.0  # all answers have come by then, or never will
WARM_S = 30.0
Json = dict[str, Any]


@dataclass(frozen=True)
class Load:
    """So many mentions a second for so many seconds."""

    name: str
    rate: float
    seconds: float

    @property
    def mentions(self) -> int:
        return round(self.rate * self.seconds)


@dataclass(frozen=True)
class Asked:
    """A mention: where it stands, and when it was made."""

    channel: str
    ts: str

    @property
    def at(self) -> float:
        return float(self.ts)


def slack(
    rate: Annotated[float, typer.Option(help="Questions a second.")] = 5.0,
    seconds: Annotated[
        float, typer.Option(help="For so long; 0 leaves the steady load out.")
    ] = 120.0,
    burst: Annotated[
        float, typer.Option(help="Events a second in the rush; a mention is two.")
    ] = 100.0,
    burst_seconds: Annotated[
        float, typer.Option(help="For so long; 0 leaves the rush out.")
    ] = 10.0,
    transport: Annotated[
        list[str] | None, typer.Option(help="socket or http; both unless named.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Acknowledgements, first progress and answers under load; what is lost or answered twice."""
    loads = [
        Load("steady", rate, seconds),
        Load("rush", burst / EVENTS_OF_A_MENTION, burst_seconds),
    ]
    columns: dict[str, Mapping[str, float | None]] = {}
    for way in transport or ["socket", "http"]:
        for load in [each for each in loads if each.mentions]:
            with TemporaryDirectory() as folder:
                try:
                    columns[f"{way}, {load.name}"] = measured(Path(folder), way, load)
                except DidNotStart as error:
                    fail(str(error))
    show_down(columns, as_json=as_json)


def measured(folder: Path, way: str, load: Load) -> dict[str, float | None]:
    transport: Transport = "http" if way == "http" else "socket"
    settings = {"HEALTH_PORT": str(free_port())}
    with Stack(folder, pages=SAMPLE, model="toy", transport=transport, settings=settings) as stack:
        with console.status(f"starting everything ({way})"):
            _start(stack)
        database = open_database(stack.settings.sql_url)
        before = _seconds_of_cpu(stack)
        asked = asyncio.run(_ask(stack, load, title=f"{way}, {load.name}"))
        took = _until_all_answered(database, len(asked) + 1)
        figures = {"s until the last answer": took, **_cpu(before, _seconds_of_cpu(stack))}
        with Workspace(stack.slack_url) as workspace:
            found = report(asked, workspace, database) | figures
        return found | {
            "share acknowledged in 0.2 s, in the bot": _soon(stack),
            "load average": os.getloadavg()[0],
        }


def _start(stack: Stack) -> None:
    """Bring everything up, and ask one question to warm it."""
    stack.start_sandbox()
    stack.start_model()
    stack.start("redis", "chroma")
    sync = stack.sync()
    stack.start(*PRODUCT[2:])
    if sync.process.wait() != 0:
        raise DidNotStart(f"the sync failed: {sync.last_words()}")
    with ScriptedModel(stack.settings.llm_base_url or "") as model:
        model.take(FIRST_S, WHOLE_S)
    with Workspace(stack.slack_url) as workspace:
        workspace.wait_for_app(WARM_S)
        workspace.wait_for_reply(
            workspace.say("alice", "hr", "@groundwire Who leads the Vision team?"),
            WARM_S,
            lambda m: bool(m.blocks),
        )


async def _ask(stack: Stack, load: Load, *, title: str) -> list[Asked]:
    """Ask at the given rate, whether or not earlier questions are answered."""
    questions = list(islice(_questions(), load.mentions))
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(
        base_url=stack.slack_url, trust_env=False, timeout=60, limits=limits
    ) as http:
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task(f"{title}: asking", total=len(questions))

            async def say(number: int, question: str) -> Asked:
                await asyncio.sleep(max(0.0, began + number / load.rate - time.monotonic()))
                who, where = PEOPLE[number % len(PEOPLE)], CHANNELS[number % len(CHANNELS)]
                sent = await http.post(
                    "/sandbox/say",
                    json={"user": who, "channel": where, "text": f"@groundwire {question}"},
                )
                progress.advance(task)
                message = sent.json()
                return Asked(message["channel"], message["ts"])

            began = time.monotonic()
            return await asyncio.gather(
                *(say(number, question) for number, question in enumerate(questions))
            )


def _questions() -> Iterator[str]:
    entries = yaml.safe_load((SAMPLE / "questions.yaml").read_text(encoding="utf-8"))
    return cycle(entry["question"] for entry in entries if "after" not in entry)


def _until_all_answered(database: Database, count: int) -> float:
    """Seconds until every question has its final message."""
    began = time.monotonic()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("answering", total=count)
        while time.monotonic() - began < DRAIN_S:
            done = _delivered(database)
            progress.update(task, completed=done)
            if done >= count:
                break
            time.sleep(0.5)
    return round(time.monotonic() - began, 1)


def _delivered(database: Database) -> int:
    with database.reading() as session:
        return session.exec(
            select(func.count()).where(col(TurnRow.delivered_at).is_not(None))
        ).one()


def report(
    asked: Sequence[Asked], workspace: Workspace, database: Database
) -> dict[str, float | None]:
    """What the stand-in saw of these questions."""
    deliveries = [each for each in workspace.state()["deliveries"] if each["kind"] == "events_api"]
    of_people = [
        each
        for each in deliveries
        if "bot_id" not in (event := each["payload"]["event"]) and "subtype" not in event
    ]
    acknowledged = [
        1000 * (each["acknowledged_at"] - each["sent_at"][0])
        for each in of_people
        if each["acknowledged"]
    ]
    replies = _replies(workspace)
    first = [replies[each][0] - each.at for each in asked if replies.get(each)]
    final = [end - each.at for each in asked if each in replies and (end := replies[each][1])]
    return {
        "n": len(asked),
        "ms, acknowledged, p50": _quantile(acknowledged, 50),
        "ms, acknowledged, p99": _quantile(acknowledged, 99),
        "n, events": len(deliveries),
        "n, events not acknowledged": sum(not each["acknowledged"] for each in deliveries),
        "n, events sent again": sum(each["attempts"] > 1 for each in deliveries),
        "n, questions lost": sum(each not in replies for each in asked),
        "n, questions without an end": len(asked) - len(final),
        "n, questions answered twice": sum(
            replies[each][2] > 1 for each in asked if each in replies
        ),
        "n, closed with a reason": _closed(database),
        "s, first progress, p50": _quantile(first, 50),
        "s, first progress, p95": _quantile(first, 95),
        "s, final answer, p50": _quantile(final, 50),
        "s, final answer, p95": _quantile(final, 95),
    }


def _replies(workspace: Workspace) -> dict[Asked, tuple[float, float | None, int]]:
    """By question: when our first sign came, when its final text stood there, and how many messages end in the buttons of an answer."""
    signs = _told(workspace, "assistant.threads.setStatus", "channel_id", "thread_ts")
    posted = _told(workspace, "chat.postMessage", "channel", "thread_ts", only=_is_final)
    stopped = _told(workspace, "chat.stopStream", "channel", "ts", only=_is_final)
    changed = stopped | _told(workspace, "chat.update", "channel", "ts", only=_is_final)
    found: dict[Asked, tuple[float, float | None, int]] = {}
    for message in (each for name in CHANNELS for each in workspace.messages(name) if each.bot):
        question = Asked(message.channel, message.root_ts)
        sign = min(float(message.ts), signs.get((question.channel, question.ts), float(message.ts)))
        first, end, count = found.get(
            question, (sign, posted.get((question.channel, question.ts)), 0)
        )
        found[question] = (
            first,
            end or changed.get((message.channel, message.ts)),
            count + message.has_button(EXPLAIN_ACTION),
        )
    return found


def _told(
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
    """Whether this is what stands there in the end; while it is made, there is a button to stop it, or none."""
    blocks = str(arguments.get("blocks") or "")
    return blocks not in ("", "[]") and STOP_ANSWER_ACTION not in blocks


def _closed(database: Database) -> int:
    with database.reading() as session:
        return session.exec(select(func.count()).where(TurnRow.state == "failed")).one()


def _quantile(values: Sequence[float], percent: int) -> float | None:
    """None when there is nothing to measure."""
    ordered = sorted(values)
    return (
        round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 2) if ordered else None
    )


def _soon(stack: Stack) -> float:
    """By the bot's own clock, which does not see what the stand-in adds."""
    text = httpx.get(f"http://127.0.0.1:{stack.settings.health_port}/metrics", trust_env=False).text
    samples = [
        s
        for family in text_string_to_metric_families(text)
        if family.name == "groundwire_slack_request_seconds"
        for s in family.samples
    ]
    soon = sum(sample.value for sample in samples if sample.labels.get("le") == "0.2")
    return soon / sum(sample.value for sample in samples if sample.labels.get("le") == "+Inf")


def _seconds_of_cpu(stack: Stack) -> dict[str, float]:
    found = {}
    for name, program in stack.programs.running.items():
        if program.process.poll() is None:
            times = psutil.Process(program.process.pid).cpu_times()
            found[name] = times.user + times.system
    return found


def _cpu(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    return {
        f"s of CPU, {name}": round(after[name] - before[name], 1)
        for name in before
        if name in after
    }
