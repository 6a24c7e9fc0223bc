"""What a channel or a person has chosen, on the way of a question.

Where it is looked for, how it is answered, and how it is explained.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping

import pytest
from test_jobs import answered, explained, parts
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece, put, searching

from core.evidence import EvidenceStore, Query
from core.evidence.blocks import Blocks
from core.evidence.ranking.weights import PRODUCT
from core.manner import Context, Length, Manner, Mode, Tone
from core.models import Note
from core.policy import preferences
from core.policy.acl import EVERYBODY
from core.policy.preferences import Preferences
from core.question import Completed, Condition, Field, QuestionKind
from core.settings import Settings
from sandbox.llm.client import ScriptedModel
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.answer_prompt import answer_prompt
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.generation.second_reader.model_reader import ModelReader
from worker.pipeline.steps import MANY_PIECES
from worker.question.rewrite import Completer
from worker.retrieval.whole_pages import WholePages
from worker.suggestions.suggester import Suggester

OTHER_HOTEL = "A hotel in Porto costs about 300 EUR in the harbour week, says the brochure."
PORTO = "What does a hotel in Porto cost?"


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    put(store, page("1", "Leave"), piece(LEAVE, "1"), piece(BACKUP, "1"))
    put(store, page("2", "Travel policy"), piece(HOTEL, "2"))
    put(store, page("3", "Porto brochure", space="MKT"), piece(OTHER_HOTEL, "3"))
    return store


@pytest.fixture
def quoting(filled: EvidenceStore, extractor: Extractor) -> WorkerParts:
    made = parts(filled, extractor, None)
    evidence = searching(filled)
    pipeline = dataclasses.replace(
        made.pipeline,
        completer=Completer(None, evidence),
        filters=Filters(Vocabularies(filled.database).of),
        suggester=Suggester(evidence),
    )
    return dataclasses.replace(made, pipeline=pipeline)


def choose(made: WorkerParts, owner: str = "C1", **chosen: object) -> None:
    preferences.save(made.database, "T1", owner, Preferences.model_validate(chosen))


def titles(made: WorkerParts, question: str = PORTO, ts: str = "1.5") -> set[str]:
    return {
        shown.page.title
        for found in answered(made, question, ts)[1].hits
        for shown in found.everywhere
    }


def test_only_the_chosen_spaces_are_searched_and_the_answer_says_so(quoting: WorkerParts) -> None:
    assert {"Travel policy", "Porto brochure"} <= titles(quoting)
    choose(quoting, spaces=["MKT"])
    _, record = answered(quoting, ts="2.5")
    assert {found.page.title for found in record.hits} == {"Porto brochure"}
    assert (record.manner.spaces, record.answer.searched) == (("MKT",), ("MKT",))


def test_neither_a_filter_nor_its_failure_leads_out_of_the_chosen_spaces(
    quoting: WorkerParts,
) -> None:
    choose(quoting, spaces=["MKT"])
    _, record = answered(quoting, f"{PORTO[:-1]} in HR?")
    assert Note.CONDITIONS_DROPPED in record.answer.notes
    assert {found.page.space for found in record.hits} == {"MKT"}


def test_a_follow_up_is_not_completed_from_a_page_outside_of_them(quoting: WorkerParts) -> None:
    answered(quoting, PORTO, "1.5")
    choose(quoting, spaces=["MKT"])
    _, record = answered(quoting, "And in the harbour week?", "2.5")
    assert "Travel policy" not in record.completed.text
    assert {found.page.space for found in record.hits} <= {"MKT"}


def test_a_space_that_is_not_there_any_more_does_not_silence_a_channel(
    quoting: WorkerParts,
) -> None:
    choose(quoting, spaces=["OLD"])
    _, record = answered(quoting)
    assert record.manner.spaces == ()
    assert record.hits


def test_by_words_alone_nothing_is_found_by_meaning_and_the_other_way_round(
    filled: EvidenceStore,
) -> None:
    search = searching(filled)

    def scores(mode: Mode) -> list[tuple[float, float]]:
        return [
            (found.lexical, found.dense)
            for found in search.search(Query("hotel cost", mode=mode), 10).hits
        ]

    assert all(lexical > 0 and dense == 0 for lexical, dense in scores(Mode.WORDS))
    assert {lexical > 0 for lexical, _ in scores(Mode.MEANING)} == {True, False}
    assert not search.search(Query("hotel", mode=Mode.WORDS), 10).words_only


@pytest.mark.parametrize("mode", Mode)
def test_the_weights_of_what_is_left_add_up_to_the_same(mode: Mode) -> None:
    ranking = PRODUCT.by(mode)
    assert ranking.lexical + ranking.page + ranking.dense == pytest.approx(1.0)


def test_how_sure_a_search_by_words_alone_is_nobody_says(quoting: WorkerParts) -> None:
    assert answered(quoting)[1].answer.confidence
    choose(quoting, mode="words")
    _, record = answered(quoting, ts="2.5")
    assert (record.answer.confidence, record.manner.mode) == (None, Mode.WORDS)


def test_as_many_pieces_are_searched_for_as_somebody_wants(quoting: WorkerParts) -> None:
    choose(quoting, evidence=3)
    assert len(answered(quoting)[1].hits) <= 3


def test_the_model_is_told_length_tone_and_language() -> None:
    asked = Completed(question=PORTO, text=PORTO, kind=QuestionKind.CONFIRMATION)
    plain = answer_prompt(asked, [hit(HOTEL)])
    chosen = answer_prompt(
        asked, [hit(HOTEL)], manner=Manner(length=Length.LONG, tone=Tone.FORMAL, language="German")
    )
    assert "Length:" not in plain.system
    assert "Tone:" not in plain.system
    assert plain.system.count("the language of the question") == 3
    assert "Answer in German, briefly" in chosen.system
    assert "yes or no, in German" in chosen.system
    assert "Length: in full" in chosen.system
    assert "Tone: formal" in chosen.system
    assert chosen.user == plain.user


@pytest.mark.parametrize(("length", "quotes"), [(Length.SHORT, 1), (Length.NORMAL, 2)])
def test_short_answers_quote_once(extractor: Extractor, length: Length, quotes: int) -> None:
    hits = [
        hit("The crane stops at 20 m/s of wind."),
        hit("The crane stops at 22 m/s of wind.", page("2", "Storm plan")),
    ]
    asked = Completed(question="When does the crane stop?", text="When does the crane stop?")
    text = extractor.extract(asked, hits, length)
    assert text is not None
    assert text.count("The crane stops at") == quotes


def test_the_chosen_model_answers_and_one_that_is_not_there_any_more_is_the_default(
    chat: ChatModel, extractor: Extractor, llm_url: str
) -> None:
    others: Mapping[str, ChatModel] = {"big": ChatModel(Settings(llm_base_url=llm_url), "big")}
    generator = Generator(chat, extractor, others=others)

    def model(name: str) -> str:
        chosen = generator.in_manner(Manner(model=name)).model
        return chosen.name if chosen else ""

    assert (model("big"), model("older"), model("")) == ("big", chat.name, chat.name)


def test_an_explanation_answers_again_as_the_answer_was_made(
    filled: EvidenceStore, extractor: Extractor, chat: ChatModel, model: ScriptedModel, llm_url: str
) -> None:
    made = parts(filled, extractor, chat)
    settings = Settings(llm_base_url=llm_url, llm_model=chat.name, llm_models="big")
    generator = Generator(chat, extractor, others={"big": ChatModel(settings, "big")})
    pipeline = dataclasses.replace(made.pipeline, generator=generator)
    made = dataclasses.replace(made, settings=settings, pipeline=pipeline, explainer=generator)
    choose(made, model="big", length="short", tone="formal")
    turn, record = answered(made)
    assert (record.answer.model, record.manner.model) == ("big", "big")
    choose(made)  # what was chosen since does not count
    model.reset()
    request = explained(made, turn)
    assert request.result is not None
    bodies = [call["body"] for call in model.received()]
    assert {body["model"] for body in bodies} == {"big"}
    # One only asks whether the endpoint tells log-probabilities.
    bodies = [body for body in bodies if "prompt_logprobs" not in body]
    assert all("Tone: formal" in body["messages"][0]["content"] for body in bodies)


def test_a_direct_message_is_answered_as_the_person_likes_it(quoting: WorkerParts) -> None:
    choose(quoting, "U1", spaces=["MKT"])
    assert answered(quoting)[1].manner.spaces == ()  # in a channel


def test_without_an_endpoint_there_is_no_model_to_choose() -> None:
    settings = Settings(llm_base_url="http://127.0.0.1:1/v1", llm_model="m", llm_models="n, o, m")
    assert settings.llm_model_names == ("m", "n", "o")
    assert Settings(llm_models="n").llm_model_names == ()


def test_the_pipeline_itself_searches_only_where_the_manner_says(quoting: WorkerParts) -> None:
    record = quoting.pipeline.answer(
        PORTO, [], deadline=time.time() + 100, reader=EVERYBODY, manner=Manner(spaces=("MKT",))
    )
    assert {found.page.space for found in record.hits} == {"MKT"}


def test_a_condition_on_a_space_does_not_widen_what_is_searched(filled: EvidenceStore) -> None:
    asked = Query("hotel", conditions=(Condition(field=Field.SPACE, value="HR"),))
    found = searching(filled).search(asked, 10, EVERYBODY.within(["MKT"]))
    assert found.conditions_dropped
    assert {each.page.space for each in found.hits} == {"MKT"}


def test_whole_pages_are_read_where_that_is_chosen_and_the_record_says_so(
    quoting: WorkerParts,
) -> None:
    whole = WholePages(Blocks(quoting.database))
    made = dataclasses.replace(
        quoting, pipeline=dataclasses.replace(quoting.pipeline, whole_pages=whole)
    )
    assert not any(found.block for found in answered(made)[1].hits)
    choose(made, context="pages")
    _, record = answered(made, "How many days of leave does Porto have?", "2.5")
    assert record.manner.context is Context.PAGES
    assert record.answer.confidence
    leave = next(found for found in record.hits if found.page.title == "Leave")
    assert {leave.evidence.text, *(each.text for each in leave.block)} == {LEAVE, BACKUP}


@pytest.mark.parametrize(
    ("chosen", "passed", "context", "evidence"),
    [
        (Manner(), True, Context.PAGES, MANY_PIECES),
        (Manner(), False, Context.FRAGMENTS, 0),
        (Manner(evidence=5), True, Context.PAGES, 5),
        (Manner(context=Context.FRAGMENTS), True, Context.FRAGMENTS, 0),
        (Manner(context=Context.PAGES), False, Context.PAGES, 0),
    ],
)
def test_who_has_passed_the_exam_reads_more_where_nobody_has_chosen(
    quoting: WorkerParts,
    chat: ChatModel,
    extractor: Extractor,
    chosen: Manner,
    passed: bool,
    context: Context,
    evidence: int,
) -> None:
    steps = dataclasses.replace(
        quoting.pipeline,
        generator=Generator(chat, extractor),
        second_reader=ModelReader(6000, lambda _model: passed),
    )
    decided = steps.decided(chosen)
    assert (decided.context, decided.evidence) == (context, evidence)


def test_without_a_model_nobody_reads_more(quoting: WorkerParts) -> None:
    steps = dataclasses.replace(quoting.pipeline, second_reader=ModelReader(6000))
    assert steps.decided(Manner()).context is Context.FRAGMENTS
