"""A second search: what a trusted model finds no answer to is searched in its own words."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence

import pytest
from reading_models import knowing
from test_jobs import parts
from wiki import hit, page, piece, put, searching

from core.access.authorizer import MOST_REQUESTS
from core.access.verdicts import Verdicts
from core.embeddings.bundled import Bundled
from core.errors import ModelUnavailable
from core.evidence import EvidenceStore, WordNeighbours
from core.jobs.progress_events import Event, EventKind
from core.manner import Manner
from core.models import Confidence, Note, Record
from core.pages import PageKey
from core.policy import acl
from core.policy.acl import Reader
from core.question import Completed
from core.settings import Settings
from evaluation.harness.as_indexed import AsIndexed
from sandbox.http.server import running
from sandbox.llm.scoring import build
from sandbox.llm.scripted import Messages, Script, last_user_text
from worker.answerability.badge import Badge
from worker.answerability.covering import Covering
from worker.answerability.signs import Signs
from worker.answerability.vectors import RememberedVectors
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor
from worker.generation.abstention import NOT_FOUND
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.generation.second_reader.model_reader import ModelReader
from worker.pipeline import Pipeline, second_search
from worker.pipeline.second_search import MOST, merged, reworded
from worker.reading.reader import bundled
from worker.reading.readings import Readings
from worker.retrieval.retriever import Retrieved
from worker.support.check import SupportCheck
from worker.support.decision import Support

ASKED = "Do I have to bring a doctor's note?"
NOTE = "A certificate of incapacity is due on the third day."
SEARCHES = "1. “certificate of incapacity due”\n- incapacity certificate third day\n"
QUESTION = Completed(question=ASKED, text=ASKED)
FILLERS = [f"The doctor of site {number} takes notes of every visit." for number in range(8)]


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    for number, text in enumerate(FILLERS):
        put(store, page(str(number), f"Visits {number}"), piece(text, str(number)))
    put(store, page("99", "Absence"), piece(NOTE, "99"))
    return store


def knows_other_words(asks: list[str], searches: str = SEARCHES) -> Script:
    """Answers where its prompt has the page; has these searches for the question."""

    def reply(messages: Messages) -> str:
        prompt = last_user_text(messages)
        asks.append(prompt)
        if prompt.startswith("Task: search again"):
            return searches
        place = next((line for line in prompt.splitlines() if NOTE in line), "")
        number = prompt[: prompt.find(NOTE)].count("\n[") if place else 0
        return f"{NOTE} [{number}]" if place else NOT_FOUND

    return knowing([NOTE], reply)


def asked_of(
    made: WorkerParts,
    extractor: Extractor,
    script: Script,
    *,
    trusted: bool = True,
    reader: Reader = acl.EVERYBODY,
    events: list[Event] | None = None,
) -> Record:
    """What becomes of the question where a search finds three pieces."""
    with running(build(script, as_vllm=False)) as url:
        chat = ChatModel(Settings(llm_base_url=f"{url}/v1"), "any")
        pipeline: Pipeline = dataclasses.replace(
            made.pipeline,
            generator=Generator(chat, extractor),
            support=Support(SupportCheck(Bundled())),
            second_reader=ModelReader(6000, lambda _model: trusted),
        )
        return pipeline.answer(
            ASKED,
            (),
            deadline=time.time() + 100,
            reader=reader,
            manner=Manner(evidence=3),
            report=(events if events is not None else []).append,
        )


def test_what_pages_call_otherwise_is_found(filled: EvidenceStore, extractor: Extractor) -> None:
    asks, events = list[str](), list[Event]()
    script = knows_other_words(asks)
    record = asked_of(parts(filled, extractor, None), extractor, script, events=events)
    assert record.answer.text == f"{NOTE} [1]"
    assert [source.title for source in record.answer.sources] == ["Absence"]
    assert record.completed.searches == (
        "certificate of incapacity due",
        "incapacity certificate third day",
    )
    assert ASKED in record.prompt
    assert record.usage.calls == 4  # answered, reworded, answered, read
    assert EventKind.STAGE in {event.kind for event in events if event.data == "search-again"}


def test_nobody_is_told_before_that_nothing_answers(
    filled: EvidenceStore, extractor: Extractor
) -> None:
    events = list[Event]()
    script = knows_other_words([])
    asked_of(parts(filled, extractor, None), extractor, script, events=events)
    assert not [event for event in events if event.kind is EventKind.TEXT and event.data]


def test_pages_that_a_reader_may_not_see_are_not_found_in_any_words(
    filled: EvidenceStore, extractor: Extractor
) -> None:
    closed = page("99", "Absence", space="SECRET")
    put(filled, closed, piece(NOTE, "99"))
    asks = list[str]()
    within = acl.EVERYBODY.within(["HR"])
    made = parts(filled, extractor, None)
    record = asked_of(made, extractor, knows_other_words(asks), reader=within)
    assert Note.NOT_FOUND in record.answer.notes
    assert any(ask.startswith("Task: search again") for ask in asks)
    assert not any(NOTE in ask for ask in asks)


def test_a_model_that_is_not_trusted_is_not_asked_for_words(
    filled: EvidenceStore, extractor: Extractor
) -> None:
    asks = list[str]()
    made = parts(filled, extractor, None)
    record = asked_of(made, extractor, knows_other_words(asks), trusted=False)
    assert Note.NOT_FOUND in record.answer.notes
    assert len(set(asks)) == 1


def test_what_the_pages_found_do_not_say_is_not_shown(
    filled: EvidenceStore, extractor: Extractor
) -> None:
    """The first search found nothing, so nothing is shown that was not read again."""

    def reply(messages: Messages) -> str:
        prompt = last_user_text(messages)
        if prompt.startswith("Task: search again"):
            return SEARCHES
        return "It is due on the first day [1]." if NOTE in prompt else NOT_FOUND

    record = asked_of(parts(filled, extractor, None), extractor, knowing((), reply))
    assert Note.NOT_FOUND in record.answer.notes
    assert record.completed.searches == ()


@pytest.mark.parametrize("searches", ["", ASKED, "...\n—", "x" * 500])
def test_without_other_words_the_question_is_refused_as_before(
    filled: EvidenceStore, extractor: Extractor, searches: str
) -> None:
    asks = list[str]()
    script = knows_other_words(asks, searches or " ")
    record = asked_of(parts(filled, extractor, None), extractor, script)
    assert Note.NOT_FOUND in record.answer.notes
    assert len(set(asks)) == 2


def test_a_verified_answer_of_a_second_search_is_green(
    filled: EvidenceStore, extractor: Extractor, embedder: Bundled
) -> None:
    evidence = searching(filled)
    vectors = RememberedVectors(lambda: embedder)
    neighbours = WordNeighbours(filled.database, lambda: embedder)
    signs = Signs(Covering(evidence.index, neighbours, vectors), vectors, Readings(bundled))
    made = parts(filled, extractor, None)
    judging = dataclasses.replace(made.pipeline, badge=Badge(signs))
    made = dataclasses.replace(made, pipeline=judging)
    record = asked_of(made, extractor, knows_other_words([]))
    assert record.answer.confidence is Confidence.HIGH


class Replying:
    """A model with one reply."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.usage = None

    def reply(self, *_asked: object, **_more: object) -> Replying:
        return self


