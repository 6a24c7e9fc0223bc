"""Our side of the process that opens attachments: started when needed, killed as a whole."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from core.errors import GroundwireError
from indexer.attachments.child import DATA, LARGEST_FILE, NAME, READY, REASON, TEXT, cpu_seconds
from indexer.attachments.refusal import Refused

START_S = 120.0  # for the imports, which a cold disk makes long
SPARE_S = 15.0  # by the clock on the wall, beyond the processor time that a file may take
ROOT = Path(__file__).parents[2]


class ConverterDown(GroundwireError):
    """The program that opens attachments does not start: it is not a file that is at fault."""


class Converter:
    """Converts files, one at a time; to be closed, as a context."""

    def __init__(self, spare_s: float = SPARE_S, python: str = sys.executable) -> None:
        self._spare_s = spare_s
        self._python = python
        self._child: subprocess.Popen[bytes] | None = None
        self._home = tempfile.TemporaryDirectory(prefix="groundwire-attachments-")

    def __enter__(self) -> Converter:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._kill()
        self._home.cleanup()

    def convert(self, name: str, data: bytes) -> str:
        """The text of a file as markup for the parser.

        Raises:
            Refused: it has none for us; the message says why, without quoting it.
            ConverterDown: nothing was learned of the file.
        """
        with tempfile.TemporaryDirectory(dir=self._home.name) as made:
            folder = Path(made)
            (folder / NAME).write_text(name, encoding="utf-8", errors="replace")
            (folder / DATA).write_bytes(data)
            status = self._ask(folder, cpu_seconds(len(data)) + self._spare_s)
            if status != 0:
                self._kill()  # with whatever the fork may have left behind
            return _result(folder, status)

    def _ask(self, folder: Path, seconds: float) -> int:
        """How the fork for this file ended, as os.wait has it; SIGALRM when it took too long."""
        child = self._running()
        assert child.stdin is not None, "it was started with pipes"
        try:
            child.stdin.write(f"{folder}\n".encode())
            child.stdin.flush()
        except BrokenPipeError:
            return signal.SIGKILL
        told = _line(child, seconds)
        if told is None:
            return signal.SIGALRM
        return int(told or signal.SIGKILL)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._child = subprocess.Popen(  # noqa: S603  (the Python that runs us)
                [self._python, "-m", "indexer.attachments.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # tracebacks of libraries quote the file
                env=self._environment(),
                cwd=self._home.name,
                start_new_session=True,
            )
            if _line(self._child, START_S) != READY.encode():
                self._kill()
                raise ConverterDown(
                    "the program that opens attachments does not start: "
                    "`python -m indexer.attachments.child` says why"
                )
        return self._child

    def _environment(self) -> dict[str, str]:
        """Nothing of ours: no tokens, no addresses, no home."""
        return {
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": self._home.name,
            "TMPDIR": self._home.name,
            "LANG": "C.UTF-8",
            # A thread for each core would reserve memory that counts against the limit.
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }

    def _kill(self) -> None:
        if self._child is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.communicate()
        self._child = None


def _line(child: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """What the child says next, empty when it has ended; None when it says nothing in time."""
    assert child.stdout is not None, "it was started with pipes"
    ready, _, _ = select.select([child.stdout], [], [], seconds)
    return child.stdout.readline().strip() if ready else None


def _result(folder: Path, status: int) -> str:
    reason, text = folder / REASON, folder / TEXT
    ended = os.WTERMSIG(status) if status else 0
    if ended in (signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL):
        raise Refused("reading it took too long or too much, and was stopped")
    if ended or not (text.is_file() or reason.is_file()):
        raise Refused("the library that reads such files broke down over it")
    if reason.is_file():
        raise Refused(reason.read_text(encoding="utf-8", errors="replace")[:300])
    return text.read_bytes()[:LARGEST_FILE].decode(errors="replace")
