"""Confirmation: nothing is saved, said or kept that was closed to its readers meanwhile."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import pytest
import redis
from closable import Closable
from sqlmodel import select
from test_jobs import QUESTION, answered, ask, explained, parts, reload
from wiki import BACKUP, HOTEL, LEAVE, key, page, piece, put

from core.access.authorizer import Authorizer
from core.access.disclosure import of_pages
from core.access.policy import Policy
from core.access.verdicts import Freshness
from core.evidence import EvidenceStore
from core.jobs.queue import TaskName
from core.models import Note
from core.settings import Settings
from core.states import ExplanationState, NoAnswer, NoExplanation, TurnState
from core.storage.access_tables import TurnPageRow
from core.turns import disclosures, explanations, turn_store
from core.turns.turn import Address, NewQuestion, Turn, mended
from core.turns.upkeep.sweeper import Doubts
from sandbox.llm.client import ScriptedModel
from worker import confirmation, jobs
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel

TRAVEL = "2"
ONLY_PEOPLE = frozenset({"group:people"})


@dataclass
class ClosingSite(Closable):
    """A site where Travel is closed as soon as it was asked for so many times."""

    closes_after: float = float("inf")
    times: int = field(default=0)

    def _is_open(self, page_id: str) -> bool:
        self.times += page_id == TRAVEL
        if self.times > self.closes_after:
            self.gone.add(TRAVEL)
        return super()._is_open(page_id)


@pytest.fixture
def site(store: EvidenceStore) -> ClosingSite:
    put(store, page("1", "Leave"), piece(LEAVE, "1"), piece(BACKUP, "1"))
    put(store, page(TRAVEL, "Travel"), piece(HOTEL, TRAVEL))
    return ClosingSite()


def asking(store: EvidenceStore, site: Closable, valid_s: float = 1e-6) -> Authorizer:
    """With the site's witness, who sees what everybody sees."""
    fresh = Freshness(valid_s=valid_s)
    own = Closable()
    return Authorizer(
        store.database, {own.name: own}, Policy, freshness=fresh, witnesses={own.name: site}
    )


@pytest.fixture
def quoting(
    store: EvidenceStore, extractor: Extractor, site: ClosingSite, queues: redis.Redis
) -> WorkerParts:
    del queues
    return parts(store, extractor, None, asking(store, site))


def failed(parts: WorkerParts, question: str = QUESTION) -> Turn:
    turn = ask(parts.database, question)
    jobs.answer(parts, turn.id)
    return reload(parts, turn)


def pages_of(parts: WorkerParts, turn: Turn) -> set[str]:
    query = select(TurnPageRow.page_id).where(TurnPageRow.turn_id == turn.id)
    with parts.database.reading() as session:
        return set(session.exec(query).all())


def test_a_page_closed_while_the_answer_is_made_is_not_in_it(
    quoting: WorkerParts, site: ClosingSite
) -> None:
    site.closes_after = 1  # confirmed as evidence, closed before it is saved
    _, record = answered(quoting)
    assert key(TRAVEL) not in record.pages
    assert "110" not in record.model_dump_json()


def test_when_nobody_knows_nothing_is_answered_and_that_is_said(
    quoting: WorkerParts, site: ClosingSite
) -> None:
    site.down = True
    turn = failed(quoting)
    assert (turn.state, turn.reason, turn.record) == (
        TurnState.FAILED,
        NoAnswer.UNCONFIRMED,
        None,
    )


def test_what_could_be_asked_about_is_answered_from_with_a_note(
    store: EvidenceStore, extractor: Extractor, site: ClosingSite
) -> None:
    other = Closable(name="files", down=True)
    put(store, page("7", "Hotels", source="files"), piece("A hotel in Rome costs 90 EUR.", "7"))
    control = asking(store, site)
    both = dataclasses.replace(
        control,
        sources={**control.sources, "files": other},
        witnesses={**control.witnesses, "files": other},
    )
    _, record = answered(parts(store, extractor, None, both))
    assert Note.UNCHECKED in record.answer.notes
    assert {each.source for each in record.pages} == {"confluence"}


def test_an_answer_is_taken_back_when_a_page_of_it_is_closed(
    quoting: WorkerParts, site: ClosingSite, queues: redis.Redis
) -> None:
    turn, record = answered(quoting)
    explained(quoting, turn)
    assert pages_of(quoting, turn) == {each.id for each in record.pages}
    site.gone.add(TRAVEL)
    confirmation.confirm(quoting, turn.id)
    blanked = reload(quoting, turn)
    assert (blanked.state, blanked.reason, blanked.record) == (
        TurnState.FAILED,
        NoAnswer.CLOSED,
        None,
    )
    assert pages_of(quoting, turn) == set()
    explanation = explanations.load(quoting.database, turn.id)
    assert explanation is not None
    assert (explanation.state, explanation.reason) == (
        ExplanationState.FAILED,
        NoExplanation.CLOSED,
    )
    assert explanation.result is None
    waiting = queues.lrange("speak", 0, -1)
    assert [TaskName.DELIVER in raw for raw in waiting].count(True) == 1
    assert [TaskName.POST_EXPLANATION in raw for raw in waiting].count(True) == 1


def test_it_stays_while_nobody_knows(quoting: WorkerParts, site: ClosingSite) -> None:
    turn, record = answered(quoting)
    site.down = True
    confirmation.confirm(quoting, turn.id)
    assert reload(quoting, turn).record == record


