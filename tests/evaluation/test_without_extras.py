"""Whoever has installed what the demo needs may run the benchmarks that need no more."""

from __future__ import annotations

import subprocess
import sys

WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("faiss", "gguf", "transformers")))
sys.argv = ["evaluation", *sys.argv[1:]]
from evaluation.__main__ import app
app()
"""


def test_a_command_that_needs_no_extra_starts_without_them() -> None:
    command = [sys.executable, "-c", WITHOUT, "pose", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--turns" in done.stdout
