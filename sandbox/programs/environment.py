"""The environment of a program that the demo, an evaluation or a test starts."""

from __future__ import annotations

import os


def child_environment(**overrides: str) -> dict[str, str]:
    """Ours, with what this program is to see otherwise."""
    return {**os.environ, **overrides}  # noqa: TID251  (handed on, not read)
