"""The chat model's client against the scripted model: every failure of an endpoint is one error."""

from __future__ import annotations

import time

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from core.errors import ModelUnavailable
from core.settings import Settings
from sandbox.http.server import running
from sandbox.llm.client import ScriptedModel
from worker.generation.chat_model import ChatModel

ANSWER = "A hotel in Porto costs 110 EUR.\nAsk finance [1]."


def soon(seconds: float = 20) -> float:
    return time.time() + seconds


def test_the_pieces_of_an_answer_are_the_answer(model: ScriptedModel, chat: ChatModel) -> None:
    model.say(ANSWER)
    pieces: list[str] = []
    reply = chat.written(
        "What does a hotel cost?", pages=(), deadline=soon(), on_text=pieces.append
    )
    assert reply.text == "".join(pieces) == ANSWER
    assert len(pieces) > 5


def test_a_reply_says_what_it_cost(model: ScriptedModel, chat: ChatModel) -> None:
    model.say("one two three")
    usage = chat.reply("four words in here", pages=(), deadline=soon()).usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (1, 4, 3)


def test_the_model_is_sent_the_system_prompt_first(model: ScriptedModel, chat: ChatModel) -> None:
    chat.reply("question", system="rules", pages=(), deadline=soon())
    chat.reply("question", pages=(), deadline=soon())
    with_system, without = [request["body"] for request in model.received()]
    assert with_system["model"] == "sandbox-toy"
    assert with_system["messages"] == [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "question"},
    ]
    assert without["messages"] == [{"role": "user", "content": "question"}]


def test_a_model_that_is_away_is_unavailable(chat_down: ChatModel) -> None:
    with pytest.raises(ModelUnavailable, match="LLM_BASE_URL"):
        chat_down.reply("question", pages=(), deadline=soon())


@pytest.mark.parametrize("status", [400, 401, 404, 429])
def test_a_model_that_refuses_is_unavailable_and_is_not_asked_again(
    model: ScriptedModel, chat: ChatModel, status: int
) -> None:
    model.fault(status=status)
    with pytest.raises(ModelUnavailable):
        chat.reply("question", pages=(), deadline=soon())
    assert len(model.received()) == 1


@pytest.mark.parametrize("fault", ["garbage", "login_page", "drop", "truncate"])
def test_a_model_whose_reply_is_broken_is_unavailable(
    model: ScriptedModel, chat: ChatModel, fault: str
) -> None:
    model.say(ANSWER)
    model.fault(**{fault: True}, times=2)
    with pytest.raises(ModelUnavailable):
        chat.reply("question", pages=(), deadline=soon())


@pytest.mark.parametrize(
    "sent",
    [
        '{"choices": [',
        '{"detail": "overloaded"}',
        "[1]",
        '"text"',
        "{}",
        '{"error": {"message": "no"}}',
    ],
)
def test_a_stream_that_is_no_completion_is_a_model_that_is_unavailable(sent: str) -> None:
    nonsense = Response(f"data: {sent}\n\ndata: [DONE]\n\n", media_type="text/event-stream")
    with running(
        Starlette(routes=[Route("/chat/completions", lambda _: nonsense, methods=["POST"])])
    ) as url:
        chat = ChatModel(Settings(llm_base_url=url), "any")
        with pytest.raises(ModelUnavailable):
            chat.reply("question", pages=(), deadline=soon())


def test_an_empty_answer_is_no_answer(model: ScriptedModel, chat: ChatModel) -> None:
    model.say(" \n")
    with pytest.raises(ModelUnavailable, match="empty"):
        chat.reply("question", pages=(), deadline=soon())


def test_a_model_that_still_writes_at_the_deadline_goes_on_until_the_patience_is_over(
    llm_url: str, model: ScriptedModel
) -> None:
    patient = ChatModel(Settings(llm_base_url=llm_url), "sandbox-toy")
    hasty = ChatModel(Settings(llm_base_url=llm_url, answer_patience_s=0.1), "sandbox-toy")
    model.say("word " * 30, "word " * 30)
    model.pace(0.03)
    reply = patient.written("question", pages=(), deadline=soon(0.3))
    assert (reply.whole, len(reply.text.split())) == (True, 30)
    reply = hasty.written("question", pages=(), deadline=soon(0.3))
    assert not reply.whole
    assert 0 < len(reply.text.split()) < 30


def test_a_text_that_is_of_no_use_without_its_end_is_not_waited_for_behind_the_deadline(
    model: ScriptedModel, chat: ChatModel
) -> None:
    model.say("word " * 1000)
    model.pace(0.05)
    with pytest.raises(ModelUnavailable, match="too slow"):
        chat.reply("question", pages=(), deadline=soon(0.5))


def test_temperature_and_seed_are_sent_unless_they_are_none(
    llm_url: str, model: ScriptedModel
) -> None:
    for chosen in (
        Settings(llm_base_url=llm_url),
        Settings(llm_base_url=llm_url, llm_temperature=0.7, llm_seed=5),
        Settings(llm_base_url=llm_url, llm_temperature="none", llm_seed="none"),
    ):
        ChatModel(chosen, "m").reply("question", pages=(), deadline=soon())
    bodies = [request["body"] for request in model.received()]
    sent = [(body.get("temperature"), body.get("seed")) for body in bodies]
    assert sent == [(0.0, 1), (0.7, 5), (None, None)]


def test_a_model_that_falls_silent_is_unavailable(model: ScriptedModel, chat: ChatModel) -> None:
    model.pace(2)
    with pytest.raises(ModelUnavailable):
        chat.reply("question", pages=(), deadline=soon(0.3))


def test_a_model_is_given_no_more_than_its_timeout(llm_url: str, model: ScriptedModel) -> None:
    model.fault(delay_s=2)
    with pytest.raises(ModelUnavailable):
        ChatModel(Settings(llm_base_url=llm_url, llm_timeout_s=0.2), "sandbox-toy").reply(
            "question", pages=(), deadline=soon()
        )


def test_a_model_is_not_asked_when_there_is_no_time_left(
    model: ScriptedModel, chat: ChatModel
) -> None:
    with pytest.raises(ModelUnavailable, match="no time left"):
        chat.reply("question", pages=(), deadline=soon(-1))
    assert model.received() == []
