"""Runs the checks of the doctor side by side, each for so long at most; one that fails stops none.

A server that takes a connection and says nothing costs its own check the time, and no other one.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from core.errors import GroundwireError
from core.storage.outages import OUTAGES, sentence
from groundwire.doctor.finding import HealthFinding, NotTried, not_tried, wrong
from groundwire.doctor.hiding import Hiding
from groundwire.doctor.patient import Patient

CHECK_S = 10.0
ALL_S = 30.0
LOG = "doctor.log"  # in DATA_DIR
SILENT = "look whether it answers at all: a firewall that drops packets looks like this"
AGAIN = "mend what it names, then run the doctor again"


@dataclass(frozen=True)
class Check:
    """One thing to look at; `quick`: also right before a start."""

    id: str  # subject.what
    look: Callable[[Patient], HealthFinding]
    quick: bool = False
    within_s: float = CHECK_S


class Examination:
    """Checks under way, which begin at once."""

    def __init__(self, patient: Patient, checks: Sequence[Check], hiding: Hiding) -> None:
        self._began = time.monotonic()
        self._hiding = hiding
        self._patient = patient
        self._log = patient.settings.data_dir / LOG
        self._running = [(check, _started(check, patient)) for check in checks]

    @property
    def under_way(self) -> list[str]:
        """What is still waited for."""
        return [check.id for check, future in self._running if not future.done()]

    @property
    def of(self) -> int:
        return len(self._running)

    def findings(self) -> Iterator[HealthFinding]:
        """In the order of the checks, each as soon as it and those before it are done."""
        for check, future in self._running:
            ends = self._began + min(check.within_s, ALL_S)
            finding = self._finding(check, future, max(0.0, ends - time.monotonic()))
            yield self._hiding.finding(replace(finding, id=check.id))
        self._patient.close()

    def _finding(
        self, check: Check, future: Future[HealthFinding], within_s: float
    ) -> HealthFinding:
        try:
            error = future.exception(within_s)
        except TimeoutError:
            seconds = round(time.monotonic() - self._began, 1)
            return replace(wrong(f"nothing came within {seconds:.0f} s", SILENT), seconds=seconds)
        if error is None:
            return future.result()
        if isinstance(error, NotTried):
            return not_tried(str(error))
        if isinstance(error, OUTAGES) and (said := sentence(error)):
            return _foreseen(error, said)
        return self._defect(check, error)

    def _defect(self, check: Check, error: BaseException) -> HealthFinding:
        """A check that fails in a way that nobody foresaw says nothing of what it looked at."""
        kind = type(error).__name__
        written = "".join(traceback.format_exception(error))
        kept = _kept(self._log, f"{check.id}\n{self._hiding.text(written)}")
        where = f"its traceback is in {self._log}" if kept else f"{self._log} cannot be written"
        return wrong(f"this check itself failed ({kind}): a defect", f"please report it; {where}")


def _foreseen(error: BaseException, said: str) -> HealthFinding:
    """Our own sentences often end with the cure: `…; is CHROMA_URL right?`"""
    what, mark, cure = said.partition("; ")
    if isinstance(error, GroundwireError) and mark:
        return wrong(what, cure)
    return wrong(said, AGAIN)


def _started(check: Check, patient: Patient) -> Future[HealthFinding]:
    """In a daemon: one that hangs must not keep the program from ending."""
    future: Future[HealthFinding] = Future()

    def run() -> None:
        began = time.monotonic()
        try:
            found = check.look(patient)
        except BaseException as error:  # noqa: BLE001  (handed on to whoever waits for the result)
            future.set_exception(error)
        else:
            future.set_result(replace(found, seconds=round(time.monotonic() - began, 2)))

    threading.Thread(target=run, name=check.id, daemon=True).start()
    return future


def _kept(file: Path, text: str) -> bool:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        with file.open("a", encoding="utf-8") as log:
            log.write(f"{now} {text}\n")
    except OSError:
        return False
    return True
