"""Instruction data as `groundwire pairs export` writes it, read again."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from groundwire.pairs.exporting import InstructionExample

ANSWER, TRAIN = "answer", "train"
_CITED = re.compile(r"\[(\d)\]$")


class NotInstructions(Exception):
    """A file that is no export; the message says which line, and why."""


@dataclass(frozen=True)
class Instructions:
    """What a model learns from, and what it is asked then: no page is in both."""

    learned: tuple[InstructionExample, ...]
    answers: tuple[InstructionExample, ...]
    not_found: tuple[InstructionExample, ...]


def read(file: Path) -> Instructions:
    """Raises NotInstructions, OSError."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(InstructionExample.model_validate_json(line))
        except ValidationError as error:
            what = error.errors()[0]["msg"]
            raise NotInstructions(f"{file}, line {number}: {what}") from error
    learned = tuple(each for each in found if each.split == TRAIN)
    asked = [each for each in found if each.split != TRAIN]
    answers = tuple(each for each in asked if each.kind == ANSWER)
    if not learned or not answers:
        raise NotInstructions(f"{file}: too few pairs for two splits; accept more and export again")
    return Instructions(learned, answers, tuple(each for each in asked if each.kind != ANSWER))


def dealt_out(learned: Sequence[InstructionExample], seed: int) -> tuple[InstructionExample, ...]:
    """The same prompts with answers of others, by chance: they teach form alone."""
    says = [each.messages[-1] for each in learned]
    random.Random(seed).shuffle(says)
    return tuple(
        each.model_copy(update={"messages": (*each.messages[:-1], said)})
        for each, said in zip(learned, says, strict=True)
    )


def cited(example: InstructionExample) -> int | None:
    """The number of the piece that the expected answer cites at its end, of one digit."""
    found = _CITED.search(example.messages[-1].content)
    return int(found[1]) if found else None
