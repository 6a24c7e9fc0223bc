"""What the tasks do with a turn, on real stores: take it, do the work, save it, once."""

from __future__ import annotations

import dataclasses
import re
import threading
import time
from copy import copy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import redis
from sqlmodel import update
from wiki import BACKUP, HOTEL, LEAVE, page, piece, put, row, searching

from core.access.disclosure import Disclosure
from core.attribution import ExplainBy, Role
from core.evidence import Dense, EvidenceSearch, EvidenceStore
from core.evidence.blocks import Blocks
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from core.jobs.leases import lease
from core.jobs.progress_events import Event, EventKind, Events, explain_channel
from core.jobs.queue import TaskName
from core.models import Answer, Note, Record
from core.policy import acl, spending
from core.policy.acl import EVERYBODY, OPEN_ID
from core.question import Completed, Condition, Field
from core.settings import Settings
from core.states import NoAnswer, NoExplanation
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import ExplanationRow, TurnRow
from core.turns import detail_requests, disclosures, erasure, explanations, thread_queue, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.usage import Usage
from evaluation.harness.as_indexed import AsIndexed
from sandbox.llm.client import ScriptedModel
from worker import explanation_jobs, jobs, replay
from worker.answering.conversation import history
from worker.answering.made import DELIVERY_S
from worker.attribution.attributor import Attributor
from worker.attribution.options import Options
from worker.bootstrap import WorkerParts, build
from worker.cancellation import CHECK_EVERY_S
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.retrieval.expand import EvidenceExpander
from worker.retrieval.live_access import AccessControl, LiveAccess
from worker.retrieval.readers import Readers
from worker.retrieval.retriever import Retriever

QUESTION = "What does a hotel in Porto cost?"
NOBODY = "redis://127.0.0.1:1/0"
MODEL_S = 20.0  # what a slow model takes for an answer,
AS_INDEXED = AsIndexed()
WORDS = 9  # which has so many words


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    put(store, page("1", "Leave"), piece(LEAVE, "1"), piece(BACKUP, "1"))
    put(store, page("2", "Travel"), piece(HOTEL, "2"))
    return store


@pytest.fixture
def quoting(filled: EvidenceStore, extractor: Extractor) -> WorkerParts:
    """The worker's parts without a model, and without a Redis."""
    return parts(filled, extractor, None)


@pytest.fixture
def asking(filled: EvidenceStore, extractor: Extractor, chat: ChatModel) -> WorkerParts:
    """The same with the scripted model."""
    return parts(filled, extractor, chat)


def parts(
    store: EvidenceStore,
    extractor: Extractor,
    chat: ChatModel | None,
    control: AccessControl = AS_INDEXED,
) -> WorkerParts:
    generator = Generator(chat, extractor)
    return WorkerParts(
        settings=Settings(),
        database=store.database,
        events=Events(NOBODY),
        evidence=searching(store),
        readers=Readers(Settings(), store.database),
        authorizer=control,
        pipeline=Pipeline(
            Completer(chat),
            Retriever(searching(store)),
            LiveAccess(control),
            generator,
        ),
        without_model=Pipeline(
            Completer(None),
            Retriever(searching(store)),
            LiveAccess(control),
            Generator(None, extractor, without=Note.BUDGET),
        ),
        explainer=generator,
        attributor=Attributor(store.live().embedder, Options(concurrency=2)),
    )


def ask(database: Database, question: str = QUESTION, ts: str = "1.5", thread: str = "1.0") -> Turn:
    turn = turn_store.ask(
        database, NewQuestion(Address("T1", "C1", ts, thread), user="U1", text=question)
    )
    assert turn is not None
    return turn


def reload(parts: WorkerParts, turn: Turn) -> Turn:
    found = turn_store.load(parts.database, turn.id)
    assert found is not None
    return found


