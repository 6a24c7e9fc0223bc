"""What leaves the company, as Home and the details say it."""

from __future__ import annotations

import json

import pytest
from desk import check, record

from bot.views.leaves import build_leaves
from bot.views.trace import build_trace
from core.language.sentences import sentences
from core.policy.model_routing import Leaving, leaving
from core.settings import Settings
from core.settings.endpoints import Endpoint
from core.settings.values import MessagesBy, SupportBy
from core.usage import Usage

SAY = sentences("en")
OUTSIDE, OWN = Endpoint("api.example.com", outside=True), Endpoint("gpu", outside=False)


def said(facts: Leaving, language: str = "en") -> str:
    blocks = build_leaves(sentences(language), facts)
    check(blocks)
    return json.dumps(blocks, ensure_ascii=False)


def test_without_a_model_nothing_leaves_but_by_slack() -> None:
    shown = said(Leaving(spaces=("HR",)))
    assert SAY("leaves-slack") in shown
    assert SAY("leaves-no-model") in shown
    assert "HR" not in shown


def test_each_endpoint_is_named_with_where_it_is_and_what_is_kept_from_it() -> None:
    shown = said(Leaving(OUTSIDE, reranker=OWN, spaces=("HR", "E&G"), excluded_labels=("secret",)))
    assert "language model at `api.example.com`, outside your own network" in shown
    assert "go to `gpu`, inside your own network" in shown
    assert SAY("leaves-spaces", spaces="HR, E&amp;G") in shown
    assert SAY("leaves-labels", labels="secret") in shown
    assert SAY("leaves-no-restricted") in shown


def test_restricted_pages_are_spoken_of_where_an_endpoint_is_outside() -> None:
    assert SAY("leaves-restricted-too") in said(Leaving(OUTSIDE, restricted=True))
    own = said(Leaving(OWN))
    assert SAY("leaves-no-restricted") not in own
    assert SAY("leaves-restricted-too") not in own


@pytest.mark.parametrize("language", ["en", "de"])
def test_many_names_are_counted(language: str) -> None:
    shown = said(Leaving(OUTSIDE, spaces=tuple(f"S{n}" for n in range(200))), language)
    assert "S9" in shown
    assert "S10" not in shown
    assert sentences(language)("and-more", count=190) in shown


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("https://api.example.com/v1", "api.example.com, outside your own network"),
        ("http://gpu:8000/v1", "gpu, inside your own network"),
    ],
)
def test_the_details_say_which_endpoint_the_text_of_this_answer_went_to(
    url: str, where: str
) -> None:
    settings = Settings(llm_base_url=url).of_answers
    made = record().model_copy(update={"settings": settings, "usage": Usage(calls=1)})
    assert where in json.dumps(build_trace(SAY, made))
    quoted = made.model_copy(update={"usage": Usage()})
    assert where not in json.dumps(build_trace(SAY, quoted))


def test_where_messages_may_go_too_it_is_said() -> None:
    assert SAY("leaves-messages") in said(Leaving(OUTSIDE, messages=True))
    assert SAY("leaves-messages") not in said(Leaving(OUTSIDE))
    there = Settings(llm_base_url="https://llm.example/v1", llm_model="any")
    assert leaving(there).messages
    for off in (
        {"messages_by": MessagesBy.READER},
        {"support_by": SupportBy.RULES},
        {"llm_base_url": None},
    ):
        assert not leaving(there.model_copy(update=off)).messages
