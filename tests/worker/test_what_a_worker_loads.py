"""What a worker loads before its first question."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("sklearn", "pandas", "scipy.stats", "torch", "matplotlib")


def test_a_worker_starts_without_what_only_evaluation_needs() -> None:
    code = (
        "import sys, worker.pools.run, worker.tasks; "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
