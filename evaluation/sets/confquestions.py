"""Reads ConfQuestions: the conversations, and the ids of their gold pages.

The data stays where it is; nothing of it enters this repository. A gold page is named by the
numeric id in its URL: matching whole URLs, as the published script does, misses pages whose
address is written in another way (`strict`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_PAGE_ID = re.compile(r"/pages/(\d+)")


class DataMissing(Exception):
    """The folder does not hold the benchmark; the message says what is missing."""


@dataclass(frozen=True)
class Question:
    """One turn of a conversation in one language."""

    conversation: str
    turn: int  # 1-based
    asked: str
    completed: str  # by a person
    answer: str
    gold_urls: tuple[str, ...]
    source: str  # passage | list | table
    is_complex: bool
    # What corpora of our own know beside it; empty for ConfQuestions.
    tags: tuple[str, ...] = ()
    rivals: Mapping[str, str] = field(default_factory=dict, hash=False)  # edition by page id
    page_language: str = ""
    facts: tuple[str, ...] = ()  # what a right answer says, word by word

    @property
    def gold_ids(self) -> frozenset[str]:
        return frozenset(page_id(url) for url in self.gold_urls)


def page_id(url: str) -> str:
    """The number in the address, or the address where there is none."""
    found = _PAGE_ID.search(url)
    return found.group(1) if found else url


def conversations(questions: Path, language: str) -> list[list[Question]]:
    """All conversations in one language (en or de), each with its turns in order.

    A `.jsonl` file has one conversation on each line.

    Raises:
        DataMissing: the file is not there, or not what it should be.
    """
    try:
        text = questions.read_text(encoding="utf-8")
        is_lines = questions.suffix == ".jsonl"
        raw = map(json.loads, text.splitlines()) if is_lines else json.loads(text)
        return [list(_turns(conversation, language)) for conversation in raw]
    except (OSError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise DataMissing(
            f"{questions} does not hold ConfQuestions' conversations ({error!r})"
        ) from error


def published_urls(documents: Path) -> dict[str, str]:
    """The address of each document, as written in the data, by page id."""
    urls = {}
    for file in sorted(documents.glob("*.json")):
        url = json.loads(file.read_text(encoding="utf-8"))["url"]
        urls[page_id(url)] = url
    return urls


def _turns(conversation: dict[str, Any], language: str) -> Iterator[Question]:
    for turn in conversation["turns"]:
        yield Question(
            conversation=str(conversation["conv_id"]),
            turn=int(turn["turn_id"]),
            asked=turn[f"q_{language}"],
            completed=turn[f"completed_q_{language}"],
            answer=turn["a"],
            gold_urls=tuple(turn["a_url"]),
            source=turn["a_source"],
            is_complex=turn["q_type"] == "complex",
            tags=tuple(turn.get("tags", ())),
            rivals=turn.get("rivals", {}),
            page_language=turn.get("page_language", ""),
            facts=tuple(turn.get("facts", ())),
        )
