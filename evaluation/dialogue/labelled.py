"""Messages of a company's Slack, each with what should become of it: before and after the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from core.dialogue.decision import Decision, Outcome
from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Message, Place
from core.language import language
from evaluation.dialogue.deciding import decided_with
from worker.generation.chat_model import ChatModel

FOLDER = Path(__file__).parent
_BOT = re.compile(r"@bot\b,?:?")


@dataclass(frozen=True)
class LabelledMessage:
    """A message, and what a person says that it means and should become of it."""

    id: str
    message: Message
    expected: Outcome
    meaning: Meaning | None  # none is said of what was not written to or around the bot
    why: str
    language: str  # ISO 639-1, or "none"

    @property
    def by(self) -> str:
        """Who wrote it: each has a name of its own for its messages."""
        return self.id.rpartition("-")[0]


@dataclass(frozen=True)
class Decided:
    """A labelled message, and what becomes of it."""

    labelled: LabelledMessage
    decision: Decision

    @property
    def is_right(self) -> bool:
        return self.decision.outcome is self.labelled.expected


def messages(file: Path) -> list[LabelledMessage]:
    return [_labelled(item) for item in yaml.safe_load(file.read_text(encoding="utf-8"))]


def decided(found: Sequence[LabelledMessage], model: ChatModel | None = None) -> Iterator[Decided]:
    """What becomes of each, with this model for what the bot is not sure of."""
    for each in found:
        yield Decided(each, decided_with(each.message, model))


def _labelled(item: Mapping[str, Any]) -> LabelledMessage:
    before = tuple(_line(line) for line in item.get("context") or ())
    text = str(item["text"])
    message = Message(
        text=" ".join(_BOT.sub(" ", text).split()),
        who=str(item["who"]),
        place=Place(item["place"]),
        mentions_bot=_BOT.search(text) is not None,
        as_written=text,
        before=before,
    )
    said = [text, *(line.text for line in reversed(before))]
    return LabelledMessage(
        id=str(item["id"]),
        message=message,
        expected=Outcome(item["expected"]),
        meaning=Meaning(item["meaning"]) if "meaning" in item else None,
        why=str(item.get("why", "")),
        language=language(*said) or "none",
    )


def _line(line: Mapping[str, str]) -> Line:
    text = " ".join(_BOT.sub(" ", line["text"]).split())
    return Line(line["who"], text, by_bot=line["who"] == "bot")
