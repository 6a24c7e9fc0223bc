"""Groundwire is an application: its modules stay in the checkout, and are found there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("core", "bot", "worker", "indexer", "sandbox", "evaluation", "prompts", "migrations")
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the build backend itself from a copy of the checkout, off the network."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "checkout"
    for name in OURS:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    command = [sys.executable, "-c", BUILD, str(folder)]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_no_module(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        folders = {name.partition("/")[0] for name in archive.namelist()}
    assert folders == {"groundwire-0.1.0.dist-info"}


def test_the_wheel_says_what_is_needed(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        metadata = archive.read("groundwire-0.1.0.dist-info/METADATA").decode()
    assert "Requires-Dist: sqlmodel" in metadata
    assert "Provides-Extra: sandbox" in metadata


def test_nothing_that_is_installed_takes_our_names() -> None:
    installed = packages_distributions()
    others = {name: set(installed.get(name, [])) - {"groundwire"} for name in OURS}
    assert [name for name, owners in others.items() if owners] == []


def test_the_environment_finds_the_modules_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", f"import {', '.join(OURS)}; print(core.__file__)"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == ROOT / "core/__init__.py"


def test_a_tool_beside_the_interpreter_finds_them_too(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("celery")), "-A", "core.jobs.queue", "report"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "task_acks_late" in done.stdout
