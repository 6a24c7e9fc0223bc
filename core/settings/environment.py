"""The environment and `.env`, as they are written: what core.settings reads its settings from."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from dotenv import dotenv_values

from core.settings.private_files import SUFFIX, found_secrets


def file() -> Path:
    return Path(os.environ.get("ENV_FILE", ".env"))


def written() -> dict[str, str]:
    """What stands in `.env`, by name."""
    return {name.upper(): value or "" for name, value in dotenv_values(file()).items()}


def given(name: str) -> str:
    """What stands there under a name that only the Procfile reads; the environment goes first."""
    return os.environ.get(name) or written().get(name, "")


def secrets(names: Collection[str]) -> set[str]:
    """The secrets under these names, right or wrong, to be kept out of what is shown."""
    return set(found_secrets({**written(), **os.environ}, names))


def origin(name: str) -> str:
    """Where a setting comes from: the environment, a file that it names, `.env`; empty: nowhere.

    What is empty there counts as not set, as it does for the settings.
    """
    of_file = written()
    for values, kind in ((os.environ, "environment"), (of_file, ".env")):
        if values.get(name):
            return kind
        if values.get(f"{name}{SUFFIX}"):
            return "secret file"
    return ""
