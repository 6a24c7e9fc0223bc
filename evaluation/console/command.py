"""`python -m evaluation console`: what each room of the console costs with many questions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path as Folder
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from starlette.testclient import TestClient

from console.app import HOSTS, build
from console.parts import ConsoleParts
from console.sessions import ConsoleRole, Sessions
from console.vectors import QuestionVectors
from core.access.authorizer import Authorizer
from core.access.policy import Policy
from core.embeddings import load
from core.errors import StoreUnavailable
from core.manner import Manner
from core.models import Page, Record
from core.page_source import Path, Readers, Space
from core.pages import CONFLUENCE
from core.settings import Settings
from core.storage.database import open_database
from evaluation.console.many_turns import DAYS, fill
from evaluation.harness.output import AsJson, show
from evaluation.harness.progress import track

ROOMS = (
    "/?days=7",
    "/?days=30",
    "/?days=90",
    "/charts/questions.svg?days=90",
    "/questions",
    "/questions?words=porto",
    "/questions?words=nobody",
    "/questions?outcome=not_found",
    "/questions?outcome=green_down",
    "/questions?outcome=explained",
    "/questions?outcome=reported",
    "/questions?outcome=failed",
    "/gaps?days=90",
    "/pages?days=30",
    "/pages?days=90",
    "/sync",
    "/cost?days=30",
    "/cost?days=90",
    "/pairs",
    "/settings",
)


class OpenSite:
    """A site that keeps nothing from anybody, and answers at once."""

    requests = 0

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        return {page.id: True for page in pages[:most]}

    def visible_to(self, _account: str, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        return self.visible(pages, most=most)

    def paths(self, pages: Sequence[Page], *, most: int) -> dict[str, Path | None]:
        return {page.id: Path(Space("1", page.space), ()) for page in pages[:most]}

    def space_readers(self, _space: Space) -> Readers:
        return frozenset()


def console(
    turns: Annotated[int, typer.Option(min=100, help="Answered questions.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Of who asked what.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Open every room twice and measure the second time; every page is open to everybody."""
    with TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Folder(folder))
        database = open_database(settings.sql_url)
        batches = fill(database, turns, seed)
        for _ in track(batches, f"{turns} questions of {DAYS} days"):
            pass
        sessions = Sessions()
        embedder = QuestionVectors(lambda: load(settings))
        control = Authorizer(database, {CONFLUENCE: OpenSite()}, Policy)
        parts = ConsoleParts(
            settings,
            database,
            control,
            embedder,
            look=lambda: (),
            linked=lambda _team, _user: "",
            again=_nothing_is_asked,
        )
        browser = TestClient(build(parts, sessions), f"http://{HOSTS[0]}")
        browser.get(f"/in?link={sessions.link(ConsoleRole.OPERATOR)}").raise_for_status()
        found = dict(_measured(browser))
    show(found, as_json=as_json)


def _nothing_is_asked(question: str, _manner: Manner, _with_model: bool) -> Record:
    raise StoreUnavailable(f"{question!r} is not asked here")


def _measured(browser: TestClient) -> Iterator[tuple[str, dict[str, float]]]:
    for room in track(ROOMS, "rooms"):
        browser.get(room).raise_for_status()
        began = time.process_time()
        browser.get(room).raise_for_status()
        yield room, {"ms": round((time.process_time() - began) * 1000)}
