"""How likely a text is: asked of endpoints that tell as vLLM, as llama.cpp, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from math import isclose

import pytest
from starlette.applications import Starlette

from core.errors import NoScores
from core.settings import Settings
from sandbox.http.server import running
from sandbox.llm.app import build_app
from sandbox.llm.scores import LIKELY, NOISE, UNLIKELY
from sandbox.llm.scoring import build
from sandbox.llm.scripted import toy
from worker.generation.chat_model import ChatModel
from worker.generation.endpoint.token_scores import FLOOR, Scores, placed

PROMPT = "[1] Travel\nA hotel in Porto costs 110 EUR.\nQuestion: What is a hotel in Porto?\n"
NOTHING = "Question: What is a hotel in Porto?\n"
TEXT = "A hotel in Porto costs 110 EUR."
NUMBER = slice(TEXT.index("110"), TEXT.index("110") + 3)


@contextmanager
def endpoint(app: Starlette) -> Iterator[ChatModel]:
    with running(app) as url:
        yield ChatModel(Settings(llm_base_url=f"{url}/v1"), "any")


def scored(chat: ChatModel, prompt: str = PROMPT) -> Scores:
    async def ask() -> Scores:
        async with chat.at_once() as many:
            scores, _usage = await many.score(prompt, TEXT, pages=(), system="rules")
            return scores

    return asyncio.run(ask())


@pytest.mark.parametrize("as_vllm", [True, False])
def test_what_the_evidence_says_is_likely_with_it_and_not_without_it(as_vllm: bool) -> None:
    with endpoint(build(toy, as_vllm=as_vllm)) as chat:
        there, away = scored(chat), scored(chat, NOTHING)
    assert there.of(NUMBER.start, NUMBER.stop) > LIKELY - 5 * NOISE
    assert away.of(NUMBER.start, NUMBER.stop) < UNLIKELY + 5 * NOISE


def test_how_an_endpoint_tells_is_asked_once() -> None:
    app = build(toy, as_vllm=False)
    with endpoint(app) as chat:
        scored(chat)
        scored(chat)
    asked = ["prompt_logprobs" in body for body in app.state.received]
    assert asked == [True, False, False, False]


def test_no_page_is_in_what_is_asked_to_find_out_whether_an_endpoint_tells() -> None:
    app = build_app()
    with endpoint(app) as chat, pytest.raises(NoScores):
        scored(chat)
    assert "Porto" not in str(app.state.received)


def test_an_answer_that_is_forced_costs_no_more_than_its_tokens() -> None:
    app = build(toy, as_vllm=False)
    with endpoint(app) as chat:
        scored(chat)
    assert app.state.received[-1]["max_tokens"] == len(TEXT.split())


def test_an_endpoint_that_does_not_tell_is_not_asked_again() -> None:
    app = build_app()
    with endpoint(app) as chat:
        for _ in range(2):
            with pytest.raises(NoScores, match="LLM_BASE_URL does not tell"):
                scored(chat)
    assert len(app.state.received) == 1


def test_an_endpoint_that_is_down_may_tell_later() -> None:
    chat = ChatModel(Settings(llm_base_url="http://127.0.0.1:9/v1", llm_timeout_s=1), "any")
    for _ in range(2):  # it is not remembered for one that does not tell
        with pytest.raises(NoScores, match="does not say how it scores"):
            scored(chat)


def test_a_prompt_that_ends_with_another_text_has_no_scores_of_this_one() -> None:
    assert placed(TEXT, [("The", -1.0), (" canteen.", -1.0)]) is None
    assert placed(TEXT, [(" 110", -1.0), (" EUR.", -1.0)]) is None


def test_parts_of_a_character_do_not_move_what_stands_before_them() -> None:
    tokens = [("Für", -1.0), (" 5", -2.0), (" \ufffd", -3.0), ("\ufffd", -4.0), (" Tage.", -5.0)]
    found = placed("Für 5 € Tage.", tokens)
    assert found is not None
    assert isclose(found.of(4, 5), -2.0)


def test_what_an_endpoint_finds_impossible_is_as_good_as_never_and_can_be_kept() -> None:
    found = placed("An ox", [("An", -3.4e38), (" ox", -1.25)])
    assert found is not None
    assert Scores.from_text(found.as_text()) == found
    assert found.of(0, 2) == FLOOR
