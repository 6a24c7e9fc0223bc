"""What may not reach the model's endpoint: no step sends it, and the answer says so."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, key, page, piece, put

from core.errors import KeptInside
from core.evidence import EvidenceStore
from core.models import Answer, Note
from core.policy.acl import OPEN_ID, Reader
from core.policy.model_routing import ModelRouting
from core.question import Completed
from core.settings import Settings
from core.usage import Usage
from evaluation.harness.as_indexed import AsIndexed
from sandbox.llm.client import ScriptedModel
from worker.bootstrap import build
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.chat_model import ChatModel
from worker.generation.generator import GeneratedAnswer, Generator
from worker.question.rewrite import Completer, Past, by_rules
from worker.suggestions.candidates import Answered
from worker.suggestions.from_model import Proposer

QUESTION = Completed(
    question="What does a hotel in Porto cost?", text="What does a hotel in Porto cost?"
)
TRAVEL, OPEN = page("1", "Travel", space="HR"), page("2", "Backups", space="ENG")
ON_TRAVEL, ON_OPEN = hit(piece(HOTEL, "1"), TRAVEL), hit(piece(BACKUP, "2"), OPEN)
FEW = Reader(frozenset({OPEN_ID, "few"}), "user:1")


def soon() -> float:
    return time.time() + 100


@pytest.fixture
def wiki(store: EvidenceStore) -> EvidenceStore:
    put(store, TRAVEL, piece(HOTEL, "1"))
    put(store, OPEN, piece(BACKUP, "2"))
    return store


def chat(wiki: EvidenceStore, llm_url: str, **more: Any) -> ChatModel:
    """A client that keeps the space HR inside, unless the settings say something else."""
    chosen = Settings(llm_base_url=llm_url, **({"llm_spaces": "ENG"} | more))
    assert chosen.model_endpoint is not None
    routing = ModelRouting.to(chosen.model_endpoint, chosen, wiki.database)
    return ChatModel(chosen, "sandbox-toy", routing)


def generate(
    chat: ChatModel, extractor: Extractor, *hits: Any, completed: Completed = QUESTION
) -> GeneratedAnswer:
    return Generator(chat, extractor).generate(completed, hits, deadline=soon())


def sent(model: ScriptedModel) -> str:
    return json.dumps([request["body"] for request in model.received()], ensure_ascii=False)


def test_an_answer_that_rests_on_what_is_kept_inside_is_quoted_and_says_why(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str, extractor: Extractor
) -> None:
    draft = generate(chat(wiki, llm_url), extractor, ON_TRAVEL, ON_OPEN)
    assert draft.answer.text == f"Travel [1]\n{HOTEL}"
    assert draft.answer.notes == (Note.KEPT_INSIDE,)
    assert (draft.answer.model, draft.prompt, draft.usage) == ("", "", Usage())
    assert model.received() == []


def test_what_the_answer_does_not_need_is_left_out_of_the_prompt(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str, extractor: Extractor
) -> None:
    asked = Completed(question="When does the backup run?", text="When does the backup run?")
    model.say("At two [1].")
    draft = generate(chat(wiki, llm_url), extractor, ON_OPEN, ON_TRAVEL, completed=asked)
    assert (draft.answer.text, draft.answer.notes) == ("At two [1].", ())
    assert draft.hits == (ON_OPEN,)
    assert "two in the morning" in sent(model)
    assert "hotel" not in sent(model)
    assert "Travel" not in sent(model)


def test_evidence_that_only_names_a_page_which_is_kept_inside_is_kept_inside_too(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str, extractor: Extractor
) -> None:
    naming = hit(piece("A hotel in Porto is under Travel.", "2", names=("1",)), OPEN)
    draft = generate(chat(wiki, llm_url), extractor, naming)
    assert draft.answer.notes[0] is Note.KEPT_INSIDE
    assert model.received() == []


def test_a_question_completed_by_what_is_kept_inside_is_not_sent(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str, extractor: Extractor
) -> None:
    completed = QUESTION.model_copy(update={"context": ("Travel",), "pages": (key("1"),)})
    draft = generate(chat(wiki, llm_url), extractor, ON_OPEN, completed=completed)
    assert Note.KEPT_INSIDE in draft.answer.notes
    assert model.received() == []


def test_restricted_pages_reach_an_endpoint_of_ones_own_and_none_outside(
    model: ScriptedModel, store: EvidenceStore, llm_url: str, extractor: Extractor
) -> None:
    put(store, TRAVEL, piece(HOTEL, "1"), acl_id="few")
    outside = chat(store, llm_url, llm_spaces="", llm_endpoint="outside")
    assert generate(outside, extractor, ON_TRAVEL).answer.notes == (Note.KEPT_INSIDE,)
    assert model.received() == []
    own = chat(store, llm_url, llm_spaces="")
    assert generate(own, extractor, ON_TRAVEL).answer.notes != (Note.KEPT_INSIDE,)
    assert HOTEL in sent(model)


def test_a_follow_up_to_what_is_kept_inside_is_completed_by_rules(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str
) -> None:
    history = [Past("What does a hotel cost?", HOTEL, "Travel", pages=frozenset({key("1")}))]
    routed = Completer(chat(wiki, llm_url))
    completed, usage = routed.complete("And in Spain?", history, deadline=soon())
    assert completed == by_rules("And in Spain?", history)
    assert (usage, model.received()) == (Usage(), [])


def test_no_questions_are_suggested_by_a_model_that_may_not_read_the_answer(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str
) -> None:
    turn = Answered(QUESTION, Answer(text=HOTEL), (ON_OPEN, ON_TRAVEL), ())
    assert Proposer(chat(wiki, llm_url)).propose(turn, deadline=soon()) == ([], Usage())
    assert model.received() == []


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"llm_spaces": ""}, {"HR", "ENG", "quokka"}),
        ({"llm_spaces": "ENG"}, set()),
        ({"llm_spaces": "", "llm_endpoint": "outside"}, {"HR", "ENG"}),
        ({"llm_spaces": "", "llm_excluded_labels": "quokka"}, set()),
    ],
)
def test_a_model_that_looks_for_filters_is_told_the_names_of_what_may_reach_it(
    model: ScriptedModel,
    wiki: EvidenceStore,
    llm_url: str,
    chosen: dict[str, str],
    told: set[str],
) -> None:
    put(wiki, page("3", "Pay", space="ENG", labels=("quokka",)), piece(LEAVE, "3"), acl_id="few")
    model.say("[]")
    question = "Which pages did the planner update lately?"
    completed = Completed(question=question, text=question)
    routed = chat(wiki, llm_url, **chosen)
    filters = Filters(Vocabularies(wiki.database).of, routed, lambda: date(2026, 11, 22))
    filters.find(completed, FEW, deadline=soon())
    assert {name for name in ("HR", "ENG", "quokka") if f"{name}" in sent(model)} == told


def test_the_calls_of_an_explanation_are_held_to_the_same(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str, extractor: Extractor
) -> None:
    generator, routed = Generator(None, extractor), chat(wiki, llm_url)

    async def ask() -> None:
        async with routed.at_once() as many:
            await generator.ask_again(many, QUESTION, [ON_TRAVEL])

    with pytest.raises(KeptInside, match=r"may not reach 127\.0\.0\.1"):
        asyncio.run(ask())
    assert model.received() == []


def test_an_answer_is_scored_on_no_page_that_may_not_reach_the_endpoint(
    model: ScriptedModel, wiki: EvidenceStore, llm_url: str, extractor: Extractor
) -> None:
    generator, routed = Generator(None, extractor), chat(wiki, llm_url)

    async def ask() -> None:
        async with routed.at_once() as many:
            await generator.score(many, QUESTION, [ON_TRAVEL], "110 EUR.")

    with pytest.raises(KeptInside, match=r"may not reach 127\.0\.0\.1"):
        asyncio.run(ask())
    assert model.received() == []


def test_every_model_of_a_worker_asks_before_it_gets_text(
    tmp_path: Path, llm_url: str, chroma_url: str, redis_url: str
) -> None:
    chosen = Settings(
        llm_base_url=llm_url,
        llm_model="small",
        llm_models="big",
        llm_explain_model="other",
        llm_spaces="ENG",
        suggestions="model",
        data_dir=tmp_path,
        chroma_url=chroma_url,
        redis_url=redis_url,
    )
    parts = build(chosen, AsIndexed())
    found = models(parts)
    assert {each.name for each in found} == {"small", "big", "other"}
    assert all(each.routing and each.routing.spaces == {"ENG"} for each in found)


def models(part: object, seen: set[int] | None = None) -> list[ChatModel]:
    """All chat models among the parts of these parts."""
    seen = set() if seen is None else seen
    if isinstance(part, ChatModel):
        return [part]
    if id(part) in seen or not type(part).__module__.startswith(("worker", "builtins")):
        return []
    seen.add(id(part))
    if isinstance(part, dict):
        inside = list(part.values())
    else:
        inside = list(getattr(part, "__dict__", {}).values())
    return [model for each in inside for model in models(each, seen)]
