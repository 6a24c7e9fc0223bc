"""`python -m evaluation pose`: what the product says to a file of messages, a line for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.errors import GroundwireError
from core.settings import settings
from evaluation.answers.measure import with_model
from evaluation.answers.pose.posing import Posing
from evaluation.answers.pose.reply import Reply
from evaluation.answers.pose.turns import Posed, read
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.json_lines import BadLine
from evaluation.harness.output import AsJson, fail
from evaluation.harness.product import place_of, running
from evaluation.harness.progress import track
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.generation.second_reader.model_reader import ModelReader

SHOWN = 300  # characters of a text in the table


def pose(
    data: Annotated[Path, typer.Option(help="The folder with documents/.")],
    turns: Annotated[Path, typer.Option(help="The messages, a JSON object on each line.")],
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation-pose"
    ),
    examined: Annotated[
        bool, typer.Option("--examined", help="As if that model had passed its exam.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Messages put to the bot: its decision, its answer, the pages and the badge of each.

    Answered with the model of LLM_BASE_URL and LLM_MODEL where they are set. With --json a line is
    printed as soon as its message has its reply.
    """
    try:
        asked = read(turns)
        replies = track(
            _replies(data / "documents", folder, asked, examined), "posing", total=len(asked)
        )
        if as_json:
            _print_lines(replies)
        else:
            Console().print(_table(list(replies)))
    except (BadLine, DidNotStart, GroundwireError) as error:
        fail(str(error))


def _replies(pages: Path, folder: Path, asked: Sequence[Posed], examined: bool) -> Iterable[Reply]:
    own = settings()
    is_wanted = own.llm_base_url is not None
    if is_wanted:
        own.require("llm_model")
    with running(pages, place_of(pages, folder)) as stage:
        parts = build(with_model(stage, own, wanted=is_wanted), AsIndexed())
        # What could be asked next is no part of what is printed.
        pipeline = replace(parts.pipeline, suggester=None)
        if examined:
            pipeline = replace(pipeline, second_reader=ModelReader(own.llm_context_tokens))
        yield from Posing(pipeline, own.answer_patience_s).replies(asked)


def _print_lines(replies: Iterable[Reply]) -> None:
    """In ASCII: whatever the terminal's encoding, every character can be read back."""
    for reply in replies:
        typer.echo(json.dumps(reply.as_json()))  # which flushes


def _table(replies: Sequence[Reply]) -> Table:
    table = Table("id", "act", "badge", "text", "first page", show_lines=True)
    for reply in replies:
        badge = "not found" if reply.not_found else reply.badge or ""
        text = reply.text if len(reply.text) <= SHOWN else f"{reply.text[:SHOWN]}…"
        first = reply.sources[0].title if reply.sources else ""
        cells = (str(reply.id), reply.act, badge, text, first)
        table.add_row(*map(Text, cells))  # as it is: brackets are no markup of rich's
    return table
