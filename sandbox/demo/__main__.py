"""`python -m sandbox.demo` (scripts/demo): start everything, then open the workspace or ask."""

from __future__ import annotations

import json
import signal
import sys
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.text import Text

from core.storage.database import open_database
from sandbox.confluence.__main__ import SAMPLE
from sandbox.demo import digest
from sandbox.demo.conversation import NoAnswer, converse
from sandbox.demo.folder import InUse, demo_folder, entities_of
from sandbox.demo.week import WEEK, has_been_lived, live_through
from sandbox.llm import small
from sandbox.programs.processes import DidNotStart, Program
from sandbox.programs.stack import ROOT, Stack
from sandbox.slack.client import NothingCame, Workspace

CONNECT_S = 300.0  # generous: beside a busy neighbour everything takes minutes
LOOK_EVERY_S = 1.0

console = Console(stderr=True, highlight=False)


def main(
    ask: Annotated[
        list[str] | None, typer.Option(help="Ask this and print the thread; again for a follow-up.")
    ] = None,
    explain: Annotated[bool, typer.Option(help="Explain the last answer.")] = False,
    pages: Annotated[
        Path, typer.Option(help="Other pages: a folder of storage-format files, or of JSON files.")
    ] = SAMPLE,
    llm: Annotated[
        str,
        typer.Option(
            help="An OpenAI-compatible endpoint to answer with, such as http://127.0.0.1:11434/v1."
        ),
    ] = "",
    llm_model: Annotated[str, typer.Option(help="The model's name there.")] = "",
    model: Annotated[
        str,
        typer.Option(
            help="smollm2: a real but very small model on this machine; slow, and often wrong."
        ),
    ] = "",
) -> None:
    """Groundwire on this machine: no account, no token and no model server is needed.

    Ctrl-C ends all of it.
    """
    # End as with Ctrl-C: leave nothing running.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.default_int_handler)
    if explain and not ask:
        _fail("--explain explains the last answer: give a question with --ask")
    if not pages.is_dir():
        _fail(f"--pages {pages}: there is no such folder")
    if model not in ("", small.NAME) or (model and llm):
        _fail(f"--model {model}: there is only --model {small.NAME}, and --llm for any other")
    settings = {"LLM_BASE_URL": llm, "LLM_MODEL": llm_model} if llm else {}
    settings |= entities_of(pages)
    try:
        _run(pages, model, settings, ask or [], explain=explain)
    except (DidNotStart, InUse, NoAnswer, NothingCame, small.NotInstalled) as error:
        _fail(str(error))
    except KeyboardInterrupt:
        console.print("stopped; nothing is left running")


def _run(
    pages: Path, model: str, settings: dict[str, str], questions: list[str], *, explain: bool
) -> None:
    """Ask the questions, or without any keep everything running until Ctrl-C."""
    if model:
        small.require()
    with (
        demo_folder(ROOT / "var" / "demo", pages) as folder,
        Stack(folder, pages=pages.absolute(), model=model, settings=settings) as stack,
    ):
        workspace = _start(stack, with_model=bool(model))
        if questions:
            patience, out = stack.settings.answer_patience_s, Console(highlight=False)
            converse(workspace, questions, explain=explain, patience_s=patience, console=out)
        else:
            _show_where(stack)
            if pages == SAMPLE:
                _live_through_a_week(stack, workspace)
            _watch(stack)


def _start(stack: Stack, *, with_model: bool) -> Workspace:
    """Bring everything up, saying what happens."""
    began = time.monotonic()
    with console.status("starting Slack's and Confluence's stand-ins") as status:
        stack.say = lambda sentence: status.update(_line(sentence))
        stack.start_sandbox()
        if with_model:
            status.update("starting the model")
            stack.start_model()
        status.update("starting Redis and Chroma")
        stack.start("redis", "chroma")
        sync = stack.sync()
        status.update("starting the bot and its workers")
        stack.start("worker", "explainer", "speaker", "bot")
        _wait_for(sync, status.update)
        status.update("waiting for the bot to connect to Slack")
        workspace = Workspace(stack.slack_url)
        workspace.wait_for_app(CONNECT_S)
    seconds, logs = time.monotonic() - began, _short(stack.folder / "logs")
    console.print(f"ready after {seconds:.0f} s; logs are in {logs}")
    return workspace


def _live_through_a_week(stack: Stack, workspace: Workspace) -> None:
    """Have people of the sample company ask, once: the console has something to show then."""
    database = open_database(stack.settings.sql_url)
    if has_been_lived(database):
        return
    asked = live_through(workspace, database)
    for _ in track(asked, "a week of questions", len(WEEK), console=console, transient=True):
        pass
    with console.status("the weekly digest"):
        digest.send(stack, workspace)


def _line(sentence: str) -> Text:
    """On one line, and as it stands: words of a log may look like markup."""
    return Text(sentence[: console.width - 4])  # beside the wheel that turns


def _wait_for(sync: Program, say: Callable[[str], None]) -> None:
    """Wait for the first sync, passing on how far it is."""
    while sync.process.poll() is None:
        say(f"indexing the pages{_how_far(sync)}")
        time.sleep(0.2)
    if sync.process.returncode != 0:
        raise DidNotStart(f"the sync failed: {sync.last_words()}")


def _how_far(sync: Program) -> str:
    """The newest line of the sync's log, in short: `: ENG, 9 pages`."""
    try:
        line = json.loads(sync.last_words())
    except json.JSONDecodeError:
        return ""
    done = f"{line.get('listed', 0)} pages"
    if "done" in line:
        done = f"{line['done']} of {line['of']}, {line['seconds_left']} s left"
    return f": {line.get('space', '')}, {done}"


def _show_where(stack: Stack) -> None:
    """Where the workspace, the wiki and the console are."""
    stack.start("indexer")
    link = stack.start_console()
    console.print(f"\n  Slack       {stack.slack_url}\n  Confluence  {stack.confluence_url}")
    console.print(f"  Console     {link}", soft_wrap=True)
    console.print("\nThe console's link works once. Ctrl-C ends everything.")
    if sys.stdout.isatty():
        webbrowser.open(stack.slack_url)


def _watch(stack: Stack) -> None:
    """Watch over the programs until Ctrl-C."""
    while True:
        for program in stack.programs.running.values():
            code = program.process.poll()
            if code is not None:
                raise DidNotStart(f"{program.name} ended with code {code}: {program.last_words()}")
        time.sleep(LOOK_EVERY_S)


def _short(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _fail(sentence: str) -> None:
    console.print(f"demo: {sentence}", style="red", soft_wrap=True)
    raise typer.Exit(1)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()
