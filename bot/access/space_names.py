"""Which spaces settings may name now: those of which a page is confirmed to be for everybody."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from bot.gate import Gate
from bot.views.settings.owner import OwnerSettings
from core.access.disclosure import Disclosure, of_pages
from core.access.index_overview import pages_of_spaces
from core.jobs.queue import TaskName, confirm_examples
from core.storage.database import Database

WAIT_S = 5.0  # for a worker that asks the sources; the modal is open meanwhile
LOOK_EVERY_S = 0.2


@dataclass(frozen=True)
class Named:
    """Settings as they may be shown now, and what they give away."""

    settings: OwnerSettings
    shows: Disclosure
    is_complete: bool  # False: a worker may confirm more spaces


class SpaceNames:
    """Leaves out the spaces that are not confirmed; their keys stay where somebody chose them."""

    def __init__(self, database: Database, gate: Gate) -> None:
        self._database = database
        self._gate = gate

    def confirmed(self, current: OwnerSettings) -> Named:
        """With the spaces that are confirmed at this moment."""
        there = current.available.spaces
        pages = pages_of_spaces(self._database)
        stale = self._gate.stale(of_pages(pages.values()))
        chosen = {*(current.chosen.spaces or ()), *current.settings.default_space_keys}
        named, shown = {}, []
        for key, name in there.items():
            if key in pages and pages[key] not in stale:
                named[key] = name
                shown.append(pages[key])
            elif key in chosen:
                named[key] = ""
        available = replace(current.available, spaces=named)
        return Named(replace(current, available=available), of_pages(shown), not stale)

    def waited_for(self, current: OwnerSettings, team: str, user: str) -> Named:
        """The same, when a worker has asked, or has had the time to do so."""
        named = self.confirmed(current)
        if not named.is_complete:
            confirm_examples(TaskName.PUBLISH_HOME, team, user, "shown")
        until = time.monotonic() + WAIT_S
        while not named.is_complete and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
            named = self.confirmed(current)
        return named
