"""Exports accepted pairs as instruction data: what a model is asked here, and what it should say.

The prompts are the product's own, with what search finds now. No page is in two splits, neither as
the one that answers nor, in training, as one that another split answers from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256

from core.models import Hit
from core.pages import PageKey
from core.pairs.pairs import Pair
from core.question import Completed
from core.value import Value
from worker.bootstrap import WorkerParts
from worker.generation import abstention
from worker.generation.answer_prompt import answer_prompt

NOT_FOUND_EVERY = 4  # pairs, one is asked where no page answers it
K = 6  # pieces beside the one that answers

_CITATION = re.compile(r"\s*\[\d+\]")
_SHARES = (("train", 0.8), ("validation", 0.1), ("test", 0.1))


class ChatMessage(Value):
    """A message of a conversation with a model."""

    role: str
    content: str


class InstructionExample(Value):
    """A line of the export."""

    messages: tuple[ChatMessage, ...]
    split: str
    kind: str  # answer or not_found
    page: str  # the id of the page that answers it
    origin: str  # core.states.PairOrigin


def examples(parts: WorkerParts, pairs: Sequence[Pair]) -> Iterator[InstructionExample]:
    """Of each pair one, and of some a second one, where no page answers."""
    for pair in sorted(pairs, key=lambda each: each.id):
        hits = _found(parts, pair)
        piece = next((hit for hit in hits if hit.evidence.id == pair.evidence_id), None)
        if piece is None:
            continue  # search does not find it: nothing is to be learned from guessing
        split = split_of(pair.page)
        others = [hit for hit in hits if hit is not piece and split_of(hit.page.key) == split]
        yield _answered(pair, piece, others[:K])
        if _chance(pair.id) < 1 / NOT_FOUND_EVERY:
            without = [hit for hit in others if _is_elsewhere(hit, pair)]
            if without:
                yield _example(pair, without[:K], abstention.NOT_FOUND, "not_found")


def split_of(page: PageKey) -> str:
    """Which split a page belongs to, on whatever machine."""
    left = _chance(str(page))
    for name, share in _SHARES:
        left -= share
        if left < 0:
            return name
    return _SHARES[-1][0]


def _found(parts: WorkerParts, pair: Pair) -> tuple[Hit, ...]:
    question = Completed(question=pair.question, text=pair.question)
    return parts.pipeline.retriever.search(question, k=5 * K).hits


def _answered(pair: Pair, piece: Hit, others: Sequence[Hit]) -> InstructionExample:
    """The piece stands where chance wants it: its place must teach nothing."""
    place = int(_chance(f"{pair.id} place") * (len(others) + 1))
    hits = [*others[:place], piece, *others[place:]]
    return _example(pair, hits, f"{_without_numbers(pair.answer)} [{place + 1}]", "answer")


def _example(pair: Pair, hits: Sequence[Hit], says: str, kind: str) -> InstructionExample:
    asked = Completed(question=pair.question, text=pair.question)
    prompt = answer_prompt(asked, hits)
    messages = (
        ChatMessage(role="system", content=prompt.system),
        ChatMessage(role="user", content=prompt.user),
        ChatMessage(role="assistant", content=says),
    )
    return InstructionExample(
        messages=messages,
        split=split_of(pair.page),
        kind=kind,
        page=pair.page.id,
        origin=pair.origin,
    )


def _is_elsewhere(hit: Hit, pair: Pair) -> bool:
    """Not on the page that answers, nor a copy of what stands there."""
    return all(copy.page.key != pair.page for copy in hit.everywhere)


def _without_numbers(answer: str) -> str:
    """The numbers of its sources were those of another prompt."""
    return _CITATION.sub("", answer).strip()


def _chance(text: str) -> float:
    """From 0 to 1, the same for the same text."""
    return int.from_bytes(sha256(text.encode()).digest()[:6]) / 2**48
