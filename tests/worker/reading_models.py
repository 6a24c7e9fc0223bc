"""Models that read claims: by what they know to be right, or saying yes to all."""

from __future__ import annotations

from collections.abc import Collection

from sandbox.llm import reading
from sandbox.llm.scripted import Messages, Script, last_user_text, toy
from worker.generation.second_reader import exam
from worker.support.claims import claims
from worker.text import sanitize


def knowing(right: Collection[str], script: Script = toy) -> Script:
    """Says yes to these claims, and to what stands in the evidence word for word."""

    def said(messages: Messages) -> str:
        prompt = last_user_text(messages)
        is_reading = prompt.startswith(reading.TASK)
        return reading.read_claims(prompt, right) if is_reading else script(messages)

    return said


def examined() -> Script:
    """Knows the right answers of the exam."""
    right = set[str]()
    for item in exam.items():
        right |= {sanitize.line(each.read) for each in claims(item.right)}
    return knowing(right)


def agreeing(messages: Messages) -> str:
    """Says yes to all."""
    claimed = reading.asked(last_user_text(messages))
    return "\n".join(f"{number}: yes" for number in ("0", *(each for each, _ in claimed)))


def senseless(_messages: Messages) -> str:
    """Says something else."""
    return "A van costs 45 EUR a day [1]."
