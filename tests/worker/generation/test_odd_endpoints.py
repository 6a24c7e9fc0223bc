"""Endpoints that do what the protocol does not promise are answered from all the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from core.errors import ModelUnavailable
from core.settings import Settings
from sandbox.http.server import running
from sandbox.llm.odd import ANSWER, ODD, USAGE, Odd, build
from worker.generation.chat_model import ChatModel, ignore_text
from worker.generation.endpoint import waiting
from worker.generation.endpoint.reply import Reply

REFUSED = {
    "refuses stream_options": {"stream_options"},
    "refuses a temperature": {"temperature"},
    "refuses a seed": {"seed"},
    "refuses several": {"stream_options", "temperature", "seed"},
    "refuses to stream": {"stream", "stream_options"},
    "does not stream": {"stream", "stream_options"},
}
OPTIONAL = {"stream", "stream_options", "temperature", "seed"}


@contextmanager
def endpoint(odd: Odd) -> Iterator[tuple[ChatModel, list[dict[str, Any]]]]:
    """A client of such an endpoint, and the bodies that the endpoint has received."""
    app = build(odd)
    with running(app) as url:
        yield ChatModel(Settings(llm_base_url=f"{url}/v1"), "any"), app.state.received


def written(chat: ChatModel, pieces: list[str] | None = None, wait_s: float = 20) -> Reply:
    on_text = ignore_text if pieces is None else pieces.append
    return chat.written(
        "How long?", system="rules", pages=(), deadline=time.time() + wait_s, on_text=on_text
    )


@pytest.mark.parametrize("name", ODD)
def test_an_odd_endpoint_gives_its_answer_and_the_whole_of_it(name: str) -> None:
    with endpoint(ODD[name]) as (chat, _):
        reply = written(chat)
    assert (reply.text, reply.whole) == (ANSWER, True)


@pytest.mark.parametrize("name", sorted(ODD.keys() - {"reasons without a beginning"}))
def test_nothing_but_the_answer_is_streamed(name: str) -> None:
    pieces: list[str] = []
    with endpoint(ODD[name]) as (chat, _):
        written(chat, pieces)
    assert "".join(pieces) == ANSWER


@pytest.mark.parametrize("name", REFUSED)
def test_what_an_endpoint_refuses_is_left_out_and_remembered(name: str) -> None:
    with endpoint(ODD[name]) as (chat, received):
        written(chat)
        asked = len(received)
        assert written(chat).text == ANSWER
    assert len(received) == asked + 1
    assert OPTIONAL - received[0].keys() == set()
    assert OPTIONAL - received[-1].keys() == REFUSED[name]


@pytest.mark.parametrize("name", ["knows no system role", "its template knows no system role"])
def test_instructions_that_no_role_takes_stand_above_the_question(name: str) -> None:
    with endpoint(ODD[name]) as (chat, received):
        written(chat)
    assert received[-1]["messages"] == [{"role": "user", "content": "rules\n\nHow long?"}]


@pytest.mark.parametrize("name", ["counts in every chunk", "sends null"])
def test_tokens_are_counted_once_wherever_they_stand(name: str) -> None:
    with endpoint(ODD[name]) as (chat, _):
        usage = written(chat).usage
    counted = (usage.prompt_tokens, usage.completion_tokens)
    assert counted == (USAGE["prompt_tokens"], USAGE["completion_tokens"])


def test_a_server_that_fails_twice_is_not_asked_a_third_time() -> None:
    failing = Odd(fails_first=(503, 500))
    with endpoint(failing) as (chat, received), pytest.raises(ModelUnavailable):
        written(chat)
    assert len(received) == 2


def test_a_busy_endpoint_is_not_waited_for_longer_than_somebody_waits_for_the_answer() -> None:
    busy = Odd(fails_first=(429,), retry_after="30")
    with endpoint(busy) as (chat, received), pytest.raises(ModelUnavailable):
        written(chat, wait_s=5)
    assert len(received) == 1


def test_an_error_that_names_nothing_we_sent_is_an_error() -> None:
    refusing = Odd(refuses=("model",), refusal="The context window has 4096 tokens")
    with endpoint(refusing) as (chat, received), pytest.raises(ModelUnavailable, match="4096"):
        written(chat)
    assert len(received) == 1


def test_a_reply_of_nothing_but_reasoning_or_calls_of_tools_is_no_answer() -> None:
    thinking = Odd(deltas=({"content": "<think>It is 5"},))
    calling = Odd(deltas=({"tool_calls": [{"index": 0}]},), finish="tool_calls")
    for odd in (thinking, calling):
        with endpoint(odd) as (chat, _), pytest.raises(ModelUnavailable):
            written(chat)


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_reply_that_the_endpoint_cuts_is_kept_and_known_to_lack_its_end(finish: str) -> None:
    with endpoint(Odd(finish=finish)) as (chat, _):
        reply = written(chat)
    assert (reply.text, reply.whole) == (ANSWER, False)


def test_a_connection_that_is_lost_behind_the_first_words_costs_only_the_rest() -> None:
    with endpoint(Odd(breaks=True, finish=None)) as (chat, received):
        reply = written(chat)
    assert (reply.text, reply.whole, len(received)) == (ANSWER, False, 1)


def test_a_reply_without_a_reason_to_end_that_ends_within_a_sentence_lacks_its_end() -> None:
    with endpoint(Odd(deltas=({"content": "Five days and"},), finish=None)) as (chat, _):
        assert not written(chat).whole


def test_reasoning_is_no_first_word() -> None:
    slow = replace(ODD["reasons beside the text"], deltas=({"reasoning": "?"},), pause_s=3.0)
    with endpoint(slow) as (chat, _), pytest.raises(ModelUnavailable, match="slow"):
        written(chat, wait_s=0.5)


def test_a_model_that_falls_silent_after_its_first_words_is_waited_for_no_longer_than_a_pause() -> (
    None
):
    limits = waiting.WaitLimits(first_word=100.0, last_word=160.0)
    begun, silent = "Five", waiting.PAUSE_S
    assert limits.ends(text="", heard_at=90.0) == 100.0
    assert limits.ends(text=begun, heard_at=120.0) == 120.0 + silent
    assert limits.ends(text=begun, heard_at=159.0) == 160.0


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (("Five \ud83d", "\ude00 days."), "Five 😀 days."),
        (("Five \ud83d", " days \ude00."), "Five � days �."),
        (("Five days.", " \ud83d"), "Five days."),
    ],
)
def test_half_a_character_waits_for_its_other_half(sent: tuple[str, ...], text: str) -> None:
    pieces: list[str] = []
    with endpoint(Odd(deltas=tuple({"content": each} for each in sent))) as (chat, _):
        assert written(chat, pieces).text == text
    assert "".join(pieces).strip() == text
