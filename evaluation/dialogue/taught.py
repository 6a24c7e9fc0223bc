"""What the reader of messages is taught: scenes, and labelled messages, each with its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from core.dialogue.decision import Outcome
from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Message, Place
from evaluation.dialogue.labelled import LabelledMessage

TAUGHT = Path(__file__).parent / "taught.yaml"
# What people wrote is more various than the scenes, whose lines have no answer of the bot.
OF_SCENES = 0.5  # the weight of each of their messages, against one that somebody wrote


@dataclass(frozen=True)
class TaughtMessage:
    """A message, and what it means."""

    message: Message
    meaning: Meaning
    weight: float = 1


def taught(file: Path = TAUGHT) -> list[TaughtMessage]:
    """All messages of a file of scenes."""
    scenes = yaml.safe_load(file.read_text(encoding="utf-8"))
    return [each for scene in scenes for each in _scene(scene)]


def taught_of(found: Sequence[LabelledMessage]) -> list[TaughtMessage]:
    """What labelled messages teach; those without a meaning never come before the reader."""
    return [TaughtMessage(each.message, _meant(each)) for each in found if each.meaning]


def _meant(labelled: LabelledMessage) -> Meaning:
    """Too little to search that is answered all the same asks for what stands above."""
    assert labelled.meaning is not None
    is_above = labelled.meaning is Meaning.FRAGMENT and labelled.expected is Outcome.ANSWER
    return Meaning.ABOVE if is_above else labelled.meaning


def _scene(scene: Mapping[str, Any]) -> Iterator[TaughtMessage]:
    before = tuple(_before(scene))
    place = Place.THREAD if before else Place.DM
    for who in ("A", "B"):
        for meaning, texts in scene.get(who, {}).items():
            for text in texts:
                message = Message(text, who, place, before=before)
                yield TaughtMessage(message, Meaning(meaning), OF_SCENES)


def _before(scene: Mapping[str, Any]) -> Iterator[Line]:
    if "asked" in scene:
        yield Line("A", scene["asked"])
        yield Line("bot", "", by_bot=True)
    for line in scene.get("then", ()):
        who, _, text = line.partition(": ")
        yield Line(who, text)
