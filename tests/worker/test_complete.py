"""Completion: a follow-up becomes a question that can be understood alone, by the model or by rules."""

from __future__ import annotations

import time

from core.models import Completed, Usage
from sandbox.llm.client import ScriptedModel
from worker.complete import Completer, Past, by_rules
from worker.llm import ChatModel

HISTORY = [Past("Who was Ada?", "A countess [1].", "Countesses"), Past("How much leave is there?", "25 days [1].", "Leave in Porto")]


def soon() -> float:
    return time.time() + 20


def test_a_first_question_stays_as_it_is(model: ScriptedModel, chat: ChatModel) -> None:
    completed, usage = Completer(chat).complete("And in Spain?", [], deadline=soon())
    assert completed == Completed(question="And in Spain?", text="And in Spain?")
    assert (usage, model.received()) == (Usage(), [])


def test_rules_add_the_page_answered_from_and_the_previous_question() -> None:
    completed = by_rules("And in Spain?", HISTORY)
    assert completed.text == "And in Spain? (Leave in Porto; How much leave is there?)"
    assert completed.context == ("Leave in Porto", "How much leave is there?")
    assert (completed.question, completed.by) == ("And in Spain?", "")


def test_rules_do_without_the_page_of_a_turn_that_is_still_being_answered() -> None:
    assert by_rules("And in Spain?", [Past("How much leave is there?")]).text == "And in Spain? (How much leave is there?)"


def test_without_a_model_rules_complete_the_question() -> None:
    assert Completer(None).complete("And in Spain?", HISTORY, deadline=soon()) == (by_rules("And in Spain?", HISTORY), Usage())


def test_the_model_completes_the_question_and_is_named(model: ScriptedModel, chat: ChatModel) -> None:
    model.say("How much leave is there in Spain?\nI replaced the pronoun.")
    completed, usage = Completer(chat).complete("And in Spain?", HISTORY, deadline=soon())
    assert completed == Completed(question="And in Spain?", text="How much leave is there in Spain?", by="sandbox-toy")
    assert usage.calls == 1


def test_the_model_is_shown_the_whole_conversation(model: ScriptedModel, chat: ChatModel) -> None:
    Completer(chat).complete("And in Spain?", HISTORY, deadline=soon())
    (request,) = model.received()
    prompt = request["body"]["messages"][0]["content"]
    said = ["Who was Ada?", "A countess [1].", "How much leave is there?", "25 days [1].", "And in Spain?"]
    assert [prompt.index(text) for text in said] == sorted(prompt.index(text) for text in said)


def test_when_the_model_is_down_rules_complete_the_question(chat_down: ChatModel) -> None:
    completed, usage = Completer(chat_down).complete("And in Spain?", HISTORY, deadline=soon())
    assert completed == by_rules("And in Spain?", HISTORY)
    assert usage == Usage()
