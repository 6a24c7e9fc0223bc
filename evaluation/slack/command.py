"""`python -m evaluation slack`: a load test of the whole product, with real processes.

Two loads over each transport, against the stand-in for Slack and a scripted model: a steady one,
and a burst in which all questions come at once. What is reported was seen by the stand-in, so it
holds for what people would have seen. All programs share this machine, stand-ins included.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from core.storage.database import open_database
from evaluation.harness.output import AsJson, fail, show_down
from evaluation.harness.progress import status
from evaluation.slack.load import Load, ask, until_all_answered
from evaluation.slack.report import cpu_seconds, cpu_used, report, share_acknowledged_soon
from sandbox.confluence.__main__ import SAMPLE
from sandbox.llm.client import ScriptedModel
from sandbox.programs.processes import DidNotStart, free_port
from sandbox.programs.stack import PRODUCT, Stack, Transport
from sandbox.slack.client import Workspace

FIRST_S, WHOLE_S = 0.3, 2.0  # of the model's answer
EVENTS_OF_A_MENTION = 2
WARM_S = 30.0


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
    steady = Load("steady", rate, seconds)
    rush = Load("rush", burst / EVENTS_OF_A_MENTION, burst_seconds)
    loads = [load for load in (steady, rush) if load.mentions]
    columns: dict[str, Mapping[str, float | None]] = {}
    for way in transport or ["socket", "http"]:
        for load in loads:
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
        with status(f"starting everything ({way})"):
            _start(stack)
        database = open_database(stack.settings.sql_url)
        before = cpu_seconds(stack)
        asked = asyncio.run(ask(stack, load, title=f"{way}, {load.name}"))
        took = until_all_answered(database, len(asked) + 1)
        figures = {"s until the last answer": took, **cpu_used(before, cpu_seconds(stack))}
        with Workspace(stack.slack_url) as workspace:
            found = report(asked, workspace, database) | figures
        return found | {
            "share acknowledged in 0.2 s, in the bot": share_acknowledged_soon(stack),
            "load average": os.getloadavg()[0],
        }


def _start(stack: Stack) -> None:
    """Start every program, and ask one question to warm them up."""
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
        sent = workspace.say("alice", "hr", "@groundwire Who leads the Vision team?")
        workspace.wait_for_reply(sent, WARM_S, lambda message: bool(message.blocks))
