"""Today: what was asked and found, what is broken and its cure, and how fresh the index is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.responses import RedirectResponse, Response

from console.charts import DARK, LIGHT, questions_by_day
from console.guard import Visit
from console.parts import Ailment
from console.rendering import HEADERS
from console.reports import counts, spaces
from core.reports.period import CHOICES, period
from core.storage import clock


@dataclass
class DoctorsFindings:
    """What the doctor said the last time, and a visit of it in the background."""

    look: Callable[[], Sequence[Ailment]]
    found: Sequence[Ailment] = ()
    at: float | None = None  # when; None: never yet
    _looking: threading.Lock = field(default_factory=threading.Lock)

    def begin(self) -> None:
        """Look, unless somebody is looking."""
        if self._looking.acquire(blocking=False):
            threading.Thread(target=self._look, name="console-doctor", daemon=True).start()

    def _look(self) -> None:
        try:
            self.found, self.at = self.look(), clock.now()
        finally:
            self._looking.release()


class TodayRoom:
    """The first room."""

    def __init__(self, health: DoctorsFindings) -> None:
        self._health = health

    def show(self, visit: Visit) -> Response:
        chosen = period(visit.asked("days"))
        database = visit.parts.database
        synced = spaces.spaces(database)
        unwell = [each for each in self._health.found if each.state in ("wrong", "warning")]
        return visit.show(
            "today",
            counts=counts.count(database, chosen),
            period=chosen,
            choices=CHOICES,
            synced_at=spaces.oldest_sync(synced),
            failing=sum(space.failing for space in synced),
            withheld=sum(space.withheld for space in synced),
            health=self._health,
            unwell=sorted(unwell, key=lambda each: each.state != "wrong"),
        )

    def look(self, _visit: Visit, _form: Mapping[str, str]) -> Response:
        """Have the doctor look again."""
        self._health.begin()
        return RedirectResponse("/", 303, headers=HEADERS)

    def chart(self, visit: Visit) -> Response:
        chosen = period(visit.asked("days"))
        inks = DARK if visit.asked("ground") == "dark" else LIGHT
        days = counts.count(visit.parts.database, chosen).days
        picture = questions_by_day(days, visit.say, inks)
        return Response(picture, media_type="image/svg+xml", headers=HEADERS)