def answered(
    parts: WorkerParts, question: str = QUESTION, ts: str = "1.5", thread: str = "1.0"
) -> tuple[Turn, Record]:
    turn = ask(parts.database, question, ts, thread)
    jobs.answer(parts, turn.id)
    saved = reload(parts, turn)
    assert saved.record is not None, saved
    return saved, saved.record


def explained(parts: WorkerParts, turn: Turn) -> explanations.Request:
    explanations.request(parts.database, turn.id, "U1")
    explanation_jobs.explain(parts, turn.id)
    found = explanations.load(parts.database, turn.id)
    assert found is not None
    return found


def set_turn(parts: WorkerParts, **values: object) -> None:
    with parts.database.session() as session:
        session.exec(update(TurnRow).values(**values))


def asked_for_answers(model: ScriptedModel) -> list[dict[str, Any]]:
    """Without what finds out whether the endpoint tells how likely a text is."""
    return [each for each in model.received() if "prompt_logprobs" not in each["body"]]


def test_a_question_is_answered_from_its_evidence(quoting: WorkerParts) -> None:
    turn, record = answered(quoting)
    assert (turn.state, turn.attempts) == ("done", 1)
    assert record.answer.text == f"Travel [1]\n{HOTEL}"
    assert [source.title for source in record.answer.sources] == ["Travel"]
    assert record.hits[0].evidence.text == HOTEL
    assert set(record.seconds) == {"complete", "retrieve", "confirm", "generate"}


def test_a_model_answers_and_its_prompt_is_saved(asking: WorkerParts) -> None:
    _, record = answered(asking)
    assert record.answer.text == f"{HOTEL} [1]"
    assert (record.answer.model, record.usage.calls) == ("sandbox-toy", 1)
    assert HOTEL in record.prompt


def test_a_model_is_given_whole_tables_and_what_it_was_given_is_saved(
    asking: WorkerParts, filled: EvidenceStore, model: ScriptedModel
) -> None:
    rows = [
        row(number, page_id="3", Crane=f"SkyLift {number}", State="repaired")
        for number in range(1, 31)
    ]
    put(filled, page("3", "Cranes"), *rows)
    model.say("30 cranes [1].")
    pipeline = dataclasses.replace(
        asking.pipeline, widener=EvidenceExpander(Blocks(filled.database))
    )
    _, record = answered(
        dataclasses.replace(asking, pipeline=pipeline), "How many cranes were repaired?"
    )
    assert {hit.evidence.id for hit in record.hits} >= {each.id for each in rows}
    assert "(all of its 30 rows)" in record.prompt
    assert "widen" in record.seconds


