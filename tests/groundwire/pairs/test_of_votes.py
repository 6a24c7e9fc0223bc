"""Pairs of votes: answers that people liked, each of which stands on one page."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import pytest
from closable import Closable
from wiki import hit, page, piece, put

from core.access.authorizer import Authorizer
from core.access.disclosure import NOTHING, of_pages
from core.access.policy import Policy
from core.evidence import EvidenceStore
from core.models import Answer, Evidence, Record, Source
from core.pages import CONFLUENCE, PageKey
from core.question import Completed
from core.states import Vote, VoteBy
from core.storage.database import Database
from core.turns import feedback, turn_store
from core.turns.turn import Address, NewQuestion
from groundwire.golden.proposing import liked
from groundwire.pairs.making import of_votes
from worker.bootstrap import WorkerParts

ROOM, KEYS, PAY = (
    piece("Room for 31 bicycles.", "1"),
    piece("Rui has the key.", "1"),
    piece("The director earns 5,000.", "2"),
)
_ts = count(1)


@pytest.fixture
def parts(store: EvidenceStore) -> WorkerParts:
    """No more of them than proposing takes."""
    put(store, page("1"), ROOM, KEYS)
    put(store, page("2"), PAY)
    site, database = Closable(), store.database
    control = Authorizer(database, {site.name: site}, Policy)
    return cast(WorkerParts, SimpleNamespace(database=database, authorizer=control))


def like(database: Database, *cited: Evidence, by: str = "", **completed: Any) -> None:
    """An answer that a person liked, asked by a button in one of two ways or in a message."""
    ts = f"{next(_ts)}.5"
    shows = of_pages([PageKey(CONFLUENCE, "2")]) if by == "suggestion" else NOTHING
    new = NewQuestion(
        Address("T1", "C1", ts, ts), "U1", "How many?", by_button=bool(by), shows=shows
    )
    turn = turn_store.ask(database, new)
    assert turn
    sources = (
        Source(number=number, title="", url="u", evidence_ids=(each.id,))
        for number, each in enumerate(cited, 1)
    )
    record = Record(
        completed=Completed(question="How many?", text="How many?", **completed),
        hits=tuple(hit(each, page(each.page_id)) for each in (ROOM, KEYS, PAY, *cited)),
        answer=Answer(text="31 [1].", sources=tuple(sources)),
    )
    assert turn_store.answer(database, turn.id, record)
    feedback.record(database, turn.id, "U1", Vote.UP, by=VoteBy.BUTTON)


def test_an_answer_from_pieces_of_one_page_makes_a_pair(parts: WorkerParts) -> None:
    like(parts.database, ROOM, KEYS)
    (pair,) = of_votes(parts)
    assert (pair.page.id, pair.evidence_id) == ("1", ROOM.id)


def test_an_answer_that_cites_two_pages_makes_no_pair(parts: WorkerParts) -> None:
    like(parts.database, ROOM, PAY)
    assert list(liked(parts))
    assert list(of_votes(parts)) == []


def test_an_answer_from_a_piece_that_names_another_page_makes_no_pair(parts: WorkerParts) -> None:
    like(parts.database, piece("See Pay.", "1", names=("2",)))
    assert list(liked(parts))
    assert list(of_votes(parts)) == []


def test_a_question_that_names_another_page_makes_no_pair(parts: WorkerParts) -> None:
    like(parts.database, ROOM, pages=(PageKey(CONFLUENCE, "2"),))
    assert list(liked(parts))
    assert list(of_votes(parts)) == []


@pytest.mark.parametrize("by", ["again", "suggestion"])
def test_what_a_button_asked_is_proposed_as_nothing(parts: WorkerParts, by: str) -> None:
    like(parts.database, ROOM, by=by)
    assert list(liked(parts)) == []
    assert list(of_votes(parts)) == []
