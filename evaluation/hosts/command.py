"""`python -m evaluation hosts`: two hosts on Postgres, killed, cut off, with a wrong clock."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaluation.harness.output import AsJson, fail, show_down
from evaluation.hosts.play import Play, played
from sandbox.programs.processes import DidNotStart
from sandbox.programs.stack import ROOT


def hosts(
    questions: Annotated[int, typer.Option(help="So many are asked.")] = 1000,
    rate: Annotated[float, typer.Option(help="Questions a second.")] = 2.0,
    events: Annotated[int, typer.Option(help="So often something goes wrong.")] = 40,
    skew: Annotated[
        list[float] | None,
        typer.Option(help="Seconds by which the second host's clock is wrong; one column each."),
    ] = None,
    product: Annotated[
        Path, typer.Option(help="Another checkout, which the second host runs: an upgrade.")
    ] = ROOT,
    drain: Annotated[float, typer.Option(help="Seconds to wait for the last answer.")] = 600.0,
    as_json: AsJson = False,
) -> None:
    """What is lost or answered twice while hosts, programs, wires and stores fail."""
    columns = {}
    for seconds in skew or [0.0]:
        play = Play(questions, rate, events, seconds, product.absolute())
        try:
            columns[f"clock {seconds:+.0f} s"] = played(play, drain)
        except DidNotStart as error:
            fail(str(error))
    show_down(columns, as_json=as_json)
