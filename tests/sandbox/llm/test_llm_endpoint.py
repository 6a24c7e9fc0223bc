"""The scripted model, through OpenAI's own client."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from sandbox.http.server import running
from sandbox.llm.app import build_app
from sandbox.llm.client import ScriptedModel

KEY = "not-a-real-key"
PROMPT = (
    "[1] Leave\nPorto has 25 days.\n[2] Travel\nA hotel in Porto costs up to 110 EUR.\n"
    "Question: How much is a hotel in Porto?\n"
)


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
    with openai.OpenAI(base_url=base_url, api_key=KEY, max_retries=0, timeout=60) as llm:
        yield llm


def ask(llm: openai.OpenAI, text: str = PROMPT, **more: Any) -> Any:
    return llm.chat.completions.create(
        model="sandbox-toy", messages=[{"role": "user", "content": text}], **more
    )


def said(llm: openai.OpenAI, text: str = PROMPT) -> str:
    content: str = ask(llm, text).choices[0].message.content
    return content


def test_streaming_yields_the_same_text_as_not_streaming(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    chunks = list(ask(llm, stream=True))
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert streamed == said(llm) == "A hotel in Porto costs up to 110 EUR. [2]"
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert all(chunk.usage is None for chunk in chunks)


def test_a_stream_tells_its_usage_in_a_last_chunk_without_choices_when_asked(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    *_, last = ask(llm, stream=True, stream_options={"include_usage": True})
    assert last.choices == []
    assert last.usage == ask(llm).usage
    assert last.usage.total_tokens == last.usage.prompt_tokens + last.usage.completion_tokens > 10


def test_a_stream_ends_with_its_end_mark(model: ScriptedModel, base_url: str) -> None:
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "x"}]}
    reply = httpx.post(f"{base_url}/chat/completions", json=body, trust_env=False)
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.text.endswith("data: [DONE]\n\n")


def test_an_answer_that_is_too_long_says_so(model: ScriptedModel, llm: openai.OpenAI) -> None:
    choice = ask(llm, max_completion_tokens=3).choices[0]
    assert (choice.message.content, choice.finish_reason) == ("A hotel in", "length")


def test_canned_answers_come_in_order_before_the_script(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    model.say("one", "two")
    assert [said(llm), said(llm), said(llm)] == [
        "one",
        "two",
        "A hotel in Porto costs up to 110 EUR. [2]",
    ]


def test_the_model_repeats_or_varies_when_told_to(model: ScriptedModel, llm: openai.OpenAI) -> None:
    model.mode("echo")
    assert said(llm, "hello") == "hello"
    model.mode("vary", seed=4)
    first = [said(llm) for _ in range(6)]
    model.mode("vary", seed=4)
    assert [said(llm) for _ in range(6)] == first
    assert len(set(first)) > 1
    assert all(answer.endswith("A hotel in Porto costs up to 110 EUR. [2]") for answer in first)


def test_the_pace_is_one_pause_for_each_word(model: ScriptedModel, llm: openai.OpenAI) -> None:
    model.pace(0.02)
    began = time.monotonic()
    list(ask(llm, stream=True))
    assert time.monotonic() - began > 0.15


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, openai.AuthenticationError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
    ],
)
def test_an_ordered_status_is_the_error_that_the_client_knows(
    model: ScriptedModel, llm: openai.OpenAI, status: int, error: type[openai.APIStatusError]
) -> None:
    model.fault(status=status)
    with pytest.raises(error) as raised:
        ask(llm)
    assert raised.value.body is not None
    assert said(llm)


def test_a_dropped_stream_breaks_in_the_middle(model: ScriptedModel, llm: openai.OpenAI) -> None:
    model.fault(drop=True)
    with pytest.raises(openai.APIConnectionError):
        list(ask(llm, stream=True))


def test_a_slow_answer_runs_into_the_clients_timeout(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    model.fault(delay_s=0.5)
    with pytest.raises(openai.APITimeoutError):
        ask(llm, timeout=0.1)


def test_garbage_is_no_answer(model: ScriptedModel, llm: openai.OpenAI) -> None:
    model.fault(garbage=True)
    with pytest.raises(ValueError, match="Expecting value"):
        ask(llm)


def test_a_request_without_messages_is_a_bad_request(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    with pytest.raises(openai.BadRequestError, match="messages"):
        llm.chat.completions.create(model="m", messages=[])


def test_every_request_is_remembered_even_a_failed_one_and_no_key_is(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    model.fault(status=500)
    with pytest.raises(openai.InternalServerError):
        ask(llm, "first")
    ask(llm, "second", temperature=0)
    received = model.received()
    assert [r["body"]["messages"][0]["content"] for r in received] == ["first", "second"]
    assert received[1]["body"]["temperature"] == 0
    assert KEY not in str(received)


def test_embeddings_are_the_same_for_the_same_text_and_near_for_shared_words(
    model: ScriptedModel, llm: openai.OpenAI
) -> None:
    texts = ["hotel in Porto", "hotel in Porto", "a hotel", "gateway"]
    vectors = [item.embedding for item in llm.embeddings.create(model="m", input=texts).data]
    as_lists = (
        llm.embeddings.create(model="m", input=texts[:1], encoding_format="float").data[0].embedding
    )
    dots = [sum(a * b for a, b in zip(vectors[0], other, strict=True)) for other in vectors]
    assert dots[1] == pytest.approx(1, abs=1e-5)
    assert dots[2] > dots[3]
    assert as_lists == pytest.approx(vectors[0], abs=1e-6)


def test_the_endpoint_names_its_model(model: ScriptedModel, llm: openai.OpenAI) -> None:
    assert [m.id for m in llm.models.list()] == ["sandbox-toy"]
