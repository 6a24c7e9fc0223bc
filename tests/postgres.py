"""A Postgres of our own for the tests that ask one, where its programs and its driver are there."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs, free_port

_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@contextmanager
def postgres() -> Iterator[str]:
    """The address of an empty database; skips the test, and says why, where there can be none."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, _DEBIAN)])
    initdb, server = shutil.which("initdb", path=path), shutil.which("postgres", path=path)
    if initdb is None or server is None:
        pytest.skip("there is no Postgres on this machine: initdb and postgres are not found")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("the driver of Postgres is not installed: scripts/install postgres")
    folder = Path(mkdtemp(prefix="postgres-"))
    # It refuses to run as root.
    somebody = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if somebody:
        shutil.chown(folder, "postgres")
    data, port = folder / "data", str(free_port())
    options = ["-D", str(data), "-U", "postgres", "--auth=trust", "--no-sync"]
    subprocess.run([*somebody, initdb, *options], check=True, capture_output=True, cwd=folder)
    listen = ["-h", "127.0.0.1", "-p", port, "-k", str(folder), "-F"]
    command = [*somebody, server, "-D", str(data), *listen]
    try:
        with Programs(Path(mkdtemp(prefix="postgres-log-"))) as programs:
            started = programs.start(
                "postgres", command, child_environment(), ready="ready to accept connections"
            )
            started.wait_until_ready()
            yield f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
