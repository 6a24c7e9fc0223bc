"""Logs: every line of ours and of libraries in one format, with the traceback of errors."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from core.logs import Timings
from sandbox.programs.environment import child_environment

PROGRAM = """
import logging
from core import logs
from core.settings import Settings
logs.configure(Settings())
log = logs.get("ours")
log.debug("hidden")
log.info("answered", turn="t1", hits=3)
logging.getLogger("theirs").info("Grüße")
logging.getLogger("httpx").info("GET https://example.org?token=secret")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("failed")
"""


def test_every_line_is_json_with_its_level_its_logger_and_its_ids() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=child_environment(LOG_FORMAT="json"),
        capture_output=True,
        text=True,
        check=True,
    )
    ours, theirs, failed = map(json.loads, done.stderr.splitlines())
    assert (ours["event"], ours["level"], ours["logger"], ours["turn"], ours["hits"]) == (
        "answered",
        "info",
        "ours",
        "t1",
        3,
    )
    assert (theirs["event"], theirs["logger"]) == ("Grüße", "theirs")
    assert "ZeroDivisionError" in failed["exception"]
    assert all("timestamp" in line for line in (ours, theirs, failed))


def test_a_step_that_fails_is_timed_too() -> None:
    timings = Timings()
    with pytest.raises(ZeroDivisionError), timings.step("retrieve"):
        _ = 1 / 0
    assert list(timings.seconds) == ["retrieve"]
