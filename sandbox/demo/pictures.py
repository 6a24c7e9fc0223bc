"""The pictures of the README: the sandbox's workspace as a browser shows it.

    python -m sandbox.demo.pictures docs/images --browser chromium
    python -m sandbox.demo.pictures FOLDER --language de

The browser is any Chromium; it is asked for one screenshot after the other, without a window.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer
from rich.console import Console

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.home import EXAMPLE_ACTION
from sandbox.confluence.__main__ import SAMPLE
from sandbox.demo.conversation import is_final
from sandbox.demo.folder import entities_of
from sandbox.llm.client import ScriptedModel
from sandbox.programs.stack import PRODUCT, Stack
from sandbox.slack.client import Message, Workspace

CHANNEL = "hr"
WAIT_S = 180.0
SHOWN_MS = 4000  # until the page has loaded its pictures
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
]

console = Console(stderr=True, highlight=False)


@dataclass(frozen=True)
class Scene:
    """Whom the pictures show, and what that person asks."""

    person: str
    person_id: str
    question: str
    unanswered: str


SCENES = {
    "en": Scene(
        "Alice",
        "U0ALICE",
        "How much may a hotel in Porto cost per night?",
        "What is the capital of Peru?",
    ),
    "de": Scene(
        "Lena",
        "U0LENA",
        "Wann ist Urlaubssperre in der Montage?",
        "Wie heißt die Hauptstadt von Peru?",
    ),
}


def main(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
    browser: Annotated[str, typer.Option(help="The Chromium to use.")] = "chromium",
    language: Annotated[str, typer.Option(help="Of the person: en or de.")] = "en",
) -> None:
    """Start the demo with the scripted model, use it, and take pictures."""
    if shutil.which(browser) is None:
        console.print(f"pictures: there is no {browser}: name a Chromium with --browser")
        raise typer.Exit(1)
    folder.mkdir(parents=True, exist_ok=True)  # Chromium writes nothing, and says nothing, without
    with (
        tempfile.TemporaryDirectory() as data,
        Stack(Path(data), pages=SAMPLE, model="toy", settings=entities_of(SAMPLE)) as stack,
    ):
        workspace = started(stack)
        stack.start_model()
        with ScriptedModel(stack.settings.llm_base_url or "") as model:
            model.mode("vary", seed=3)
        camera = Camera(browser, stack.slack_url, folder, SCENES[language])
        _take(camera, workspace)


def started(stack: Stack) -> Workspace:
    """Everything but the model, with all pages read."""
    with console.status("starting everything"):
        stack.start_sandbox()
        stack.start("redis", "chroma")
        sync = stack.sync()
        stack.start(*PRODUCT[2:])
        sync.process.wait(timeout=WAIT_S)
        workspace = Workspace(stack.slack_url)
        workspace.wait_for_app(WAIT_S)
    return workspace


@dataclass(frozen=True)
class Camera:
    """Takes pictures of what one person sees."""

    browser: str
    url: str
    folder: Path
    scene: Scene

    def shoot(self, name: str, size: str, **place: str) -> None:
        """`size` is width and height in pixels, `place` where in the workspace."""
        file = self.folder / f"{name}.png"
        with console.status(f"taking {file.name}"), tempfile.TemporaryDirectory() as profile:
            page = f"{self.url}/?{urlencode({'as': self.scene.person_id, **place})}"
            shot = [
                f"--user-data-dir={profile}",
                f"--window-size={size}",
                f"--timeout={SHOWN_MS}",
                f"--screenshot={file.absolute()}",
            ]
            command = [self.browser, *FLAGS, *shot, page]
            subprocess.run(command, check=True, capture_output=True, timeout=WAIT_S)
        console.print(f"{file}")


def _take(camera: Camera, workspace: Workspace) -> None:
    scene = camera.scene
    person, person_id = scene.person, scene.person_id
    answer = _answered(workspace, person, scene.question)
    _explain(workspace, person, answer)
    channel = answer.channel
    camera.shoot("thread", "1250,920", channel=channel, thread=answer.root_ts)
    nothing = _answered(workspace, person, scene.unanswered)
    camera.shoot("not-found", "1250,900", channel=channel, thread=nothing.root_ts)
    workspace.open_home(person)
    complete = f"{EXAMPLE_ACTION}_0"  # it comes at once, and again when its pages are confirmed
    workspace.wait_until(lambda: complete in str(workspace.home(person_id)), WAIT_S, "Home")
    camera.shoot("home", "1100,1130", channel="home")
    workspace.command(person, CHANNEL, "/groundwire settings")
    workspace.wait_for_modal(person_id, bool)
    camera.shoot("settings", "1100,1480", channel=channel)


def _answered(workspace: Workspace, person: str, question: str) -> Message:
    asked = workspace.say(person, CHANNEL, f"@groundwire {question}")
    return workspace.wait_for_reply(asked, WAIT_S, settled=is_final)


def _explain(workspace: Workspace, person: str, answer: Message) -> None:
    """Under the answer its explanation, with the chart."""
    workspace.click(person, answer, EXPLAIN_ACTION)
    shown = workspace.wait_for_reply(answer, WAIT_S, settled=is_final)
    workspace.wait_until(lambda: "[image:" in workspace.message(shown).plain(), WAIT_S, "the chart")


if __name__ == "__main__":
    typer.run(main)
