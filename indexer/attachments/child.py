"""The process that opens attachments: it stays warm, and forks once for each file.

The fork has limits of memory, processor time, output and open files, no network where the kernel
lets us, and the folder of its file; it dies with its file, so no file sees what another has left.

    python -m indexer.attachments.child
    < FOLDER            holds `name` and `data`
    > ready             once the libraries are there
    > STATUS            of the fork, as os.wait has it; the folder now holds `text` or `reason`

Imports of libraries take about a second, which is why the process is kept.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from pathlib import Path

from indexer.attachments import convert
from indexer.attachments.refusal import Refused

# Seconds of processor time: a small file that takes long is hostile, a large one may just be long.
LEAST_CPU_S, MOST_CPU_S = 6, 60
BYTES_A_SECOND = 50_000
MEMORY = 1536 * 1024**2  # of address space, of which the libraries take 450 MB before any file
LARGEST_FILE = 16 * 1024**2  # what it may write
OPEN_FILES = 64
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000  # of unshare(2), in Python since 3.12

READY = "ready"
NAME, DATA, TEXT, REASON = "name", "data", "text", "reason"


def main() -> None:
    convert.load()
    print(READY, flush=True)  # noqa: T201
    for line in sys.stdin:
        print(_forked(Path(line.rstrip("\n"))), flush=True)  # noqa: T201  (it is the protocol)


def _forked(folder: Path) -> int:
    """Read one file in a fork; how that ended."""
    process = os.fork()
    if process == 0:
        try:
            _confine(cpu_seconds((folder / DATA).stat().st_size))
            _read(folder)
        finally:
            os._exit(0)  # whatever happened: `text` or `reason` tells, or neither is there
    return os.waitpid(process, 0)[1]


def cpu_seconds(size: int) -> int:
    """How long a file of so many bytes may take.

    >>> [cpu_seconds(size) for size in (300, 500_000, 20_000_000)]
    [6, 16, 60]
    """
    return min(MOST_CPU_S, LEAST_CPU_S + size // BYTES_A_SECOND)


def _confine(seconds: int) -> None:
    """Take away what reading a file does not need."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # libraries print; ours is a protocol
        os.dup2(nothing, stream)
    # Fails where the kernel or a container forbids it: the other limits stand without it.
    ctypes.CDLL(None).unshare(NEW_USER | NEW_NETWORK)
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _read(folder: Path) -> None:
    name = (folder / NAME).read_text(encoding="utf-8")
    try:
        text = convert.as_storage(name, (folder / DATA).read_bytes())
        encoded = text.encode(errors="replace")
    except Refused as refused:
        (folder / REASON).write_text(str(refused), encoding="utf-8")
    except MemoryError:
        (folder / REASON).write_text("it takes more memory than a file may take", encoding="utf-8")
    except RecursionError:
        (folder / REASON).write_text("what is in it is nested too deep", encoding="utf-8")
    except Exception as error:  # noqa: BLE001  (a stranger's file in a stranger's library)
        kind = type(error).__name__
        (folder / REASON).write_text(f"the file is damaged ({kind})", encoding="utf-8")
    else:
        (folder / TEXT).write_bytes(encoded)


if __name__ == "__main__":
    main()
