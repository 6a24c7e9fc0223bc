"""The pictures of the README: the sandbox's workspace as a browser shows it.

    python -m sandbox.demo.pictures docs/images --browser chromium

The browser is any Chromium; it is asked for one screenshot after the other, without a window.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer
from rich.console import Console

from bot.views.answer_blocks import EXPLAIN_ACTION
from sandbox.confluence.__main__ import SAMPLE
from sandbox.demo.conversation import is_final
from sandbox.llm.client import ScriptedModel
from sandbox.programs.stack import PRODUCT, Stack
from sandbox.slack.client import Message, Workspace

QUESTIONS = ("How much may a hotel in Porto cost per night?",)
PERSON, PERSON_ID, CHANNEL = "Alice", "U0ALICE", "hr"
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


def main(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
    browser: Annotated[str, typer.Option(help="The Chromium to use.")] = "chromium",
) -> None:
    """Start the demo with the scripted model, use it, and take pictures."""
    if shutil.which(browser) is None:
        console.print(f"pictures: there is no {browser}: name a Chromium with --browser")
        raise typer.Exit(1)
    folder.mkdir(parents=True, exist_ok=True)  # Chromium writes nothing, and says nothing, without
    with (
        tempfile.TemporaryDirectory() as data,
        Stack(Path(data), pages=SAMPLE, model="toy") as stack,
    ):
        workspace = _started(stack)
        with ScriptedModel(stack.settings.llm_base_url or "") as model:
            model.mode("vary", seed=3)
        answer = _explained(workspace)
        _picture(
            browser,
            stack.slack_url,
            folder / "thread.png",
            "1250,1560",
            channel=answer.channel,
            thread=answer.root_ts,
        )
        workspace.open_home(PERSON)
        workspace.wait_until(lambda: workspace.home(PERSON_ID) is not None, WAIT_S, "the Home tab")
        _picture(browser, stack.slack_url, folder / "home.png", "1100,1000", channel="home")
        workspace.command(PERSON, CHANNEL, "/groundwire settings")
        workspace.wait_for_modal(PERSON_ID, bool)
        _picture(
            browser, stack.slack_url, folder / "settings.png", "1100,1350", channel=answer.channel
        )


def _started(stack: Stack) -> Workspace:
    with console.status("starting everything"):
        stack.start_sandbox()
        stack.start_model()
        stack.start("redis", "chroma")
        sync = stack.sync()
        stack.start(*PRODUCT[2:])
        sync.process.wait(timeout=WAIT_S)
        workspace = Workspace(stack.slack_url)
        workspace.wait_for_app(WAIT_S)
    return workspace


def _explained(workspace: Workspace) -> Message:
    """An answer with its explanation and the chart under it."""
    root: Message | None = None
    for question in QUESTIONS:
        text = question if root else f"@groundwire {question}"
        asked = workspace.say(PERSON, CHANNEL, text, thread_ts=root.ts if root else None)
        root = root or asked
        answer = workspace.wait_for_reply(asked, WAIT_S, settled=is_final)
    workspace.click(PERSON, answer, EXPLAIN_ACTION)
    shown = workspace.wait_for_reply(answer, WAIT_S, settled=is_final)
    workspace.wait_until(lambda: "[image:" in workspace.message(shown).plain(), WAIT_S, "the chart")
    return answer


def _picture(browser: str, url: str, file: Path, size: str, **place: str) -> None:
    with console.status(f"taking {file.name}"), tempfile.TemporaryDirectory() as profile:
        page = f"{url}/?{urlencode({'as': PERSON_ID, **place})}"
        shot = [
            f"--user-data-dir={profile}",
            f"--window-size={size}",
            f"--timeout={SHOWN_MS}",
            f"--screenshot={file.absolute()}",
        ]
        subprocess.run(
            [browser, *FLAGS, *shot, page], check=True, capture_output=True, timeout=WAIT_S
        )

    console.print(f"{file}")


if __name__ == "__main__":
    typer.run(main)
