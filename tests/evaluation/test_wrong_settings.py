"""A wrong setting is said in a sentence by every measure, before anything is done."""

from __future__ import annotations

import subprocess
import sys

from sandbox.programs.environment import child_environment


def test_a_wrong_setting_ends_a_measure_with_a_sentence() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "evaluation", "acts"],
        env=child_environment(EXPLAIN_METHOD="guess"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("groundwire: wrong setting: EXPLAIN_METHOD")
    assert "Traceback" not in ended.stderr
