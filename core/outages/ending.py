"""How a command ends that met an error: one sentence and an exit code, and no traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import SettingsError
from core.settings import or_exit
from core.storage.outages import OUTAGES, sentence


@contextmanager
def or_one_sentence() -> Iterator[None]:
    """A wrong setting ends the program with 2, what is lost with 1; a defect with its traceback."""
    with or_exit():
        try:
            yield
        except OUTAGES as error:
            said = sentence(error)
            if not said or isinstance(error, SettingsError):
                raise
            print(f"groundwire: {said}", file=sys.stderr)  # noqa: T201  (for who typed the command)
            sys.exit(1)
