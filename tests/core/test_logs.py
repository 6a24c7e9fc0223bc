"""Logs: every line of ours and of libraries in one format, with the traceback of errors."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from core.metrics import Timings
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


RAISING = """
import logging
from core import logs
from core.settings import Settings
{configured}
log = logs.get("ours")
def raising():
    token = "".join(("hun", "ter", "2"))
    raise ValueError("no value")
try:
    raising()
except ValueError:
    log.exception("failed")
    log.warning("warned", exc_info=True)
    logging.getLogger("theirs").exception("failed there")
log.info("not for standard output")
raising()
"""


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize(
    "configured", ["", "logs.configure(Settings())", "logs.configure_quietly(Settings())"]
)
def test_an_exception_is_told_on_standard_error_without_any_local_variable(
    configured: str, form: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RAISING.format(configured=configured)],
        env=child_environment(LOG_FORMAT=form),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "hunter2" not in done.stdout + done.stderr
    assert done.stdout == ""
    for said in ("failed", "warned", "failed there"):
        assert said in done.stderr
    assert done.stderr.count("ValueError: no value") == 4  # the last by Python itself


def test_a_step_that_fails_is_timed_too() -> None:
    timings = Timings()
    with pytest.raises(ZeroDivisionError), timings.step("retrieve"):
        _ = 1 / 0
    assert list(timings.seconds) == ["retrieve"]
