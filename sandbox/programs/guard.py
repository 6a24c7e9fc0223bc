"""Ends the programs that a process started once that process is gone, even by `kill -9`.

It is told the process groups on its input, a number a line. The kernel closes that input when the
one who writes there is gone, however that came about: then all of the groups are killed.
Nothing is imported but what Python starts with, since one of these runs beside every stack.
"""

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    groups = [int(line) for line in sys.stdin]
    for group in reversed(groups):
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
