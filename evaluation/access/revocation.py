"""`python -m evaluation revocation`: from a revocation to silence, and what asking costs.

A reader is shown a page; it is closed, and the reader asks again and again, while the first answer
is delivered again. Queue, Slack and language model are left out: what passes the gate is shown.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from statistics import mean, quantiles
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table
from sqlmodel import delete

from core.embeddings.bundled import Bundled
from core.settings import settings
from core.storage.access_tables import ConfirmationRow
from evaluation.access.histories import use_own_queue
from evaluation.access.steps import Act, History, Step
from evaluation.access.story import Scene
from evaluation.access.theatre import Theatre, theatre
from evaluation.access.variants import Variant
from evaluation.access.world.changes import Change
from evaluation.access.world.interposed import Trouble
from evaluation.access.world.site import PEOPLE
from evaluation.harness.output import AsJson, show_json
from evaluation.harness.progress import track

NORMAL_S, SLOW_S = 0.05, 2.0  # a request
ASK_EVERY_S = 0.5
READER = "Ann"
# What is shown of which page, by which question about which other; and how it is revoked.
QUESTION, CHILDREN = "Who pays for the {topic}?", "Which pages are under {topic}?"
ONLY_BOB = (PEOPLE["Bob"],)


@dataclass(frozen=True)
class Revocation:
    """A page that is closed to the reader, and a question whose answer shows it before that."""

    page: str
    change: Change
    asked_about: str
    question: str = QUESTION
    for_people: bool = False  # it closes nothing to everybody
    of_space: bool = False


REVOCATIONS: Mapping[str, Revocation] = {
    "text": Revocation("2", Change("restrict", "2", users=ONLY_BOB), "2"),
    "title in a child list": Revocation(
        "3", Change("restrict", "3", users=ONLY_BOB), "1", question=CHILDREN
    ),
    "moved under a closed page": Revocation("5", Change("move", "5", to="8"), "5"),
    "group": Revocation("4", Change("members", to="red", users=ONLY_BOB), "4", for_people=True),
    "space": Revocation("7", Change("space readers", to="OPS", users=ONLY_BOB), "7", of_space=True),
}
# Seconds a request, and how many questions are asked.
CONDITIONS: Mapping[str, tuple[Trouble, float, int]] = {
    "normal": (Trouble.NONE, NORMAL_S, 20),
    "slow": (Trouble.NONE, SLOW_S, 3),
    "down": (Trouble.DOWN, NORMAL_S, 3),
    "refusing": (Trouble.REFUSING, NORMAL_S, 3),
    "busy": (Trouble.BUSY, NORMAL_S, 3),
}


@dataclass(frozen=True)
class Audience:
    """Who reads, on which installation."""

    variant: Variant
    private: bool

    @property
    def name(self) -> str:
        eyes = "witness" if self.variant.has_witness else "restrictions"
        if self.private:
            eyes = "linked" if self.variant.is_linked else "person"
        flavor = "cloud" if self.variant.on_cloud else "datacenter"
        return f"{flavor} {'aware' if self.variant.aware else 'public'} {eyes}"


@dataclass
class Cost:
    """What asking costs, and what the reader gets."""

    requests: list[int] = field(default_factory=list)  # an answer
    waited_ms: list[float] = field(default_factory=list)  # of an answer, for confirmations
    got: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, object]:
        return {
            "requests mean": round(mean(self.requests), 1),
            "requests max": max(self.requests),
            "ms p50": round(_share(self.waited_ms, 50)),
            "ms p95": round(_share(self.waited_ms, 95)),
            "got": dict(self.got),
        }


def revocation(as_json: AsJson = False) -> None:
    """Seconds from a revocation to silence; requests and milliseconds that confirming costs."""
    use_own_queue()
    chosen = settings()
    with (
        TemporaryDirectory() as folder,
        theatre(
            Path(folder),
            Bundled(),
            valid_s=chosen.confirm_valid_s,
            per_second=chosen.confluence_requests_per_second,
        ) as stage,
    ):
        rows = {each.name: measured(stage, each) for each in track(list(audiences()), "rows")}
    if as_json:
        show_json(rows)
    else:
        _show(rows)


def audiences() -> Iterator[Audience]:
    for on_cloud, aware in product((True, False), repeat=2):
        yield Audience(Variant(on_cloud, aware, has_witness=False), private=False)
        yield Audience(Variant(on_cloud, aware, has_witness=True), private=False)
        if aware:
            yield Audience(Variant(on_cloud, aware, has_witness=False), private=True)
            linked = Variant(on_cloud, aware, has_witness=False, is_linked=True)
            yield Audience(linked, private=True)


def measured(stage: Theatre, audience: Audience) -> dict[str, dict[str, object]]:
    """All figures of one row: silence, taking back, and the cost under each condition."""
    history = History(0, audience.variant, has_model=False, scans_all=True, steps=())
    with stage.scene(history) as scene:
        stage.site.delay_s = NORMAL_S
        figures: dict[str, dict[str, object]] = {"silence": silence(scene, audience)}
    with stage.scene(history) as scene:
        figures["taken back"] = taken_back(scene, audience)
    for name, (trouble, delay_s, count) in CONDITIONS.items():
        with stage.scene(history) as scene:
            stage.site.trouble, stage.site.delay_s = trouble, delay_s
            figures[name] = cost(scene, audience, count).as_json()
            stage.site.trouble, stage.site.delay_s = Trouble.NONE, 0.0
    return figures


def silence(scene: Scene, audience: Audience) -> dict[str, object]:
    """Seconds after the revocation at which a message last showed the page, by revocation."""
    chosen = {name: each for name, each in REVOCATIONS.items() if _closes(each, audience)}
    turns = [_ask(scene, audience, each) for each in chosen.values()]
    shown = {name: _last_shown(scene, each.page, 0.0) for name, each in chosen.items()}
    assert all(at is not None for at in shown.values()), f"not shown at first: {shown}"
    for each in chosen.values():
        scene.change(each.change)
    revoked_at = time.time()
    while time.time() < revoked_at + 1.1 * scene.outlet.valid_s:
        began = time.time()
        for each in chosen.values():
            _ask(scene, audience, each)
        for turn_id in turns:
            scene.outlet.deliver(turn_id)
        time.sleep(max(0.0, began + ASK_EVERY_S - time.time()))
    last = {name: _last_shown(scene, each.page, revoked_at) for name, each in chosen.items()}
    return {name: round(at - revoked_at, 1) if at else 0.0 for name, at in last.items()}


def cost(scene: Scene, audience: Audience, count: int) -> Cost:
    """Of so many answers, none of which finds a confirmation that still counts."""
    found = Cost()
    every = list(REVOCATIONS.values())
    for number in range(count):
        with scene.parts.database.session() as session:
            session.exec(delete(ConfirmationRow))
        before, waited = scene.site.requests, scene.outcome.tally.seconds
        turn = scene.ask(_step(audience, every[number % len(every)]))
        found.requests.append(scene.site.requests - before)
        found.waited_ms.append(1000 * (scene.outcome.tally.seconds - waited))
        found.got["answered" if turn.record and turn.record.hits else str(turn.reason)] += 1
    return found


def taken_back(scene: Scene, audience: Audience) -> dict[str, object]:
    """Seconds of the sync that notices a closing, and then until the answer is taken back."""
    each = REVOCATIONS["text"]
    turn_id = _ask(scene, audience, each)
    assert (turn_id, "answer") in scene.outlet.standing
    scene.change(each.change)
    time.sleep(scene.outlet.valid_s * 0.5)  # until no confirmation is used again
    began = time.time()
    scene.sync(scene.chosen)
    synced = time.time()
    scene.drain()
    assert (turn_id, "answer") not in scene.outlet.standing
    return {"sync s": round(synced - began, 2), "s": round(time.time() - synced, 2)}


def _closes(each: Revocation, audience: Audience) -> bool:
    if each.for_people:
        return audience.private
    return audience.variant.spaces_count or not each.of_space


def _ask(scene: Scene, audience: Audience, each: Revocation) -> str:
    return scene.ask(_step(audience, each)).id


def _step(audience: Audience, each: Revocation) -> Step:
    return Step(
        Act.ASK,
        who=READER,
        private=audience.private,
        question=each.question,
        page=each.asked_about,
    )


def _last_shown(scene: Scene, page: str, since: float) -> float | None:
    """When a text last held a canary of this page."""
    for sent in reversed(scene.outlet.sent):
        if sent.at >= since and page in {of for _, of in scene.words.said_in(sent.text)}:
            return sent.at
    return None


def _share(values: list[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def _show(rows: Mapping[str, Mapping[str, Mapping[str, object]]]) -> None:
    console = Console()
    table = Table("seconds to silence", *REVOCATIONS, "sync", "taken back")
    for name, figures in rows.items():
        told = [str(figures["silence"].get(each, "-")) for each in REVOCATIONS]
        back = figures["taken back"]
        table.add_row(name, *told, str(back["sync s"]), str(back["s"]))
    console.print(table)
    table = Table("confirming", "site", "requests", "most", "ms p50", "ms p95", "the reader gets")
    for name, figures in rows.items():
        for condition in CONDITIONS:
            table.add_row(name, condition, *map(str, figures[condition].values()))
    console.print(table)
