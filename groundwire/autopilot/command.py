"""`groundwire autopilot`: asks about one's own pages, and says whether the bot is ready."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import track

from core import logs
from core.errors import SettingsError
from core.outages.ending import or_one_sentence
from core.settings import settings
from groundwire.autopilot.asking import ask
from groundwire.autopilot.page import markdown
from groundwire.autopilot.posing import posed
from groundwire.autopilot.readiness import readiness
from indexer.sync.status import status_of_spaces
from worker.bootstrap import parts


def autopilot(
    count: Annotated[int, typer.Option(min=1, help="Questions from pages.")] = 50,
    unanswerable: Annotated[int, typer.Option(min=0, help="Questions that no page answers.")] = 15,
    seed: Annotated[int, typer.Option(help="Another seed, other questions.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Write the page there, as Markdown.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Ask fifty questions made from your pages, and say whether the bot is ready, and why not.

    The exit code is 0 when it is ready, 1 when it is not. A model that is configured answers, which
    costs its tokens.
    """
    with or_one_sentence():
        logs.configure_quietly(settings())
        built = parts()
        questions = posed(built, count, unanswerable, seed)
        if not questions:
            raise SettingsError("nothing open to everybody can be asked about: sync first")
        console = Console(stderr=True)
        hidden = not console.is_terminal
        asked = ask(built, questions)
        shown = track(asked, "asked", len(questions), console=console, disable=hidden)
        found = readiness(list(shown), status_of_spaces(built.database))
    if out:
        out.write_text(markdown(found), encoding="utf-8")
    if as_json:
        typer.echo(found.model_dump_json())
    elif out:
        typer.echo(f"{found.verdict}: {out}")
    else:
        Console().print(Markdown(markdown(found)))
    raise typer.Exit(0 if found.verdict == "ready" else 1)