def test_three_searches_are_taken_of_however_many() -> None:
    lines = "\n".join(f"* search {number}" for number in range(9))
    texts, _ = reworded(Replying(lines), QUESTION, deadline=0)  # type: ignore[arg-type]
    assert texts == ("search 0", "search 1", "search 2")
    assert len(texts) == MOST


def test_a_model_that_is_away_has_no_other_words() -> None:
    class Away(Replying):
        def reply(self, *_asked: object, **_more: object) -> Replying:
            raise ModelUnavailable("away")

    texts, used = reworded(Away(""), QUESTION, deadline=0)  # type: ignore[arg-type]
    assert texts == ()
    assert used.calls == 0


def test_a_search_is_asked_without_the_conversation_and_under_the_same_filters() -> None:
    told = QUESTION.model_copy(update={"context": ("Porto",), "alone": "x"})
    asking = second_search.asking(told, "incapacity")
    assert (asking.text, asking.context, asking.alone) == ("incapacity", (), "")
    assert asking.conditions == told.conditions


def found_of(texts: Sequence[str], *, dropped: bool = False) -> Retrieved:
    return Retrieved(tuple(hit(text) for text in texts), conditions_dropped=dropped)


def together(
    *searches: Retrieved, read: Sequence[str] = (), first: Retrieved | None = None
) -> list[str]:
    """What the searches find together, after a first one."""
    before = first or found_of(read)
    both = merged(searches, read=[hit(text) for text in read], first=before, ranked=before.hits)
    return [each.evidence.text for each in both.hits] if both else []


def test_searches_take_turns_and_what_was_read_comes_last() -> None:
    found = together(found_of(["a", "old", "b"]), found_of(["c", "a"]), read=["old", "older"])
    assert found == ["a", "c", "b", "old", "older"]


def test_nothing_new_is_nothing() -> None:
    assert together(found_of(["old"]), read=["old"]) == []
    assert together() == []


@pytest.mark.parametrize(
    ("first", "searches", "found"),
    [
        (found_of(["x"]), [found_of(["a"], dropped=True), found_of(["b"])], ["b", "x"]),
        (found_of(["x"]), [found_of(["a"], dropped=True)], []),
        (found_of(["x"], dropped=True), [found_of(["a"], dropped=True)], ["a", "x"]),
        (found_of(["x"], dropped=True), [found_of(["a"])], ["a"]),
    ],
)
def test_what_passes_no_filter_is_left_out_where_something_does(
    first: Retrieved, searches: list[Retrieved], found: list[str]
) -> None:
    assert together(*searches, first=first) == found


def test_a_model_that_was_away_is_not_asked_for_other_words(
    filled: EvidenceStore, extractor: Extractor
) -> None:
    asks = list[str]()

    def away(messages: Messages) -> str:
        asks.append(last_user_text(messages))
        return ""  # which no endpoint does that is well

    record = asked_of(parts(filled, extractor, None), extractor, away)
    assert record.completed.searches == ()
    assert not any(ask.startswith("Task: search again") for ask in asks)


def test_what_cannot_be_confirmed_the_second_time_leaves_the_first_refusal(
    filled: EvidenceStore, extractor: Extractor
) -> None:
    class AwayLater(AsIndexed):
        asked = 0

        def check(
            self, pages: Sequence[PageKey], reader: Reader, *, most: int = MOST_REQUESTS
        ) -> Verdicts:
            self.asked += 1
            if self.asked > 1:
                return Verdicts(frozenset(), failed=frozenset(pages))
            return super().check(pages, reader, most=most)

    made = parts(filled, extractor, None, AwayLater())
    record = asked_of(made, extractor, knows_other_words([]))
    assert Note.NOT_FOUND in record.answer.notes
