"""What the corpus knows of its questions beside their answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Label:
    """Of one question."""

    tags: tuple[str, ...]
    page_language: str
    rivals: Mapping[str, str]  # draft, older or copy, by page id
    group: str = ""  # who alone may have it answered


def read_labels(questions: Path) -> dict[tuple[str, int], Label]:
    """By conversation and turn."""
    raw = json.loads(questions.read_text(encoding="utf-8"))
    return {
        (str(each["conv_id"]), int(turn["turn_id"])): _label(turn)
        for each in raw
        for turn in each["turns"]
    }


def _label(turn: Mapping[str, Any]) -> Label:
    return Label(tuple(turn["tags"]), turn["page_language"], turn["rivals"], turn.get("group", ""))
