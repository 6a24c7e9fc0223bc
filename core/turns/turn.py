"""Turn: a question in a thread, its address in Slack, and what is known about it now."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.access.disclosure import NOTHING, Disclosure
from core.models import Record
from core.question import Completed
from core.states import NoAnswer, TurnState


@dataclass(frozen=True)
class Address:
    """Where a message stands in Slack: its id `ts`, and `thread_ts`, the thread's first message."""

    team: str
    channel: str
    ts: str
    thread_ts: str


@dataclass(frozen=True)
class NewQuestion:
    """A question that is about to be saved."""

    address: Address
    user: str
    text: str
    private: bool = False
    filtered: bool = True
    by_button: bool = False  # no message of the person's holds it
    refused: NoAnswer | None = None  # why it gets no answer
    vetted: bool = True  # False: whether this person may ask is still to be found out
    shows: Disclosure = NOTHING  # what a question that a button asks gives away
    has_files: bool = False  # its message came with files
    beside: str = ""  # a channel of the asker's, open beside the direct messages
    late_s: float = 0.0  # from when it was written until we heard it


@dataclass(frozen=True)
class Turn:
    """A question and what is known about it now."""

    id: str
    address: Address
    user: str
    question: str
    asked_at: float
    patience_from: float  # not before its turn came
    state: TurnState = TurnState.WAITING
    reason: NoAnswer | None = None
    refused_until: float | None = None  # when a rate limit is the reason
    attempts: int = 0
    finished_at: float | None = None  # when it got its answer or its reason
    queued: bool = False  # another question of the same thread comes first
    delivered: bool = False
    private: bool = False  # a direct message: nobody else reads the answer
    filtered: bool = True  # False: without the filters that the question asks for
    vetted: bool = True  # False: no worker answers before Slack has said who asks
    by_button: bool = False  # no message says the question: the answer shows it
    question_shows: Disclosure = NOTHING  # what a question that a button asked gives away
    record: Record | None = None
    edition: int = 0  # another one when something before it was forgotten meanwhile
    deliver_from: float = 0.0  # since when what it shows is to be delivered
    edited_ts: str = ""  # Slack's time of the edit that it is answered for
    has_files: bool = False  # its message came with files
    beside: str = ""  # a channel of the asker's, open beside the direct messages
    late_s: float = 0.0  # from when it was written until we heard it
    words_key: str = field(default="", repr=False)  # seals its words on their way through Redis

    @property
    def is_forgotten(self) -> bool:
        return self.state == TurnState.FORGOTTEN


def mended(record: Record) -> Record:
    """The record without what the conversation had added to the question, some of it forgotten.

    The answer's words stay, and so do the pages that they were written from.
    """
    done = record.completed
    if not done.is_changed:  # its context, if any, is of its own message
        return record
    own = tuple(each for each in done.conditions if each.said and each.said in done.as_asked)
    alone = Completed(
        question=done.as_asked,
        text=done.as_asked,
        kind=done.kind,
        conditions=own,
        language=done.language,
        pages=done.origin,
        origin=done.origin,
        forgotten=True,
    )
    answer = record.answer.model_copy(update={"suggestions": ()})
    changes = {
        "completed": alone,
        "answer": answer,
        "suggested": (),
        "prompt": "",
        "named": tuple(sorted({*record.named, *done.pages})),
    }
    return record.model_copy(update=changes)
