"""A file of settings to begin with: every one explained, with its default, none set."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from core.errors import SettingsError
from core.outages.ending import or_one_sentence
from groundwire.where import ROOT


def write(file: Path) -> None:
    """For its own account alone; never over what is there."""
    with or_one_sentence():
        text = (ROOT / ".env.example").read_text(encoding="utf-8")
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise SettingsError(f"{file} is there already, and stays as it is") from None
        with os.fdopen(descriptor, "w", encoding="utf-8") as written:
            written.write(text)
    typer.echo(f"{file}: fill in Slack and Confluence, then: groundwire doctor, groundwire up")
