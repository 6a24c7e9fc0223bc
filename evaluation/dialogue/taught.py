"""What the reader of dialogue is taught: scenes, and labelled messages, each with its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Message, Place
from evaluation.dialogue.labelled import LabelledMessage

TAUGHT = Path(__file__).parent / "taught.yaml"
# What people wrote who had not seen the scenes is more various than the scenes: each of their
# messages counts for so many. Chosen by cross-validation, see docs/benchmarks.md.
WRITTEN_BY_OTHERS = 2.0
TOGETHER = 8  # messages to the bot alone that are left out together: they follow one another


@dataclass(frozen=True)
class TaughtMessage:
    """A message, what it means, and the scene that it comes from."""

    message: Message
    meaning: Meaning
    scene: str
    weight: float = 1  # as much as so many others


def taught(file: Path = TAUGHT) -> list[TaughtMessage]:
    """All messages of a file of scenes; the scenes of one phrasing are never parted."""
    scenes = yaml.safe_load(file.read_text(encoding="utf-8"))
    return [each for number, scene in enumerate(scenes) for each in _scene(number, scene)]


def taught_of(found: Sequence[LabelledMessage]) -> list[TaughtMessage]:
    """What labelled messages teach; those without a meaning never come before the reader."""
    learned = []
    for each in found:
        if each.meaning:
            row = TaughtMessage(each.message, each.meaning, each.conversation, WRITTEN_BY_OTHERS)
            learned.append(row)
    return learned


def _scene(number: int, scene: Mapping[str, Any]) -> Iterator[TaughtMessage]:
    before = tuple(_before(scene))
    place = Place.THREAD if before else Place.DM
    for who in ("A", "B"):
        for meaning, texts in scene.get(who, {}).items():
            for index, text in enumerate(texts):
                part = f"{number}" if before else f"{number}/{meaning}/{index // TOGETHER}"
                message = Message(text, who, place, before=before)
                yield TaughtMessage(message, Meaning(meaning), part)


def _before(scene: Mapping[str, Any]) -> Iterator[Line]:
    if "asked" in scene:
        yield Line("A", scene["asked"])
        yield Line("bot", "", by_bot=True)
    for line in scene.get("then", ()):
        who, _, text = line.partition(": ")
        yield Line(who, text)
