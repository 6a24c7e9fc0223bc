"""The exam: whether a model can tell what pages say from what they do not, measured before use.

A hundred answers about pages of invented companies, each right and once more made wrong in one
point: a number, who does what, a condition, an order, must for may. A model that finds nearly all
errors and hardly ever calls a right answer wrong may say of its own answers which are supported;
nobody knows that of a model by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

from core.errors import ModelUnavailable
from core.models import Evidence, Hit, Kind, Page
from core.usage import Usage
from core.value import Value
from worker.generation.chat_model import ChatModel
from worker.generation.second_reader.model_reader import ModelReader
from worker.support.claims import claims
from worker.support.reading.again import SecondReading, to_read

FILE = Path(__file__).with_name("exam.jsonl")
MOST_FLAGGED, LEAST_FOUND = 0.03, 0.95  # shares; the aims of the support check
MOST_UNAVAILABLE = 10  # calls without a reply; then it is the endpoint's fault, and no grade


class ExamPiece(Value):
    """A piece of a page."""

    title: str
    path: tuple[str, ...]
    text: str


class ExamItem(Value):
    """An answer about some pieces, and the same made wrong in one point."""

    question: str
    pieces: tuple[ExamPiece, ...]
    right: str
    wrong: str
    kind: str  # of the error

    @property
    def hits(self) -> tuple[Hit, ...]:
        return tuple(_hit(place, piece) for place, piece in enumerate(self.pieces))


@dataclass(frozen=True)
class Grade:
    """What a model made of the answers; what it cannot be believed on is judged wrongly."""

    right: int = 0
    flagged: int = 0  # of the right ones
    wrong: int = 0
    found: int = 0  # of the wrong ones
    not_believed: int = 0  # of both
    usage: Usage = field(default_factory=Usage)

    @property
    def is_passed(self) -> bool:
        """Of an exam that was taken to its end."""
        if not self.right or not self.wrong:
            return False
        is_fair = self.flagged <= MOST_FLAGGED * self.right
        return is_fair and self.found >= LEAST_FOUND * self.wrong

    def __add__(self, other: Grade) -> Grade:
        return Grade(
            self.right + other.right,
            self.flagged + other.flagged,
            self.wrong + other.wrong,
            self.found + other.found,
            self.not_believed + other.not_believed,
            self.usage + other.usage,
        )


@cache
def items() -> tuple[ExamItem, ...]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(map(ExamItem.model_validate_json, lines))


def taken(
    model: ChatModel,
    context_tokens: int,
    at_once: int,
    on_answer: Callable[[], None],
    asked: Sequence[ExamItem] | None = None,
) -> Grade:
    """Put the answers to this model, `at_once` at a time; `on_answer` is called after each.

    Raises:
        ModelUnavailable: too many calls had no reply; the last of them says why.
    """
    reader = ModelReader(context_tokens)
    grade = Grade()
    without_reply = 0
    with ThreadPoolExecutor(at_once, thread_name_prefix="exam") as pool:
        given = answers(items() if asked is None else asked)
        waiting = [pool.submit(_graded, model, reader, *each) for each in given]
        for each in waiting:
            found, error = each.result()
            grade += found
            without_reply += error is not None
            if error is not None and without_reply > MOST_UNAVAILABLE:
                pool.shutdown(wait=False, cancel_futures=True)
                raise error
            on_answer()
    return grade


def answers(asked: Sequence[ExamItem]) -> Iterator[tuple[ExamItem, bool]]:
    """Each item with whether its right answer is meant."""
    for item in asked:
        yield from ((item, True), (item, False))


def _graded(
    model: ChatModel, reader: ModelReader, item: ExamItem, is_right: bool
) -> tuple[Grade, ModelUnavailable | None]:
    """The grade of one answer, and why there was no reply."""
    text = item.right if is_right else item.wrong
    asked = to_read(text, claims(text), item.hits, {})
    error = None
    reading = SecondReading()
    try:
        _, reading = reader.heard(model, item.question, asked, ())
    except ModelUnavailable as failure:
        error = failure
    is_unread = reading.said is None
    is_said = all(reading.said or ())
    if is_right:
        grade = Grade(right=1, flagged=int(is_unread or not is_said))
    else:
        grade = Grade(wrong=1, found=int(not is_unread and not is_said))
    return replace(grade, not_believed=int(is_unread), usage=reading.usage), error


def _hit(place: int, piece: ExamPiece) -> Hit:
    identifier = blake2b(f"{place} {piece.text}".encode(), digest_size=6).hexdigest()
    page = Page(id=piece.title, title=piece.title, space="EXAM", url="")
    evidence = Evidence(
        id=identifier,
        page_id=piece.title,
        kind=Kind.PASSAGE,
        text=piece.text,
        heading_path=piece.path,
        position=place,
    )
    return Hit(evidence=evidence, page=page, score=1.0)
