"""Pictures of the console's rooms after a week, wide and narrow, light and dark; axe looks at each.

scripts/install dev,browser
python -m sandbox.demo.rooms FOLDER --browser chromium
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright
from rich.progress import track

from core.storage.database import open_database
from sandbox.confluence.__main__ import SAMPLE
from sandbox.demo.folder import entities_of
from sandbox.demo.pictures import console, started
from sandbox.demo.week import WEEK, live_through
from sandbox.programs.stack import Stack

ROOMS = (
    "today",
    "questions",
    "gaps",
    "pages",
    "sync",
    "cost",
    "pairs",
    "settings",
    "answer",
    "page",
)
SERIOUS = ("serious", "critical")
PAIRS = "8"  # of pages
LOOKED_MS = 15_000  # until the doctor has looked at everything


@dataclass(frozen=True)
class Eyes:
    """How somebody looks at the console."""

    name: str
    scheme: str
    width: int
    height: int = 900
    language: str = "en"


ALL_EYES = (
    Eyes("wide-light", "light", 1250),
    Eyes("wide-dark", "dark", 1250),
    Eyes("phone-light", "light", 390, 850),
    Eyes("phone-dark", "dark", 390, 850),
    Eyes("wide-german", "light", 1250, language="de"),
)


def main(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
    browser: Annotated[str, typer.Option(help="The Chromium to use.")] = "chromium",
) -> None:
    """Ask for a week, look into every room, and end with 1 where axe finds something serious."""
    path = shutil.which(browser)
    if path is None:
        console.print(f"rooms: there is no {browser}: name a Chromium with --browser")
        raise typer.Exit(1)
    folder.mkdir(parents=True, exist_ok=True)
    settings = entities_of(SAMPLE)
    with (
        tempfile.TemporaryDirectory() as data,
        Stack(Path(data), pages=SAMPLE, settings=settings) as stack,
        sync_playwright() as playwright,
    ):
        workspace, database = started(stack), open_database(stack.settings.sql_url)
        for _ in track(live_through(workspace, database), "a week", len(WEEK), console=console):
            pass
        stack.groundwire("pairs", "propose", "--count", PAIRS, ready="pairs proposed")
        link = stack.start_console()
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        found = list(_looked(chromium, link, folder))
        chromium.close()
    for line in found:
        console.print(line)
    console.print(f"{len(ROOMS) * len(ALL_EYES)} pictures, {len(found)} findings")
    raise typer.Exit(1 if found else 0)


def _looked(chromium: Any, link: str, folder: Path) -> Iterator[str]:
    """What is wrong in a room, room by room, with every pair of eyes."""
    cookies = _come_in(chromium, link)
    for eyes in ALL_EYES:
        context = chromium.new_context(
            color_scheme=eyes.scheme,
            locale=eyes.language,
            viewport={"width": eyes.width, "height": eyes.height},
            bypass_csp=True,  # or axe could not be put into the page
        )
        context.add_cookies(cookies)
        page = context.new_page()
        for room in ROOMS:
            page.goto(_address(page, link, room))
            page.screenshot(path=folder / f"{room}-{eyes.name}.png", full_page=room != "settings")
            yield from (f"{room} {eyes.name}: {each}" for each in _findings(page))
        context.close()


def _come_in(chromium: Any, link: str) -> Any:
    """The cookies of somebody who has used the link."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(link)
    page.wait_for_timeout(LOOKED_MS)
    with page.expect_navigation() as pressed:  # a form, as a browser sends it
        page.locator('form[action="/look"] button').click()
    if not pressed.value.ok:
        raise RuntimeError("the console refuses its own form")
    return context.cookies()


def _address(page: Page, link: str, room: str) -> str:
    """Of a room; an answer is that of the first explained question, a page the first gap's."""
    home = link.partition("/in?")[0]
    if room == "answer":
        page.goto(f"{home}/questions?outcome=explained")
        return home + str(page.locator(".list a").first.get_attribute("href"))
    if room == "page":
        page.goto(f"{home}/gaps")
        return home + str(page.locator('a[href^="/pages/"]').first.get_attribute("href"))
    return f"{home}/{'' if room == 'today' else room}"


def _findings(page: Page) -> Iterator[str]:
    for each in Axe().run(page).response["violations"]:
        if each["impact"] in SERIOUS:
            yield f"{each['impact']}: {each['help']} ({each['nodes'][0]['target']})"
    wide, shown = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    if wide > shown:
        yield f"the page is {wide - shown} px wider than the window"


if __name__ == "__main__":
    typer.run(main)
