"""A Postgres server of our own, in a folder, where its programs are on this machine."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from sandbox.programs.environment import child_environment
from sandbox.programs.processes import DidNotStart, Program, Programs, free_port

_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
AGAIN_S = 60.0
_ACCOUNT = "postgres"  # the server refuses to run as root
# Nothing here has to outlive the run, and several servers share a machine.
_OPTIONS = ("-F", "-c", "shared_buffers=32MB", "-c", "full_page_writes=off")


class Postgres:
    """A server that can be killed and started again."""

    def __init__(self, programs: Programs) -> None:
        """Starts it.

        Raises:
            DidNotStart: its programs or its account are not on this machine.
        """
        initdb, self._server = _program("initdb"), _program("postgres")
        self._programs = programs
        self._somebody = _somebody()
        self._folder = Path(mkdtemp(prefix="postgres-"))
        if self._somebody:
            shutil.chown(self._folder, _ACCOUNT)
        self.port = free_port()
        self.url = f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/postgres"
        options = ["-D", str(self._data), "-U", "postgres", "--auth=trust", "--no-sync"]
        command = [*self._somebody, initdb, *options]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder)
        self._program = self._started()

    def kill(self) -> None:
        """End it at once, with everybody's connections."""
        self._program.kill()

    @retry(
        retry=retry_if_exception_type(DidNotStart),
        stop=stop_after_delay(AGAIN_S),
        wait=wait_fixed(0.5),
        reraise=True,
    )
    def start_again(self) -> None:
        """As soon as what was killed is gone: until then it says that another one is running."""
        self._program = self._started()

    def remove(self) -> None:
        """Delete its folder; the server must have ended."""
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _started(self) -> Program:
        listen = ["-h", "127.0.0.1", "-p", str(self.port), "-k", str(self._folder), *_OPTIONS]
        command = [*self._somebody, self._server, "-D", str(self._data), *listen]
        ready = "ready to accept connections"
        started = self._programs.start("postgres", command, child_environment(), ready=ready)
        started.wait_until_ready()
        return started


def _program(name: str) -> str:
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, _DEBIAN)])  # noqa: TID251
    found = shutil.which(name, path=path)
    if found is None:
        raise DidNotStart(
            f"there is no Postgres on this machine: {name} is not found; "
            "Debian's package is called postgresql"
        )
    return found


def _somebody() -> Sequence[str]:
    """What a command begins with that runs it as an account which Postgres takes."""
    if os.geteuid() != 0:
        return ()
    try:
        pwd.getpwnam(_ACCOUNT)
    except KeyError:
        raise DidNotStart(
            f"Postgres refuses to run as root, and there is no account {_ACCOUNT}"
        ) from None
    return ("runuser", "-u", _ACCOUNT, "--")
