"""Sixteen pictures of what people see of an answer, to look at each for five seconds as they do.

    python -m sandbox.demo.gallery FOLDER --browser chromium

No model is asked: that is how most people meet the bot first.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bot.views.answer_blocks import EXPLAIN_ACTION
from sandbox.confluence.__main__ import SAMPLE
from sandbox.demo.conversation import is_final
from sandbox.demo.pictures import SCENES, WAIT_S, Camera, Scene, console, started
from sandbox.programs.stack import Stack
from sandbox.slack.client import Message, NothingCame, Workspace

WIDE, TALL, NARROW = "1250,760", "1250,1300", "430,1000"
SHORT_S = 15.0  # for what may be left without a reply


@dataclass(frozen=True)
class Shown:
    """What one person says in a thread, and how the picture of it is taken."""

    name: str
    said: Sequence[str]
    channel: str = "hr"  # empty: in direct messages
    scene: Scene = SCENES["en"]
    size: str = WIDE
    explained: bool = False


PICTURES = (
    Shown("01-answer", ["How much may a hotel in Porto cost per night?"]),
    Shown("02-follow-up", ["Who leads the Vision team?", "and how many people work there?"]),
    Shown("03-not-found", ["What is the capital of Peru?"]),
    Shown("04-excerpt", ["What is a recirculation?"], channel="general"),
    Shown("05-table", ["What are the limits per night for hotels?"], size=TALL),
    Shown("06-code", ["How do I roll back a gateway?"], channel="general"),
    Shown("07-long", ["What happened in INC-118, hour by hour?"], channel="general", size=TALL),
    Shown("08-list", ["What was decided in the Tern sync 2026-03-03?"], channel="general"),
    Shown("09-steps", ["How do I restore a gateway from a backup?"], channel="general", size=TALL),
    Shown("10-german", ["Wann ist Urlaubssperre in der Montage?"], scene=SCENES["de"]),
    Shown("11-direct", ["max price hotel porto"], channel=""),
    Shown("12-brief", ["How many days a week can I work from home?", "thanks!"]),
    Shown("13-clarify", [""]),
    Shown("14-suggestions", ["How long is parental leave with full pay?"]),
    Shown("15-why", ["Who hands out the laptop on the first day?"], explained=True, size=TALL),
    Shown("16-narrow", ["When may I take a sabbatical?"], size=NARROW),
)


def main(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
    browser: Annotated[str, typer.Option(help="The Chromium to use.")] = "chromium",
) -> None:
    """Start the demo without a model, ask, and take a picture of each thread."""
    if shutil.which(browser) is None:
        console.print(f"gallery: there is no {browser}: name a Chromium with --browser")
        raise typer.Exit(1)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, Stack(Path(data), pages=SAMPLE) as stack:
        workspace = started(stack)
        for shown in PICTURES:
            camera = Camera(browser, stack.slack_url, folder, shown.scene)
            root = _said(workspace, shown)
            camera.shoot(shown.name, shown.size, channel=root.channel, thread=root.root_ts)


def _said(workspace: Workspace, shown: Shown) -> Message:
    """The first message, once all were said and the bot has replied, or has had the time to."""
    person = shown.scene.person
    root: Message | None = None
    for text in shown.said:
        thread = root.ts if root else None
        if shown.channel:
            text = text if root else f"@groundwire {text}"
            asked = workspace.say(person, shown.channel, text, thread_ts=thread)
        else:
            asked = workspace.direct(person, text, thread_ts=thread)
        root = root or asked
        is_question = len(text.split()) > 1
        with suppress(NothingCame):
            wait_s = WAIT_S if is_question else SHORT_S
            reply = workspace.wait_for_reply(asked, wait_s, settled=is_final)
            if shown.explained:
                workspace.click(person, reply, EXPLAIN_ACTION)
                workspace.wait_for_reply(reply, WAIT_S, settled=is_final)
    assert root is not None
    return root


if __name__ == "__main__":
    typer.run(main)
