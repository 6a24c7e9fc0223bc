"""Reading of claims by the scripted model: what stands in the evidence word for word is said."""

from __future__ import annotations

import re
from collections.abc import Collection

TASK = "Task: read claims"
_CLAIM = re.compile(r"^(\d+): (.*?)(?: (?:\[\d+\])+)?$", re.MULTILINE)


def asked(prompt: str) -> list[tuple[str, str]]:
    """The claims of a prompt, each with its number."""
    return _CLAIM.findall(prompt.partition("<<<CLAIMS")[2])


def read_claims(prompt: str, known: Collection[str] = ()) -> str:
    """A verdict on each; what is `known` is said, in whatever words the evidence says it."""
    evidence = _plain(prompt.partition("EVIDENCE>>>")[0])
    lines = []
    for number, text in asked(prompt):
        is_said = text in known or _plain(text) in evidence
        lines.append(f"{number}: as it stands there | {'yes' if is_said else 'no'}")
    return "\n".join([*lines, "0: what was asked | yes"])


def _plain(text: str) -> str:
    return " ".join(text.split())
