"""Whatever somebody writes on a page: its words are found, soon, and they stay words."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hostile_pages import PAGES
from markdown_judge import is_harmless
from storage_pages import page, pieces

from bot.views.answer_blocks import build_messages
from core.language import spoken
from core.language.sentences import sentences
from core.markdown.writing import neutral
from core.models import Answer, Evidence, Hit
from core.question import Completed
from worker.extractive.extractor import Extractor
from worker.question.classify import classify

SLOWER = 100  # times, than a page of paragraphs of the same length: tiny pieces cost most, 20 times
LEAST = 50_000  # characters that a page is taken for, since the clock is coarse
GROWN, GROWN_ANYHOW = 20, 10_000  # of the characters of a page, which tables repeat
KEPT, EACH = 30, 2_000  # of all that is saved: neighbours and headings, too; for each piece
SHOWN, LONGEST = 12, 20_000
QUESTION = "What is kept?"
PLAIN = "<p>Crane number seven lifts heavy loads every day.</p>"


@cache
def seconds_of_a_plain_page(characters: int) -> float:
    storage = PLAIN * (characters // len(PLAIN))
    return min(_seconds(storage) for _ in range(3))


def _seconds(storage: str) -> float:
    began = time.perf_counter()
    pieces(storage)
    return time.perf_counter() - began


def telling(found: Sequence[Evidence]) -> list[Evidence]:
    """The first pieces, and the longest."""
    longest = sorted(found, key=lambda piece: -len(piece.text))
    chosen = [*found[:SHOWN], *longest[:3]]
    return [piece for piece in dict.fromkeys(chosen) if len(piece.text) <= LONGEST]


def quoted(extractor: Extractor, found: Sequence[Evidence]) -> str:
    completed = Completed(question=QUESTION, text=QUESTION)
    understood = {"kind": classify(completed), "language": spoken("", QUESTION)}
    hits = [Hit(evidence=piece, page=page(), score=1.0) for piece in found]
    return extractor.extract(completed.model_copy(update=understood), hits) or ""


def shown(text: str) -> list[str]:
    """The Markdown of the message in Slack."""
    completed = Completed(question=QUESTION, text=QUESTION)
    built = build_messages(sentences("en"), "t1", completed, Answer(text=text))
    blocks: list[dict[str, Any]] = [block for message in built for block in message.blocks]
    return [block["text"] for block in blocks if block["type"] == "markdown"]


@pytest.mark.parametrize("name", PAGES)
def test_its_words_are_found_soon_and_are_not_many_more(name: str) -> None:
    storage = PAGES[name]()
    began = time.perf_counter()
    found = pieces(storage)
    took = time.perf_counter() - began
    assert any("kept" in piece.text for piece in found)
    assert sum(len(piece.text) for piece in found) <= GROWN * len(storage) + GROWN_ANYHOW
    kept = sum(len(piece.model_dump_json()) for piece in found)
    assert kept <= KEPT * len(storage) + EACH * len(found)
    plain = seconds_of_a_plain_page(500_000) / 500_000
    assert took <= SLOWER * plain * max(len(storage), LEAST)


@pytest.mark.parametrize("name", PAGES)
def test_its_words_call_nobody_and_link_nowhere(name: str, extractor: Extractor) -> None:
    found = telling(pieces(PAGES[name]()))
    for piece in found:
        assert is_harmless(neutral(piece.text)), piece.text
    for text in shown(quoted(extractor, found)):
        assert is_harmless(text), text
