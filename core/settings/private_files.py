"""Settings that are files: other accounts of the machine may not read those with secrets.

A secret may be such a file too, as containers have it: NAME_FILE in place of NAME.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from pathlib import Path

from core.errors import SettingsError

OTHERS = stat.S_IRWXG | stat.S_IRWXO
SUFFIX = "_FILE"


def make_private() -> None:
    """What this program writes from now on is for its own account alone."""
    os.umask(OTHERS)


def refuse_if_open(path: Path, mode: str) -> None:
    """What other accounts of this machine can look into; `mode` as chmod takes it is the cure.

    Raises:
        SettingsError: they can.
    """
    try:
        open_to_others = stat.S_IMODE(path.stat().st_mode) & OTHERS
    except FileNotFoundError:
        return
    if open_to_others:
        cure = f"chmod {mode} {path}"
        raise SettingsError(f"other accounts of this machine can look into {path}: {cure}")


def from_files(values: Mapping[str, str], secrets: Collection[str]) -> dict[str, str]:
    """The secrets whose file is named in place of a value: SLACK_BOT_TOKEN_FILE=/run/secrets/bot.

    By the names of their settings in lower case.

    Raises:
        SettingsError: both are set, or the file cannot be read.
    """
    found = {}
    for name in secrets:
        path = values.get(name + SUFFIX)
        if not path:
            continue
        if values.get(name):
            raise SettingsError(f"{name} and {name}{SUFFIX} are both set: take one away")
        try:
            found[name.lower()] = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise SettingsError(f"{name}{SUFFIX}: cannot read {path}: {reason}") from None
    return found
