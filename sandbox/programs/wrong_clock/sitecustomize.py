"""A wall clock that is wrong by WRONG_CLOCK_S seconds, for a program that finds this file first.

Debian's faketime would do it for any program, but makes waiting threads spin.
"""

import os
import time

_ahead_s = float(os.environ["WRONG_CLOCK_S"])  # noqa: TID251  (there are no settings yet)
_time, _time_ns = time.time, time.time_ns
time.time = lambda: _time() + _ahead_s
time.time_ns = lambda: _time_ns() + int(_ahead_s * 1e9)