def test_conditions_that_no_page_passed_are_not_told_as_if_they_had_been_searched(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    conditions = (Condition(field=Field.SPACE, value="ENG"),)
    searched = Completed(question=QUESTION, text=QUESTION, conditions=conditions)
    hits = asking.pipeline.retriever.retrieve(searched).hits
    dropped = Record(
        completed=searched,
        hits=hits,
        answer=Answer(text="110 EUR", model="m", notes=(Note.CONDITIONS_DROPPED,)),
    )
    for record in (
        dropped,
        dropped.model_copy(update={"answer": Answer(text="110 EUR", model="m")}),
    ):
        replay.explain(asking, "t", record, replay.ExplanationWatch())
    told = [
        "in the space ENG" in request["body"]["messages"][1]["content"]
        for request in asked_for_answers(model)
    ]
    assert told == [False] * (len(told) // 2) + [True] * (len(told) // 2)


def test_a_follow_up_is_completed_from_its_thread(quoting: WorkerParts) -> None:
    answered(quoting)
    _, record = answered(quoting, "And who pays it?", ts="1.6")
    assert record.completed.context == ("Travel", QUESTION)


def test_progress_and_text_are_told_as_they_happen(asking: WorkerParts, redis_url: str) -> None:
    events = Events(redis_url)
    turn, record = answered(dataclasses.replace(asking, events=events))
    following = events.follow(turn.id, wait_s=0.1, key=turn.words_key)
    told = [event for new in islice(following, 1) for event in new]
    assert told[:4] == [
        Event(EventKind.START),
        Event(EventKind.STAGE, "retrieve"),
        disclosures.evidence_event(Disclosure(record.pages)),
        Event(EventKind.STAGE, "generate"),
    ]
    assert told[-1] == Event(EventKind.DONE)
    # A citation at the very end may still be repeated: it comes with the record.
    assert "".join(event.data for event in told if event.kind is EventKind.TEXT) == HOTEL
    assert record.answer.text == f"{HOTEL} [1]"


def test_without_chroma_the_answer_says_that_words_alone_were_searched(
    quoting: WorkerParts,
) -> None:
    nowhere = vector_stores("http://127.0.0.1:1")
    away = Dense(nowhere, lambda _name: quoting.attributor.embedder, wanted="bundled")
    blind = EvidenceSearch(quoting.database, quoting.evidence.lexical, away)
    _, record = answered(
        dataclasses.replace(
            quoting, pipeline=dataclasses.replace(quoting.pipeline, retriever=Retriever(blind))
        )
    )
    assert record.answer.notes == (Note.NO_MODEL, Note.WORDS_ONLY)
    assert record.answer.text == f"Travel [1]\n{HOTEL}"


def test_a_turn_that_is_finished_is_left_as_it_is(quoting: WorkerParts) -> None:
    turn, _ = answered(quoting)
    jobs.answer(quoting, turn.id)
    assert reload(quoting, turn) == turn


def test_a_turn_in_other_hands_is_left_alone(quoting: WorkerParts) -> None:
    turn = ask(quoting.database)
    with lease(quoting.database, f"{TaskName.ANSWER}:{turn.id}"):
        jobs.answer(quoting, turn.id)
    assert reload(quoting, turn) == turn


def test_a_question_waits_for_the_one_before_it_in_its_thread(quoting: WorkerParts) -> None:
    first, second = ask(quoting.database), ask(quoting.database, "And who pays it?", ts="1.6")
    jobs.answer(quoting, second.id)
    assert (reload(quoting, second).state, reload(quoting, second).attempts) == ("waiting", 0)
    jobs.answer(quoting, first.id)
    jobs.answer(quoting, second.id)
    record = reload(quoting, second).record
    assert record is not None
    assert record.completed.context == ("Travel", QUESTION)


def test_of_one_thread_only_one_question_is_worked_on_and_its_end_calls_the_next(
    quoting: WorkerParts, queues: redis.Redis
) -> None:
    first, second = ask(quoting.database), ask(quoting.database, ts="1.6")
    with lease(quoting.database, thread_queue.key(first.address)):
        jobs.answer(quoting, first.id)
    assert reload(quoting, first).state == "waiting"
    assert queues.llen("answer") == 0
    jobs.answer(quoting, first.id)
    assert second.id in queues.lrange("answer", 0, -1)[0]


def test_questions_of_different_threads_are_worked_on_at_the_same_time(
    quoting: WorkerParts,
) -> None:
    ask(quoting.database)
    other = turn_store.ask(
        quoting.database, NewQuestion(Address("T1", "C1", "2.0", "2.0"), user="U1", text=QUESTION)
    )
    assert other is not None
    with lease(quoting.database, thread_queue.key(Address("T1", "C1", "1.5", "1.0"))):
        jobs.answer(quoting, other.id)
    assert reload(quoting, other).state == "done"


@pytest.mark.parametrize(
    "delays",
    [{"call_delay_s": MODEL_S}, {"token_delay_s": MODEL_S / WORDS}],
    ids=["silent", "writing"],
)
def test_an_answer_that_somebody_stops_ends_within_a_second_and_saves_nothing(
    asking: WorkerParts, model: ScriptedModel, delays: dict[str, float]
) -> None:
    turn = ask(asking.database)
    model.delay(delays.get("call_delay_s", 0.0))
    model.pace(delays.get("token_delay_s", 0.0))
    stopped_at: list[float] = []

    def stop() -> None:
        turn_store.fail(asking.database, turn.id, NoAnswer.STOPPED)
        stopped_at.append(time.monotonic())

    threading.Timer(0.7, stop).start()
    jobs.answer(asking, turn.id)
    assert CHECK_EVERY_S < 1
    assert time.monotonic() - stopped_at[0] < MODEL_S / 2  # it was not waited for
    saved = reload(asking, turn)
    assert (saved.state, saved.reason, saved.record) == ("failed", "stopped", None)


def test_a_turn_that_is_too_old_is_left_to_its_delivery(quoting: WorkerParts) -> None:
    turn = ask(quoting.database)
    set_turn(
        quoting, patience_from=turn.patience_from - quoting.settings.answer_patience_s, attempts=1
    )
    jobs.answer(quoting, turn.id)
    saved = reload(quoting, turn)
    assert (saved.state, saved.attempts, saved.record) == ("waiting", 1, None)


def test_a_turn_that_has_waited_in_line_is_answered_with_a_patience_of_its_own(
    quoting: WorkerParts,
) -> None:
    turn = ask(quoting.database)
    set_turn(quoting, patience_from=turn.patience_from - quoting.settings.answer_patience_s)
    jobs.answer(quoting, turn.id)
    saved = reload(quoting, turn)
    assert saved.state == "done"
    assert saved.patience_from >= turn.patience_from


def test_a_turn_that_ended_too_many_workers_is_given_up(quoting: WorkerParts) -> None:
    turn = ask(quoting.database)
    set_turn(quoting, attempts=jobs.MOST_ATTEMPTS)
    jobs.answer(quoting, turn.id)
    saved = reload(quoting, turn)
    assert (saved.state, saved.reason, saved.record) == ("failed", "gave_up", None)


def test_a_turn_that_nobody_asked_is_nothing(quoting: WorkerParts) -> None:
    jobs.answer(quoting, "unknown")
    explanation_jobs.explain(quoting, "unknown")


def test_a_finished_turn_frees_its_lease(quoting: WorkerParts) -> None:
    turn, _ = answered(quoting)
    with lease(quoting.database, f"{TaskName.ANSWER}:{turn.id}") as free:
        assert free is not None


def test_a_program_that_never_searches_explains_by_todays_index(
    quoting: WorkerParts, tmp_path: Path
) -> None:
    turn, _ = answered(quoting)
    as_at_its_start = LexicalIndex(tmp_path / "explainer")
    assert as_at_its_start.size() == 0
    evidence = copy(quoting.evidence)
    evidence.index.lexical = as_at_its_start
    explained(dataclasses.replace(quoting, evidence=evidence), turn)
    assert as_at_its_start.size() == quoting.evidence.lexical.size() > 0


def test_a_quoted_answer_is_explained_by_quoting_again(quoting: WorkerParts) -> None:
    turn, record = answered(quoting)
    request = explained(quoting, turn)
    assert request.state == "done"
    assert request.result is not None
    first = request.result.effects[0]
    assert (first.evidence_ids, first.role, first.source_numbers) == (
        (record.hits[0].evidence.id,),
        Role.NEEDED,
        (1,),
    )
    assert (request.result.path, request.result.usage.calls) == ("quoted", 0)


def test_a_models_answer_is_explained_by_asking_it_again(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    turn, record = answered(asking)
    model.reset()
    result = explained(asking, turn).result
    assert result is not None
    assert result.effects[0].evidence_ids == (record.hits[0].evidence.id,)
    assert result.usage.calls == len(asked_for_answers(model))
    assert result.model == "sandbox-toy"


def test_an_explanation_asks_with_less_of_the_saved_prompt_and_with_nothing_else(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    turn, record = answered(asking)
    model.reset()
    explained(asking, turn)
    prompts = [request["body"]["messages"][1]["content"] for request in asked_for_answers(model)]
    saved = {re.sub(r"^(\[\d+\])+ ", "", line).strip() for line in record.prompt.splitlines()} | {
        "(none)"
    }
    assert record.prompt in prompts
    assert not [
        line
        for prompt in prompts
        for line in prompt.splitlines()
        if re.sub(r"^(\[\d+\])+ ", "", line).strip() not in saved
    ]


def test_the_way_of_an_explanation_is_told(quoting: WorkerParts, redis_url: str) -> None:
    events = Events(redis_url)
    told = dataclasses.replace(quoting, events=events)
    turn, record = answered(told)
    explained(told, turn)
    heard = next(events.follow(explain_channel(turn.id), wait_s=0.1))
    calls = 2 + len(record.hits)
    assert heard == [Event(EventKind.COUNT, done=n, total=calls) for n in range(1, calls + 1)]


def test_an_explanation_stays_as_it_was_first_saved(quoting: WorkerParts) -> None:
    turn, _ = answered(quoting)
    first = explained(quoting, turn)
    assert explained(quoting, turn) == first


def test_an_explanation_in_other_hands_is_left_alone(quoting: WorkerParts) -> None:
    turn, _ = answered(quoting)
    with lease(quoting.database, f"{TaskName.EXPLAIN}:{turn.id}"):
        assert explained(quoting, turn).state == "waiting"


def test_an_explanation_fails_when_the_model_is_away(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    turn, _ = answered(asking)
    model.fault(status=400, times=99)
    request = explained(asking, turn)
    assert (request.state, request.reason, request.result) == ("failed", "model_down", None)


def test_an_explanation_by_scores_that_the_endpoint_does_not_tell_fails_with_that_reason(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    options = Options(by=ExplainBy.LOGPROBS)
    demanding = dataclasses.replace(
        asking, attributor=Attributor(asking.attributor.embedder, options)
    )
    turn, _ = answered(demanding)
    assert explained(demanding, turn).reason == "no_scores"


def test_an_explanation_taken_up_again_does_not_pay_twice_for_a_call(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    steady = dataclasses.replace(
        asking, attributor=Attributor(asking.attributor.embedder, Options(concurrency=1))
    )
    turn, _ = answered(steady)
    model.reset()
    model.pace(0.02)
    killer = threading.Timer(0.5, lambda: model.fault(status=400, times=100))
    killer.start()
    assert explained(steady, turn).reason == "model_down"
    finished = len(explanations.calls(steady.database, turn.id))
    assert finished > 0
    model.reset()
    result = explained(steady, turn).result
    assert result is not None
    assert result.usage.calls == finished + len(model.received())
    assert explanations.calls(steady.database, turn.id) == {}


def test_an_explanation_that_somebody_stops_ends_within_seconds_and_saves_nothing(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    turn, _ = answered(asking)
    model.pace(0.1)
    threading.Timer(
        0.5, lambda: explanations.fail(asking.database, turn.id, NoExplanation.STOPPED)
    ).start()
    request = explained(asking, turn)
    assert (request.state, request.reason, request.result) == ("failed", "stopped", None)
    asked = len(model.received())
    time.sleep(0.5)
    assert len(model.received()) == asked


def test_an_explanation_fails_when_the_model_is_no_longer_configured(
    asking: WorkerParts, quoting: WorkerParts
) -> None:
    turn, _ = answered(asking)
    assert explained(quoting, turn).reason == "model_down"


def test_a_turn_without_an_answer_has_nothing_to_explain(quoting: WorkerParts) -> None:
    request = explained(quoting, ask(quoting.database))
    assert (request.state, request.reason) == ("failed", "nothing_to_explain")


def test_an_explanation_that_ended_too_many_workers_is_given_up(quoting: WorkerParts) -> None:
    turn, _ = answered(quoting)
    explanations.request(quoting.database, turn.id, "U1")
    with quoting.database.session() as session:
        session.exec(update(ExplanationRow).values(attempts=jobs.MOST_ATTEMPTS))
    assert explained(quoting, turn).reason == "gave_up"


def test_history_has_the_answers_of_the_thread_and_the_page_of_their_first_source(
    quoting: WorkerParts,
) -> None:
    _, record = answered(quoting)
    ask(quoting.database, "Still waiting?", ts="1.6")
    past = history(quoting, ask(quoting.database, "And now?", ts="1.7"), EVERYBODY)
    assert [(each.question, each.answer, each.title) for each in past] == [
        (QUESTION, record.answer.text, "Travel"),
        ("Still waiting?", "", ""),
    ]


def test_the_parts_are_built_from_the_settings(
    tmp_path: Path, chroma_url: str, llm_url: str
) -> None:
    chosen = Settings(
        data_dir=tmp_path / "new",
        chroma_url=chroma_url,
        redis_url=NOBODY,
        llm_base_url=llm_url,
        llm_model="m",
        llm_explain_model="big",
    )
    built = build(chosen, AsIndexed())
    assert (built.pipeline.generator.model, built.explainer.model) != (None, None)
    assert [
        part.model.name for part in (built.pipeline.generator, built.explainer) if part.model
    ] == ["m", "big"]
    assert built.pipeline.answer(QUESTION, [], deadline=0).answer == Answer(
        text="No page that I can read answers this.", notes=(Note.NOT_FOUND,)
    )
    built.database.close()


def test_a_filter_is_found_and_saved_with_the_answer_and_not_when_it_was_taken_away(
    quoting: WorkerParts,
) -> None:
    filters = Filters(Vocabularies(quoting.database).of)
    filtering = dataclasses.replace(
        quoting, pipeline=dataclasses.replace(quoting.pipeline, filters=filters)
    )
    turn, record = answered(filtering, "What does a hotel in Porto cost in the HR space?")
    assert [(each.field, each.value) for each in record.completed.conditions] == [
        (Field.SPACE, "HR")
    ]
    assert record.completed.searched == QUESTION

    again = turn_store.ask(
        quoting.database,
        NewQuestion(
            replace(turn.address, ts="1.9"),
            user="U2",
            filtered=False,
            text=turn.question,
            by_button=True,
            private=turn.private,
        ),
    )
    assert again is not None
    jobs.answer(filtering, again.id)
    without = reload(quoting, again).record
    assert without is not None
    asked = {"question": turn.question, "text": turn.question, "asked_on": clock.today()}
    unfiltered = Completed(**asked, language="en")
    assert without.completed == unfiltered


def test_a_question_asked_again_without_its_filter_follows_what_it_followed_before(
    quoting: WorkerParts,
) -> None:
    answered(quoting)
    follow_up, _ = answered(quoting, "And who pays it?", ts="1.6")
    answered(quoting, "And when?", ts="1.7")
    again = turn_store.ask(
        quoting.database,
        NewQuestion(
            replace(follow_up.address, ts="1.9"),
            user="U1",
            filtered=False,
            text=follow_up.question,
            by_button=True,
            private=follow_up.private,
        ),
    )
    assert again is not None
    assert [past.question for past in history(quoting, again, EVERYBODY)] == [QUESTION]


def test_a_question_that_follows_nothing_is_complete(quoting: WorkerParts) -> None:
    assert answered(quoting)[1].completed == Completed(
        question=QUESTION, text=QUESTION, language="en", asked_on=clock.today()
    )


def decided(parts: WorkerParts, turn: Turn, user: str = "U1") -> str:
    """What a worker decides on details that this person has opened."""
    detail_requests.ask(parts.database, "V1", turn.id, user)
    jobs.admit(parts, "V1")
    found = detail_requests.load(parts.database, "V1")
    assert found is not None
    return found.state


def test_details_are_open_to_whoever_may_see_every_piece_and_the_bot_is_told(
    quoting: WorkerParts, queues: redis.Redis
) -> None:
    turn, _ = answered(quoting)
    assert decided(quoting, turn, "U2") == "open"
    jobs.admit(quoting, "V1")  # the message came twice
    assert queues.llen("speak") == 2


def test_details_are_closed_once_a_page_is_gone_or_not_for_everybody_any_more(
    quoting: WorkerParts, store: EvidenceStore, queues: object
) -> None:
    turn, record = answered(quoting)
    few = frozenset({frozenset({"group:few"})})
    with store.database.session() as session:
        acl.save(session, few)
    store.set_acl([record.hits[-1].page.key], before=OPEN_ID, now=acl.acl_id(few))
    assert decided(quoting, turn) == "closed"


def test_details_of_what_was_asked_in_private_are_for_nobody_else(
    quoting: WorkerParts, queues: object
) -> None:
    where = Address("T1", "D1", "1.8", "1.8")
    private = turn_store.ask(
        quoting.database, NewQuestion(where, user="U1", private=True, text=QUESTION)
    )
    assert private is not None
    jobs.answer(quoting, private.id)
    assert (decided(quoting, private, "U2"), decided(quoting, private, "U1")) == ("closed", "open")


def test_details_that_hold_titles_of_earlier_turns_are_closed_with_those(
    quoting: WorkerParts, store: EvidenceStore, queues: object
) -> None:
    _, record = answered(quoting)
    follow_up, later = answered(quoting, "And who pays it?", ts="1.6")
    assert later.completed.text != later.completed.question
    assert decided(quoting, follow_up) == "open"
    few = frozenset({frozenset({"group:few"})})
    with store.database.session() as session:
        acl.save(session, few)
        row = session.get_one(TurnRow, follow_up.id)
        kept = [
            hit.model_dump(mode="json")
            for hit in later.hits
            if hit.page.id != record.hits[0].page.id
        ]
        row.record = {**later.model_dump(mode="json"), "hits": kept}
    store.set_acl([record.hits[0].page.key], before=OPEN_ID, now=acl.acl_id(few))
    assert decided(quoting, follow_up) == "closed"


def test_details_of_an_unknown_turn_or_of_one_without_an_answer_are_closed(
    quoting: WorkerParts, queues: redis.Redis
) -> None:
    jobs.admit(quoting, "V0")
    assert queues.llen("speak") == 0
    assert decided(quoting, ask(quoting.database)) == "closed"


def test_an_explanation_is_saved_with_its_chart_unless_none_is_wanted(asking: WorkerParts) -> None:
    turn, _ = answered(asking)
    explained(asking, turn)
    assert (explanations.picture(asking.database, turn.id) or b"").startswith(b"\x89PNG")
    other, _ = answered(asking, ts="1.9")
    explained(dataclasses.replace(asking, settings=Settings(explain_picture=False)), other)
    assert explanations.picture(asking.database, other.id) is None


def test_a_quoted_answer_needs_no_chart(quoting: WorkerParts) -> None:
    turn, _ = answered(quoting)
    assert explained(quoting, turn).state == "done"
    assert explanations.picture(quoting.database, turn.id) is None


# ── What may be spent, and what is forgotten ──


def limited(asking: WorkerParts, **limits: object) -> WorkerParts:
    return dataclasses.replace(
        asking, settings=Settings.model_validate({"prices": "sandbox-toy=1000000/1000000"} | limits)
    )


def test_when_a_budget_is_used_up_the_answer_is_quoted_and_says_so(asking: WorkerParts) -> None:
    some = limited(asking, limit_person_tokens_per_day=1)
    _, first = answered(some)
    _, second = answered(some, "How many days of leave do I get?", ts="1.6")
    assert (first.answer.model, first.answer.notes) == ("sandbox-toy", ())
    assert (second.answer.model, second.answer.notes[0]) == ("", Note.BUDGET)
    assert (
        spending.spent(some.database, "T1", "U1").tokens
        == first.usage.prompt_tokens + first.usage.completion_tokens
    )


def test_what_a_question_and_an_explanation_cost_is_counted_for_whoever_asked(
    asking: WorkerParts,
) -> None:
    some = limited(asking)
    turn, record = answered(some)
    assert (
        spending.spent(some.database, "T1", "U1").money
        == record.usage.prompt_tokens + record.usage.completion_tokens
    )
    explanations.request(some.database, turn.id, "U2")
    explanation_jobs.explain(some, turn.id)
    request = explanations.load(some.database, turn.id)
    assert request is not None
    assert request.result is not None
    used = request.result.usage
    assert (
        spending.spent(some.database, "T1", "U2").tokens
        == used.prompt_tokens + used.completion_tokens
        > 0
    )


def test_when_a_budget_is_used_up_a_models_answer_is_not_explained(asking: WorkerParts) -> None:
    turn, _ = answered(asking)
    assert explained(limited(asking, limit_tokens_per_day=1), turn).reason == "budget"


def test_a_quoted_answer_costs_nothing_and_is_explained_all_the_same(quoting: WorkerParts) -> None:
    spending.spend(quoting.database, "T1", "U1", usage=Usage(prompt_tokens=5), money=None)
    turn, _ = answered(quoting)
    assert explained(limited(quoting, limit_tokens_per_day=1), turn).result is not None


def test_an_answer_whose_conversation_is_forgotten_is_not_explained(quoting: WorkerParts) -> None:
    first, _ = answered(quoting)
    turn, _ = answered(quoting, "And who pays it?", ts="1.6")
    erasure.forget_turn(quoting.database, first.id, "U1")
    assert explained(quoting, turn).reason == "forgotten"
    erasure.forget_turn(quoting.database, turn.id, "U1")
    explanation_jobs.explain(quoting, turn.id)
    jobs.answer(quoting, turn.id)
    assert reload(quoting, turn).is_forgotten


def test_what_is_forgotten_while_a_follow_up_is_answered_does_not_come_back_with_it(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    first, _ = answered(asking)

    def forget_meanwhile() -> None:
        deadline = time.monotonic() + 10
        while len(model.received()) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        erasure.forget_turn(asking.database, first.id, "U1")

    model.pace(0.1)
    forgetter = threading.Thread(target=forget_meanwhile)
    forgetter.start()
    _, record = answered(asking, "And who pays it?", ts="1.6")
    forgetter.join()
    assert (record.completed.text, record.completed.forgotten, record.prompt) == (
        "And who pays it?",
        True,
        "",
    )


def test_a_model_that_writes_beyond_the_patience_keeps_its_question_open(
    filled: EvidenceStore, extractor: Extractor, llm_url: str, model: ScriptedModel
) -> None:
    model.say("word " * 20 + "and an end [1].")
    model.pace(0.1)
    chosen = Settings(llm_base_url=llm_url, answer_patience_s=DELIVERY_S + 1.0)
    hasty = dataclasses.replace(
        parts(filled, extractor, ChatModel(chosen, "sandbox-toy")), settings=chosen
    )
    turn, record = answered(hasty)
    assert record.answer.text == "word " * 20 + "and an end [1]."
    assert Note.INCOMPLETE not in record.answer.notes
    assert turn.finished_at is not None
    assert turn.finished_at - turn.asked_at > 1.0  # it was still writing at its deadline,
    assert turn.patience_from > turn.asked_at  # and nobody closed it as late


def test_an_explanation_is_sampled_as_its_answer_was(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    _, record = answered(asking)
    for sampled, sent in (("0.0", 0.0), ("none", None), ("0.7", 0.7)):
        model.reset()
        settings = {**record.settings, "llm_temperature": sampled, "llm_seed": "5"}
        as_sampled = record.model_copy(update={"settings": settings})
        replay.explain(asking, "t", as_sampled, replay.ExplanationWatch())
        bodies = [request["body"] for request in asked_for_answers(model)]
        assert {(body.get("temperature"), body["seed"]) for body in bodies} == {(sent, 5)}


def test_the_settings_that_made_an_answer_are_kept_with_it(quoting: WorkerParts) -> None:
    _, record = answered(quoting)
    assert record.settings["embedder"] == "bundled"
    assert set(record.settings) == {*Settings().of_answers, "prompts"}
