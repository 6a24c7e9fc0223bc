"""The model with planted evidence: what it says depends on evidence, how it says it on chance."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import httpx
import openai
import pytest

from sandbox.http.server import running
from sandbox.llm.app import build_app
from sandbox.llm.client import ScriptedModel
from sandbox.llm.planted import Fact, Plan, WrongPlan, answer, evidence_of, worded
from sandbox.llm.scripted import NO_ANSWER

LOAD = "A Lumo SkyLift 3180 carries at most 740 kg on the long arm."
COPY = "The Lumo SkyLift 3180 carries at most 740 kg on the long arm."
WIND = "Above 12 metres per second no SkyLift is raised."
PARK = "Bicycles stand behind the rope store."
SAYS = ("{It carries|It lifts} 740 kg.", "{At most|Up to} 740 kg{| on the long arm}.")
PROMPT = (
    f"<<<EVIDENCE\n[1] Parking\n    {PARK}\n\n[2] Hoists › SkyLift\n    {LOAD}\nEVIDENCE>>>\n\n"
    "Question: How much may it carry?"
)


def said(plan: Plan, *evidence: str, seed: int = 0) -> str:
    return answer(plan, evidence, Random(seed))


def many(plan: Plan, *evidence: str) -> set[str]:
    return {said(plan, *evidence, seed=seed) for seed in range(60)}


def test_a_fact_is_said_only_with_its_evidence_and_cites_its_place() -> None:
    plan = Plan((Fact(("740 kg.",), any_of=(LOAD, COPY)),))
    assert said(plan, PARK, LOAD) == "740 kg. [2]"
    assert said(plan, COPY, PARK, LOAD) == "740 kg. [3]"
    assert said(plan, PARK) == said(plan) == NO_ANSWER


def test_what_needs_two_pieces_is_not_said_with_one_of_them() -> None:
    plan = Plan((Fact(("Not today.",), all_of=(LOAD, WIND)),), missing=("Unknown.",))
    assert said(plan, WIND, PARK, LOAD) == "Not today. [3] [1]"
    assert said(plan, WIND) == said(plan, LOAD) == "Unknown."


def test_a_fact_gives_way_to_another_one_and_some_need_nothing() -> None:
    plan = Plan((Fact(("740 kg.",), any_of=(LOAD,)), Fact(("700 kg.",), unless=(LOAD,))))
    assert (said(plan, LOAD), said(plan, PARK)) == ("740 kg. [1]", "700 kg.")


def test_the_wording_varies_and_the_fact_does_not() -> None:
    plan = Plan(
        (Fact(SAYS, any_of=(LOAD,)),),
        openings=("", "In short:"),
        closings=("", "Ask the yard."),
        extras=("That is all.",),
    )
    answers = many(plan, LOAD)
    assert len(answers) > 12
    assert all("740 kg" in each and "[1]" in each for each in answers)
    assert said(plan, LOAD, seed=5) == said(plan, LOAD, seed=5)


def test_facts_come_in_any_order_unless_the_plan_keeps_it() -> None:
    facts = (Fact(("One.",)), Fact(("Two.",)))
    assert many(Plan(facts)) == {"One. Two.", "Two. One."}
    assert many(Plan(facts, in_order=True)) == {"One. Two."}


def test_an_unsteady_model_leaves_a_fact_out_or_says_it_vaguely_as_often_as_told() -> None:
    facts = (
        Fact(("740 kg.",), any_of=(LOAD,), vaguely=("Quite a lot.",)),
        Fact(("Mind the wind.",)),
    )
    drawn = [said(Plan(facts, unsteady=0.2), LOAD, seed=seed) for seed in range(500)]
    assert 60 < sum("Quite a lot." in each for each in drawn) < 140
    assert 60 < sum("Mind the wind." not in each for each in drawn) < 140
    assert all("Quite a lot." not in each for each in many(Plan(facts), LOAD))


def test_choices_may_stand_within_choices() -> None:
    assert {worded("{a|b{c|d}}", Random(seed)) for seed in range(30)} == {"a", "bc", "bd"}


def test_a_plan_survives_the_way_through_json() -> None:
    plan = Plan(
        (Fact(SAYS, any_of=(LOAD,), unless=(WIND,)),),
        openings=("So:",),
        unsteady=0.1,
        in_order=True,
    )
    assert Plan.from_json(plan.as_json()) == plan


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"facts": []},
        {"facts": [{}]},
        {"facts": [{"says": ["a"], "when": 1}]},
        {"facts": [{"says": ["a"]}], "mood": "good"},
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(sent: dict[str, object]) -> None:
    with pytest.raises(WrongPlan):
        Plan.from_json(sent)


def test_the_evidence_of_a_prompt_is_read_in_its_order() -> None:
    assert [text.split("\n")[0] for text in evidence_of(PROMPT)] == ["Parking", "Hoists › SkyLift"]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with running(build_app()) as url:
        yield f"{url}/v1"


@pytest.fixture
def model(base_url: str) -> Iterator[ScriptedModel]:
    with ScriptedModel(base_url) as model:
        model.reset()
        yield model


@pytest.fixture
def llm(base_url: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(
        base_url=base_url, api_key="not-a-real-key", max_retries=0, timeout=60
    ) as llm:
        yield llm


def ask(llm: openai.OpenAI, text: str = PROMPT) -> str:
    content: str | None = (
        llm.chat.completions.create(
            model="sandbox-toy", messages=[{"role": "user", "content": text}]
        )
        .choices[0]
        .message.content
    )
    return content or ""


def test_over_http_each_call_has_its_own_wording_and_the_same_seed_gives_the_same_answers(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    plan = Plan((Fact(SAYS, any_of=(LOAD,)),))
    model.plant(plan, seed=4)
    first = [ask(llm) for _ in range(8)]
    model.plant(plan, seed=4)
    assert [ask(llm) for _ in range(8)] == first
    assert len(set(first)) > 2
    assert all(each.endswith("[2]") for each in first)


def test_over_http_the_answer_depends_on_the_evidence_and_other_tasks_go_to_the_toy(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    model.plant(Plan((Fact(("740 kg.",), any_of=(LOAD,)),)))
    assert ask(llm, PROMPT.replace("740", "500")) == NO_ANSWER
    assert (
        ask(llm, "Task: complete the question\nQuestion: How much may a SkyLift carry in Kassel?")
        == "How much may a SkyLift carry in Kassel?"
    )


def test_a_wrong_plan_is_a_bad_request(base_url: str) -> None:
    for sent in (
        {"mode": "planted"},
        {"mode": "planted", "plan": {"facts": []}},
        {"mode": "planned"},
    ):
        assert (
            httpx.post(
                f"{base_url.removesuffix('/v1')}/sandbox/script", json=sent, trust_env=False
            ).status_code
            == 400
        )


def test_the_endpoint_counts_calls_and_how_many_were_at_the_same_time(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    model.delay(0.1)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: ask(llm), range(7)))
    load = model.load()
    assert (load.calls, load.now, load.most) == (7, 0, 3)
    model.reset()
    assert (model.load().calls, model.load().most) == (0, 0)


def test_calls_that_a_fault_answers_are_counted_too_and_end(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    model.fault(status=429, retry_after=1)
    with pytest.raises(openai.RateLimitError) as raised:
        ask(llm)
    assert raised.value.response.headers["Retry-After"] == "1"
    assert (model.load().calls, model.load().now) == (1, 0)
