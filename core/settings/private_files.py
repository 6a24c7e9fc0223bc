"""Settings that are files: other accounts of the machine may not read those with secrets.

A secret may be such a file too, as containers have it: NAME_FILE in place of NAME.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

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


def found_secrets(values: Mapping[str, str], names: Collection[str]) -> Iterator[str]:
    """The secrets themselves, from values and files; of an address, its password.

    >>> list(found_secrets({"REDIS_URL": "redis://:pass%21@h/0", "X": "y"}, ["REDIS_URL"]))
    ['pass%21', 'pass!']
    """
    for name in names:
        for value in (values.get(name, ""), _read(values.get(name + SUFFIX, ""))):
            if not name.endswith("_URL"):
                yield from value.replace(",", " ").split()
            elif password := _password(value):
                yield from dict.fromkeys((password, unquote(password)))


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip() if path else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _password(url: str) -> str:
    try:
        return urlsplit(url).password or ""
    except ValueError:
        return ""
