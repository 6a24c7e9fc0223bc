"""Models that read claims: one by what it knows to be right, and ones that only pretend."""

from __future__ import annotations

import re
from collections.abc import Collection

from sandbox.llm.scripted import Messages, Script, last_user_text, toy
from worker.generation.second_reader import exam
from worker.support.claims import claims
from worker.text import sanitize

_CLAIM = re.compile(r"^(\d+): (.*)$", re.MULTILINE)


def knowing(right: Collection[str], script: Script = toy) -> Script:
    """Says yes to these claims, and to what stands in the evidence word for word."""

    def said(messages: Messages) -> str:
        prompt = last_user_text(messages)
        if not prompt.startswith("Task: read claims"):
            return script(messages)
        evidence, _, asked = prompt.partition("<<<CLAIMS")
        lines = []
        for number, text in _CLAIM.findall(asked):
            is_said = text in right or _plain(text) in _plain(evidence)
            lines.append(f"{number}: as it stands there | {'yes' if is_said else 'no'}")
        return "\n".join(lines)

    return said


def examined(script: Script = toy) -> Script:
    """Knows the right answers of the exam."""
    right = set[str]()
    for item in exam.items():
        right |= {sanitize.line(each.read) for each in claims(item.right)}
    return knowing(right, script)


def agreeing(messages: Messages) -> str:
    """Says yes to all."""
    asked = last_user_text(messages).partition("<<<CLAIMS")[2]
    return "\n".join(f"{number}: yes" for number, _ in _CLAIM.findall(asked))


def _plain(text: str) -> str:
    return " ".join(text.split())
