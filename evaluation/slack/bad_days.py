"""Bad days: programs killed, connections reset, a bot that was off, votes that Slack limits."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable

from evaluation.harness.progress import counter
from evaluation.slack.figures import Figures, acknowledged_ms, calls, events_of_people, quantiles
from evaluation.slack.load import Asked, Crowd, Load, ask, questions, until_answered
from evaluation.slack.report import report
from evaluation.slack.stage import ALWAYS, Conditions, Stage, running
from sandbox.slack.client import Message

NEW_MESSAGE = ("chat.postMessage", "chat.startStream")
KILLED = ("worker", "explainer", "speaker", "bot")
LOST_SHARE = 0.02  # of Slack's replies
VOTERS = 12
VOTE = "feedback_buttons"
EVERY_S = 0.1
STEADY_S = 5.0
LOOK_S = 90.0  # longer than the 54 s for which version 0.1 was deaf


def chaos(conditions: Conditions, *, kills: int, count: int, drain_s: float) -> Figures:
    """Questions while programs are killed (SIGKILL) one after another, and replies get lost."""
    with running(conditions) as stage:
        conditions.spoil(stage.workspace)
        stage.workspace.fault(lost=True, share=LOST_SHARE, times=ALWAYS)
        asked: list[Asked] = []
        load = Load("chaos", count / max(kills, 1) / 5, 5.0 * max(kills, 1))
        crowd = Crowd(stage.stack.slack_url, stage.people, stage.channels)
        asking = threading.Thread(
            target=lambda: asked.extend(asyncio.run(ask(crowd, load, title="chaos")))
        )
        asking.start()
        done = _killed(stage, kills)
        asking.join()
        stage.workspace.mend()
        took = until_answered(stage.database, asked, drain_s)
        return {
            "n, killed": done,
            "n, new messages whose reply was lost": _lost(stage),
            **report(asked, stage.workspace, stage.database),
            "s until the last answer": took,
            **calls(stage.workspace),
        }


def _lost(stage: Stage) -> int:
    lost = [call for call in stage.workspace.received() if call.lost]
    return sum(call.method in NEW_MESSAGE for call in lost)


def _killed(stage: Stage, kills: int) -> int:
    chance = random.Random(7)
    with counter("killing", kills) as advance:
        for _ in range(kills):
            name = chance.choice(KILLED)
            time.sleep(chance.uniform(0.0, 3.0))
            stage.stack.kill(name)
            stage.stack.restart(name)
            advance()
    return kills


def deaf(conditions: Conditions) -> Figures:
    """How long nothing is acknowledged once all connections are broken; Socket Mode only."""
    with running(conditions) as stage:
        return {
            "n, connections": stage.workspace.state()["connections"],
            "s, deaf after a reset": _deaf_after(stage.workspace.sever, stage),
            "s, deaf after a silent end": _deaf_after(stage.workspace.mute, stage),
        }


def _deaf_after(event: Callable[[], object], stage: Stage) -> float | None:
    """Seconds until something that was said after this event is acknowledged; None: too long."""
    time.sleep(STEADY_S)
    began = time.time()
    event()
    _until(lambda: bool(_heard(stage, began)) or time.time() - began > LOOK_S, stage)
    heard = _heard(stage, began)
    return round(min(heard) - began, 2) if heard else None


def _until(over: Callable[[], bool], stage: Stage) -> None:
    """Somebody says something, again and again, until it is over."""
    while not over():
        stage.workspace.say("alice", "general", "just talking")
        time.sleep(EVERY_S)


def _heard(stage: Stage, since: float) -> list[float]:
    """When events that were said after this time were acknowledged."""
    events = [each for each in events_of_people(stage.workspace) if each["acknowledged"]]
    return [e["acknowledged_at"] for e in events if float(e["payload"]["event"]["ts"]) > since]


def off(conditions: Conditions, *, count: int, seconds: float, drain_s: float) -> Figures:
    """The bot is off while questions are asked, and Slack has given up on them when it is back."""
    with running(conditions) as stage:
        stage.stack.kill("bot")
        load = Load("off", count / seconds, seconds)
        crowd = Crowd(stage.stack.slack_url, stage.people, stage.channels)
        asked = asyncio.run(ask(crowd, load, title="off"))
        stage.workspace.give_up()
        stage.stack.restart("bot")
        took = until_answered(stage.database, asked, drain_s)
        return {
            **report(asked, stage.workspace, stage.database),
            "s from the start to the last answer": took,
        }


def votes(conditions: Conditions) -> Figures:
    """Twelve vote while Slack limits chat.postEphemeral; what a mention's acknowledgement takes."""
    with running(conditions) as stage:
        answer = _answer(stage)
        stage.workspace.fault("chat.postEphemeral", retry_after=10, times=ALWAYS)
        for voter in stage.people[:VOTERS]:
            stage.workspace.click(voter, answer, _vote_of(answer))
        time.sleep(1.0)
        began = time.time()
        for _, question in zip(range(10), questions(), strict=False):
            stage.workspace.say("ben", "general", f"@groundwire {question}")
            time.sleep(1.0)
        time.sleep(5.0)
        events = events_of_people(stage.workspace)
        events = [e for e in events if float(e["payload"]["event"]["ts"]) > began]
        return {
            "n, events": len(events),
            **quantiles("ms, acknowledged", acknowledged_ms(events), 50, 100),
            "n, events not acknowledged": sum(not each["acknowledged"] for each in events),
            "n, events sent again": sum(each["attempts"] > 1 for each in events),
        }


def _answer(stage: Stage) -> Message:
    sent = stage.workspace.say("alice", "hr", f"@groundwire {next(questions())}")
    return stage.workspace.wait_for_reply(sent, settled=lambda m: bool(_vote_of(m)))


def _vote_of(message: Message) -> str:
    """The action id of the votes under an answer; empty where there are none."""
    for block in message.blocks:
        for element in block.get("elements", ()):
            if element.get("type") == VOTE:
                return str(element["action_id"])
    return ""
