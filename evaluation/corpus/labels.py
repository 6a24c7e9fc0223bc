"""Labels of the corpus's questions: tags, language, rival pages, who may read the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Label:
    """What is known of one question beside its answer."""

    tags: tuple[str, ...]
    page_language: str
    rivals: Mapping[str, str]  # draft, older or copy, by page id
    group: str = ""  # who alone may have it answered


def read_labels(questions: Path) -> dict[tuple[str, int], Label]:
    """By conversation and turn."""
    labels = {}
    for conversation in json.loads(questions.read_text(encoding="utf-8")):
        for turn in conversation["turns"]:
            labels[str(conversation["conv_id"]), int(turn["turn_id"])] = _label(turn)
    return labels


def _label(turn: Mapping[str, Any]) -> Label:
    return Label(tuple(turn["tags"]), turn["page_language"], turn["rivals"], turn.get("group", ""))
