"""Questions at a rate: when answers are made and shown, and what acknowledgements take."""

from __future__ import annotations

import asyncio
import time

from evaluation.slack.figures import (
    Figures,
    acknowledged_ms,
    calls,
    dropped,
    events_of_people,
    quantiles,
)
from evaluation.slack.load import Asked, Crowd, Load, ask, until_answered
from evaluation.slack.report import cpu_seconds, cpu_used, report
from evaluation.slack.stage import Conditions, Stage, crowd, running, start_idle, start_stand_in
from sandbox.slack.client import Workspace
from sandbox.slack.workspace.link import RetryPolicy


def measured(conditions: Conditions, load: Load, *, drain_s: float) -> Figures:
    """The load on the product, and at the same time on an app that only acknowledges.

    Raises:
        DidNotStart: a program did not.
    """
    with running(conditions) as stage:
        control_url = start_stand_in(stage.stack, "control-slack")
        start_idle(stage.stack, control_url, conditions.transport)
        with Workspace(control_url) as control:
            return _both(stage, control, conditions, load, drain_s)


def _both(
    stage: Stage, control: Workspace, conditions: Conditions, load: Load, drain_s: float
) -> Figures:
    title = f"{conditions.transport}, {load.name}"
    ours = Crowd(stage.stack.slack_url, stage.people, stage.channels)
    if conditions.spoils:
        # Who is known has questions answered while Slack refuses; nobody else has.
        first = Load("once each", 2.0, len(ours.people) / 2.0)
        known = asyncio.run(ask(ours, first, title=f"{title}: everybody once"))
        until_answered(stage.database, known, 120.0)
    before = cpu_seconds(stage.stack)
    conditions.spoil(stage.workspace)
    asked = asyncio.run(_asked(ours, Crowd(control.url, *crowd(control)), load, title))
    time.sleep(RetryPolicy().ack_s)  # what is not acknowledged by then is late
    events = events_of_people(stage.workspace)
    stage.workspace.mend()
    took = until_answered(stage.database, asked, drain_s)
    return {
        **report(asked, stage.workspace, stage.database),
        **quantiles("ms, acknowledged", acknowledged_ms(events), 50, 99),
        **quantiles("ms, idle control", acknowledged_ms(events_of_people(control)), 50, 99),
        "n, events not acknowledged": sum(not each["acknowledged"] for each in events),
        "n, events sent again": sum(each["attempts"] > 1 for each in events),
        "n, writes dropped": dropped(stage.stack),
        "s until the last answer": took,
        **calls(stage.workspace),
        **cpu_used(before, cpu_seconds(stage.stack)),
    }


async def _asked(ours: Crowd, theirs: Crowd, load: Load, title: str) -> list[Asked]:
    product = ask(ours, load, title=title)
    control = ask(theirs, load, title=f"{title}, control")
    return (await asyncio.gather(product, control))[0]
