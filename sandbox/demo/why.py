"""Pictures of explanations as people see them, to look at each for five seconds as they do.

    python -m sandbox.demo.why FOLDER --browser chromium

The model is scripted: what it says rests on known pages of the sample company, so what the picture
should say is known too. Everything else is the product.
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
from bot.views.explanation_blocks import DETAILS_ACTION
from sandbox.confluence.__main__ import SAMPLE
from sandbox.demo.conversation import is_final
from sandbox.demo.folder import entities_of
from sandbox.demo.pictures import SCENES, WAIT_S, Camera, console, started
from sandbox.llm.client import ScriptedModel
from sandbox.llm.planted import Fact, Plan
from sandbox.programs.stack import Stack
from sandbox.slack.client import Message, NothingCame, Workspace

CHANNEL = "hr"
SIZE, MODAL_SIZE = "1250,1000", "1250,1500"
PICTURE_S = 20.0
LOADING = 200  # characters at most of a modal that is not filled yet
MISSING = ("The pages I can read do not answer this.",)
SABBATICAL = "When may I take a sabbatical?"
YEARS, PARENTS = "After 5 years in the company", "Each parent gets 12 weeks"
AFTER_5_YEARS = "You {may|can} take a sabbatical after 5 years"


@dataclass(frozen=True)
class Shown:
    """A question, and what the model makes of the pages; no facts: there is no model."""

    name: str
    question: str
    facts: Sequence[Fact] = ()
    language: str = "en"
    with_details: bool = False


PICTURES = (
    Shown(
        "1-one",
        SABBATICAL,
        (
            Fact(says=(f"{AFTER_5_YEARS}.",), all_of=(YEARS,)),
            Fact(
                says=("You {may|can} take a sabbatical after 12 weeks.",),
                all_of=(PARENTS,),
                unless=(YEARS,),
            ),
        ),
        with_details=True,
    ),
    Shown(
        "2-either",
        "How many days of leave can be carried over into the next year?",
        (
            Fact(
                says=("You {may|can} carry over up to 5 days into the next year.",),
                any_of=("Up to 5 days can be carried over", "Höchstens 5 Tage können"),
            ),
        ),
        with_details=True,
    ),
    Shown(
        "3-both",
        "How long are parental leave and a sabbatical together?",
        (
            Fact(
                says=("Together they {last|take} up to 12 weeks and 3 months.",),
                all_of=(PARENTS, YEARS),
            ),
        ),
    ),
    Shown(
        "4-list",
        "How do I restore a gateway from a backup?",
        (
            Fact(says=("Backups are {kept|held} for 35 days.",), all_of=("kept for 35 days",)),
            Fact(
                says=("Restore {only|solely} onto a server with the same gateway version.",),
                all_of=("same gateway version",),
            ),
            Fact(says=("Stop the gateway {first|before}.",), all_of=("1. Stop the gateway",)),
            Fact(
                says=("The {previous|earlier} version stays on the disk for 7 days.",),
                all_of=("stays on the disk for 7 days",),
            ),
        ),
        with_details=True,
    ),
    Shown(
        "5-unused",
        SABBATICAL,
        (Fact(says=(f"{AFTER_5_YEARS}, unlike parental leave [6].",), all_of=(YEARS,)),),
    ),
    Shown("6-stays", SABBATICAL, (Fact(says=(f"{AFTER_5_YEARS} [1].",)),)),
    Shown("7-quoted", "How much may a hotel in Porto cost per night?", with_details=True),
    Shown(
        "8-german",
        SCENES["de"].question,
        (
            Fact(
                says=("{Anfang|Mitte} Dezember gibt es keinen Urlaub in der Montage.",),
                all_of=("keinen Urlaub in der Montage",),
            ),
        ),
        language="de",
        with_details=True,
    ),
)


def main(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
    browser: Annotated[str, typer.Option(help="The Chromium to use.")] = "chromium",
) -> None:
    """Ask, press Why?, and take a picture of each thread; of some also the details."""
    if shutil.which(browser) is None:
        console.print(f"why: there is no {browser}: name a Chromium with --browser")
        raise typer.Exit(1)
    folder.mkdir(parents=True, exist_ok=True)
    for with_model in (True, False):
        shown = [each for each in PICTURES if bool(each.facts) is with_model]
        _take(shown, folder, browser, with_model=with_model)


def _take(pictures: Sequence[Shown], folder: Path, browser: str, *, with_model: bool) -> None:
    model = "toy" if with_model else ""
    with (
        tempfile.TemporaryDirectory() as data,
        Stack(Path(data), pages=SAMPLE, model=model, settings=entities_of(SAMPLE)) as stack,
    ):
        workspace = started(stack)
        if with_model:
            stack.start_model()
        for shown in pictures:
            if with_model:
                _plant(stack, shown)
            camera = Camera(browser, stack.slack_url, folder, SCENES[shown.language])
            _shoot(workspace, camera, shown)


def _plant(stack: Stack, shown: Shown) -> None:
    with ScriptedModel(stack.settings.llm_base_url or "") as model:
        model.plant(Plan(facts=tuple(shown.facts), missing=MISSING, in_order=True), seed=1)


def _shoot(workspace: Workspace, camera: Camera, shown: Shown) -> None:
    scene = camera.scene
    asked = workspace.say(scene.person, CHANNEL, f"@groundwire {shown.question}")
    answer = workspace.wait_for_reply(asked, WAIT_S, settled=is_final)
    workspace.click(scene.person, answer, EXPLAIN_ACTION)
    told: Message = workspace.wait_for_reply(answer, WAIT_S, settled=is_final)
    with suppress(NothingCame):  # not every explanation has a picture
        workspace.wait_until(lambda: "[image:" in workspace.message(told).plain(), PICTURE_S)
    place = {"channel": asked.channel, "thread": asked.ts}
    camera.shoot(shown.name, SIZE, **place)
    if shown.with_details:
        workspace.click(scene.person, told, DETAILS_ACTION)
        workspace.wait_for_modal(scene.person_id, lambda text: len(text) > LOADING)
        camera.shoot(f"{shown.name}-details", MODAL_SIZE, **place)
        workspace.close_modal(workspace.views(scene.person_id)[-1]["id"])


if __name__ == "__main__":
    typer.run(main)
