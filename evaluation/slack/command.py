"""`python -m evaluation slack`: the whole product against a Slack that sets its limits.

Real processes, the stand-in for Slack and a scripted model, over each transport. What is reported
was seen by the stand-in, so it holds for what people would have seen. All programs share this
machine, stand-ins included: compare columns of one run, not of two.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evaluation.harness.output import AsJson, fail, show_down
from evaluation.slack import bad_days, under_load
from evaluation.slack.figures import Figures
from evaluation.slack.flood import flooded
from evaluation.slack.load import Load
from evaluation.slack.stage import Conditions
from sandbox.programs.processes import DidNotStart
from sandbox.programs.stack import ROOT, Transport

WAYS: tuple[Transport, ...] = ("socket", "http")


class Play(StrEnum):
    """What the product has to go through."""

    LOAD = "load"
    CHAOS = "chaos"
    DEAF = "deaf"
    OFF = "off"
    VOTES = "votes"
    FLOOD = "flood"


def slack(
    play: Annotated[Play, typer.Argument(help="What to go through.")] = Play.LOAD,
    rate: Annotated[float, typer.Option(help="load: questions a second.")] = 1.0,
    talk: Annotated[
        float, typer.Option(help="load: messages a second that are not for the bot.")
    ] = 0.0,
    seconds: Annotated[float, typer.Option(help="load, off: for so long.")] = 300.0,
    kills: Annotated[int, typer.Option(help="chaos: programs killed.")] = 60,
    questions: Annotated[int, typer.Option(help="chaos, off: questions.")] = 500,
    slow: Annotated[float, typer.Option(help="Seconds before each reply of Slack.")] = 0.0,
    refuse: Annotated[bool, typer.Option(help="Slack answers each call with 429.")] = False,
    hide_replies: Annotated[
        bool, typer.Option(help="Slack refuses conversations.replies, as its page has it.")
    ] = False,
    drain: Annotated[float, typer.Option(help="Seconds to wait for the last answer.")] = 600.0,
    product: Annotated[
        list[Path] | None, typer.Option(help="Another checkout, played as well, for comparison.")
    ] = None,
    transport: Annotated[
        list[str] | None, typer.Option(help="socket or http; both unless named.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How fast answers are shown within Slack's limits, and what is lost on bad days."""
    load = Load("load", rate, seconds, talk)
    plays: dict[Play, Callable[[Conditions], Figures]] = {
        Play.LOAD: partial(under_load.measured, load=load, drain_s=drain),
        Play.CHAOS: partial(bad_days.chaos, kills=kills, count=questions, drain_s=drain),
        Play.DEAF: bad_days.deaf,
        Play.OFF: partial(bad_days.off, count=questions, seconds=seconds, drain_s=drain),
        Play.VOTES: bad_days.votes,
        Play.FLOOD: partial(flooded, load=load),
    }
    columns: dict[str, Figures] = {}
    for checkout, way in itertools.product((ROOT, *(product or [])), ways(transport or WAYS, play)):
        conditions = Conditions(way, checkout.absolute(), slow, refuse, hide_replies)
        try:
            columns[title_of(conditions)] = plays[play](conditions)
        except DidNotStart as error:
            fail(str(error))
    show_down(with_all_rows(columns), as_json=as_json)


def title_of(conditions: Conditions) -> str:
    """The way, and which checkout where it is another one."""
    way, checkout = conditions.transport, conditions.product
    return way if checkout == ROOT.absolute() else f"{way}, {checkout.name}"


def ways(named: Collection[str], play: Play) -> list[Transport]:
    """Only Socket Mode's connections can fall silent, and only a port can be flooded."""
    there = {Play.DEAF: WAYS[:1], Play.FLOOD: WAYS[1:]}.get(play, WAYS)
    return [way for way in there if way in named]


def with_all_rows(columns: Mapping[str, Figures]) -> dict[str, Figures]:
    """Every column with the rows of all; a method that was not called there has no figure."""
    names = dict.fromkeys(name for figures in columns.values() for name in figures)
    return {
        title: {name: figures.get(name) for name in names} for title, figures in columns.items()
    }
