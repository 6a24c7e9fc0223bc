"""Stale sources: readers of an answer are told of each change once, and not by a title."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import col, update
from wiki import HOTEL, LEAVE, hit, page, piece, put

from core.evidence import EvidenceStore
from core.models import Answer, Copy, Page, Record, Since, Source
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.question import Completed
from core.storage.database import Database
from core.storage.index_tables import PageRow
from core.turns import turn_delivery, turn_store
from core.turns.sources import stale_sources
from core.turns.turn import Address, NewQuestion, Turn

LEAVE_PAGE, TRAVEL, COPY = page("1", "Leave"), page("2", "Travel"), page("3", "Travel (copy)")
SOME = Reader(frozenset({OPEN_ID, "some"}), account="user:1")


@pytest.fixture
def turn(store: EvidenceStore) -> Turn:
    """An answer of two sources, the second one with a copy; it stands in Slack."""
    for each, text in ((LEAVE_PAGE, LEAVE), (TRAVEL, HOTEL), (COPY, HOTEL)):
        put(store, each, piece(text, each.id))
    found = turn_store.ask(
        store.database, NewQuestion(Address("T1", "C1", "1.5", "1.0"), user="U1", text="How much?")
    )
    assert found is not None
    turn_store.answer(store.database, found.id, answer())
    turn_delivery.delivered(store.database, found)
    return load(store.database, found)


def answer() -> Record:
    copy = Copy(evidence=piece(HOTEL, "3"), page=COPY)
    hits = (hit(piece(LEAVE, "1"), LEAVE_PAGE), hit(piece(HOTEL, "2"), TRAVEL, copies=(copy,)))
    sources = tuple(
        Source(
            number=number,
            title=each.page.title,
            url=each.page.url,
            evidence_ids=(each.evidence.id,),
            also=also,
        )
        for number, (each, also) in enumerate(
            zip(hits, ((), ((COPY.title, COPY.url),)), strict=True), 1
        )
    )
    return Record(
        completed=Completed(question="How much?", text="How much?"),
        hits=hits,
        answer=Answer(text="25 [1][2].", sources=sources),
    )


def load(database: Database, turn: Turn) -> Turn:
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def edit(store: EvidenceStore, on: Page, text: str, **more: Any) -> None:
    put(store, on.model_copy(update={"version": 2}), piece(text, on.id), **more)


def hide(database: Database, page_id: str) -> None:
    with database.session() as session:
        session.exec(update(PageRow).where(col(PageRow.id) == page_id).values(visible=False))


def since(turn: Turn) -> list[Since | None]:
    assert turn.record is not None
    return [source.since for source in turn.record.answer.sources]


def test_as_long_as_its_pages_stay_the_same_an_answer_is_left_alone(
    store: EvidenceStore, turn: Turn
) -> None:
    assert not stale_sources.mark(store.database, turn, EVERYBODY)
    assert load(store.database, turn) == turn


def test_a_newer_version_is_marked_and_shown_once(store: EvidenceStore, turn: Turn) -> None:
    edit(store, TRAVEL, HOTEL)
    assert stale_sources.mark(store.database, turn, EVERYBODY)
    marked = load(store.database, turn)
    assert since(marked) == [None, Since.CHANGED]
    assert not marked.delivered  # it is said once more, in its place

    assert not stale_sources.mark(store.database, marked, EVERYBODY)


def test_whoever_looked_at_an_older_state_of_the_turn_changes_nothing(
    store: EvidenceStore, turn: Turn
) -> None:
    edit(store, TRAVEL, HOTEL)
    assert stale_sources.mark(store.database, turn, EVERYBODY)
    assert not stale_sources.mark(store.database, turn, EVERYBODY)


def test_a_delivery_that_began_before_does_not_hide_the_news(
    store: EvidenceStore, turn: Turn
) -> None:
    edit(store, TRAVEL, HOTEL)
    stale_sources.mark(store.database, turn, EVERYBODY)
    turn_delivery.delivered(store.database, turn)
    assert not load(store.database, turn).delivered


def test_a_page_that_is_gone_and_one_that_is_closed_are_told_alike(
    store: EvidenceStore, turn: Turn
) -> None:
    hide(store.database, "1")
    edit(store, TRAVEL, HOTEL, acl_id="some")
    stale_sources.mark(store.database, turn, EVERYBODY)
    assert since(load(store.database, turn)) == [Since.GONE, Since.GONE]


def test_who_may_still_read_it_is_told_that_it_has_changed(
    store: EvidenceStore, turn: Turn
) -> None:
    edit(store, TRAVEL, HOTEL, acl_id="some")
    stale_sources.mark(store.database, turn, SOME)
    assert since(load(store.database, turn)) == [None, Since.CHANGED]


def test_a_page_that_comes_back_is_no_longer_gone(store: EvidenceStore, turn: Turn) -> None:
    hide(store.database, "1")
    stale_sources.mark(store.database, turn, EVERYBODY)
    edit(store, LEAVE_PAGE, LEAVE)
    assert stale_sources.mark(store.database, load(store.database, turn), EVERYBODY)
    assert since(load(store.database, turn)) == [Since.CHANGED, None]


def test_a_copy_that_is_closed_is_no_longer_named_beside_its_source(
    store: EvidenceStore, turn: Turn
) -> None:
    edit(store, COPY, HOTEL, acl_id="some")
    assert stale_sources.mark(store.database, turn, EVERYBODY)
    marked = load(store.database, turn)
    assert since(marked) == [None, None]
    assert marked.record is not None
    assert [source.also for source in marked.record.answer.sources] == [(), ()]


def test_a_piece_that_names_a_closed_page_is_gone_with_it(store: EvidenceStore, turn: Turn) -> None:
    assert turn.record is not None
    first, *others = turn.record.hits
    naming = first.model_copy(
        update={"evidence": first.evidence.model_copy(update={"names": ("4",)})}
    )
    record = turn.record.model_copy(update={"hits": (naming, *others)})
    sources = record.answer.sources
    now = stale_sources.compared(store.database, record, sources, EVERYBODY)
    assert [source.since for source in now] == [Since.GONE, None]


def test_an_answer_without_sources_has_nothing_to_age(store: EvidenceStore, turn: Turn) -> None:
    record = answer().model_copy(update={"answer": Answer(text="No.")})
    assert stale_sources.compared(store.database, record, (), EVERYBODY) == ()


def test_a_page_that_is_only_named_below_an_answer_loses_its_title_too(
    store: EvidenceStore, turn: Turn
) -> None:
    assert turn.record is not None
    sources = turn.record.answer.sources
    shown = turn.record.answer.model_copy(update={"sources": sources[:1], "more": sources[1:]})
    turn = replace(turn, record=turn.record.model_copy(update={"answer": shown}))
    hide(store.database, "2")
    assert stale_sources.mark(store.database, turn, EVERYBODY)
    marked = load(store.database, turn)
    assert since(marked) == [None]
    assert marked.record is not None
    assert [each.since for each in marked.record.answer.more] == [Since.GONE]
