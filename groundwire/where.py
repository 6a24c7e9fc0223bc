"""Where the programs lie: beside this folder in a checkout, inside it once it came as a wheel.

`core` and `bot` are no names to put beside other people's packages, so an installed wheel hides
them in a folder that Python looks into for this command alone, and for what it starts.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
INSIDE = HERE / "program"
ROOT = INSIDE if INSIDE.is_dir() else HERE.parent


def find_programs() -> None:
    """Have this process and those it starts find the programs, before anything of that name."""
    root = str(ROOT)
    if root not in sys.path:
        sys.path.insert(0, root)
    others = os.environ.get("PYTHONPATH", "")  # noqa: TID251  (handed on, not read)
    if root not in others.split(os.pathsep):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, others]))  # noqa: TID251