def test_it_stays_while_it_is_open(quoting: WorkerParts) -> None:
    turn, record = answered(quoting)
    confirmation.confirm(quoting, turn.id)
    assert reload(quoting, turn).record == record
    assert pages_of(quoting, turn) == {each.id for each in record.pages}


def test_what_the_index_hides_casts_doubt_on_answers_and_the_sweeper_has_them_asked_about(
    quoting: WorkerParts, store: EvidenceStore, queues: redis.Redis
) -> None:
    turn, _ = answered(quoting)
    doubts = Doubts(quoting.database)
    doubts.sweep()
    assert queues.lrange("answer", 0, -1) == []
    store.hide(page(TRAVEL, "Travel"))
    assert disclosures.doubtful(quoting.database, 10) == [turn.id]
    doubts.sweep()
    doubts.sweep()
    (waiting,) = queues.lrange("answer", 0, -1)
    assert TaskName.CONFIRM in waiting
    confirmation.confirm(quoting, turn.id)  # the index was wrong: it is open
    assert disclosures.doubtful(quoting.database, 10) == []


def test_the_next_question_of_the_thread_takes_back_the_old_answer(
    quoting: WorkerParts, site: ClosingSite
) -> None:
    turn, _ = answered(quoting)
    site.gone.add(TRAVEL)
    answered(quoting, ts="9.5")
    assert reload(quoting, turn).reason is NoAnswer.CLOSED


def test_a_follow_up_knows_no_title_of_a_page_that_was_closed(
    quoting: WorkerParts, site: ClosingSite
) -> None:
    answered(quoting)
    site.gone.add(TRAVEL)
    _, record = answered(quoting, "And who pays it?", ts="1.6")
    assert "Travel" not in record.model_dump_json()


def test_text_that_grows_for_long_is_confirmed_again_and_stops_when_a_page_was_closed(
    store: EvidenceStore,
    extractor: Extractor,
    site: ClosingSite,
    chat: ChatModel,
    model: ScriptedModel,
) -> None:
    built = parts(store, extractor, chat, asking(store, site))
    brief = Settings(confirm_valid_s=1e-6)
    site.closes_after = 1
    _, record = answered(dataclasses.replace(built, settings=brief))
    assert key(TRAVEL) not in record.pages
    prompts = [str(request["body"]["messages"]) for request in model.received()]
    assert HOTEL in prompts[0]
    assert HOTEL not in prompts[-1], "the second attempt was not told of it"


def test_what_was_posted_of_a_stopped_answer_is_taken_back_when_its_page_is_closed(
    quoting: WorkerParts, site: ClosingSite, store: EvidenceStore
) -> None:
    turn = ask(quoting.database)
    turn_store.fail(quoting.database, turn.id, NoAnswer.STOPPED)
    stopped = reload(quoting, turn)
    disclosures.posted(quoting.database, stopped, of_pages([key(TRAVEL)]))
    confirmation.confirm(quoting, turn.id)
    assert reload(quoting, turn).reason is NoAnswer.STOPPED, "it is open"
    site.gone.add(TRAVEL)
    store.hide(page(TRAVEL, "Travel"))
    assert disclosures.doubtful(quoting.database, 10) == [turn.id]
    confirmation.confirm(quoting, turn.id)
    assert reload(quoting, turn).reason is NoAnswer.CLOSED
    assert disclosures.doubtful(quoting.database, 10) == []


def test_a_question_of_a_button_is_not_answered_once_the_page_that_it_names_is_closed(
    quoting: WorkerParts, site: ClosingSite
) -> None:
    pressed = NewQuestion(
        Address("T1", "C1", "3.5", "3.5"),
        user="U1",
        text="What does “Travel” say about leave?",
        by_button=True,
        shows=of_pages([key(TRAVEL)]),
    )
    turn = turn_store.ask(quoting.database, pressed)
    assert turn is not None
    jobs.answer(quoting, turn.id)
    record = reload(quoting, turn).record
    assert record is not None
    assert key(TRAVEL) in record.completed.origin
    _, follow_up = answered(quoting, "And how many days?", ts="3.6", thread="3.5")
    assert key(TRAVEL) in follow_up.completed.pages, "the question is a part of its completion"
    site.gone.add(TRAVEL)
    _, later = answered(quoting, "And who grants it?", ts="3.7", thread="3.5")
    assert "Travel" not in later.completed.text


def test_an_answer_that_was_mended_keeps_the_pages_of_its_words(quoting: WorkerParts) -> None:
    answered(quoting)
    _, record = answered(quoting, "And who pays it?", ts="1.6")
    assert record.completed.context
    assert mended(record).pages == record.pages


def test_what_a_long_message_tells_stays_when_another_turn_is_forgotten(
    quoting: WorkerParts,
) -> None:
    told = (
        "I am going to see a customer in the north next week, and have to book something today "
        "before my train leaves at five."
    )
    _, record = answered(quoting, f"{told} {QUESTION}")
    assert record.completed.question == QUESTION
    as_told = record.model_copy(
        update={"completed": record.completed.model_copy(update={"context": (told,)})}
    )
    assert mended(as_told) == as_told


def test_pages_of_an_unknown_audience_get_their_true_one(quoting: WorkerParts) -> None:
    turn, _ = answered(quoting)
    with quoting.database.session() as session:
        for row in session.exec(select(TurnPageRow)).all():
            row.audience = "unknown:"
    confirmation.confirm(quoting, turn.id)
    with quoting.database.reading() as session:
        assert set(session.exec(select(TurnPageRow.audience)).all()) == {""}
