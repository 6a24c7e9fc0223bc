"""Unwraps an answer that a model put into a code block: in code nothing is a citation."""

from __future__ import annotations

import re

_WRAPPED = re.compile(r"```(?:markdown|md)\n((?:(?!```).)*)```", re.DOTALL)


def unwrapped(reply: str) -> str:
    whole = _WRAPPED.fullmatch(reply.strip())
    return whole[1].strip() if whole else reply
