"""The product refuses a data folder that others can look into: ours must not be made like that."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings.private_files import refuse_if_open
from sandbox.confluence.__main__ import SAMPLE
from sandbox.demo.folder import demo_folder
from sandbox.programs.stack import ROOT, Stack


@pytest.fixture(autouse=True)
def _as_most_machines_have_it() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_the_demo_starts_in_a_new_checkout(tmp_path: Path) -> None:
    with demo_folder(tmp_path / "var" / "demo", SAMPLE) as folder:
        refuse_if_open(folder, "700")
    refuse_if_open(tmp_path / "var", "700")  # where a bot of this checkout keeps its data


def test_the_programs_start_in_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    with Stack(tmp_path / "var" / "new") as stack:
        refuse_if_open(stack.folder, "700")


def test_a_benchmark_makes_folders_for_its_own_account(tmp_path: Path) -> None:
    made = tmp_path / "wiki"
    command = [sys.executable, "-m", "evaluation", "corpus", "--out", str(made)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    refuse_if_open(made, "700")
