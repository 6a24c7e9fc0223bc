"""The chat model: whether its endpoint knows it and answers, and what it does not take."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import anyio
import httpx

from core.attribution import ExplainBy
from core.errors import ModelUnavailable, NoScores
from core.policy.prices import cost
from core.settings import Settings
from core.usage import Usage
from groundwire.doctor.finding import HealthFinding, NotTried, not_tried, ok, warning, wrong
from groundwire.doctor.patient import Patient, once
from worker.generation.chat_model import ChatModel
from worker.generation.endpoint.request import SYSTEM

TIMEOUT_S = 6.0
CALL_S = 25.0  # a model that is loaded with the first question takes so long
ROOM = 2000  # tokens beside LLM_CONTEXT_TOKENS, for an answer
QUESTION, INSTRUCTION = "Say the word: ready", "Answer with one word."
ADDRESS = "LLM_BASE_URL, mostly ending in /v1; is the model's server running?"
KEY = "LLM_API_KEY: the key of that endpoint"
# What lists of models call the context window: vLLM, and OpenRouter.
_WINDOWS = ("max_model_len", "context_length")


@dataclass(frozen=True)
class Tried:
    """A call that was answered, by a client that may be asked again."""

    model: ChatModel
    usage: Usage


@once
def listed(at: Patient) -> list[dict[str, Any]]:
    """The models that the endpoint lists; costs no token.

    Raises:
        NotTried: there is no endpoint.
        httpx.HTTPError, ValueError: it does not say.
    """
    chosen = _with_model(at)
    headers = {"Authorization": f"Bearer {chosen.llm_api_key.get_secret_value()}"}
    with httpx.Client(timeout=TIMEOUT_S) as http:
        reply = http.get(f"{(chosen.llm_base_url or '').rstrip('/')}/models", headers=headers)
    said = reply.raise_for_status().json()
    found = said.get("data") if isinstance(said, dict) else None
    if not isinstance(found, list):
        raise ValueError("a list of models has `data`")
    return [each for each in found if isinstance(each, dict)]


def endpoint(at: Patient) -> HealthFinding:
    wanted = _names(at)
    try:
        there = {str(each.get("id")) for each in listed(at)}
    except httpx.HTTPStatusError as error:
        return _status(error.response.status_code)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return wrong(f"does not answer ({type(error).__name__})", ADDRESS, may_come=True)
    except ValueError:
        return wrong("answers with something else than a list of models", ADDRESS)
    if missing := sorted(wanted - there):
        return _not_listed(at, missing, sorted(there))
    return ok(f"knows {', '.join(sorted(wanted))}")


def _not_listed(at: Patient, missing: list[str], there: list[str]) -> HealthFinding:
    """Azure lists models and is asked by deployments, Ollama lists tags: an answer decides."""
    names = ", ".join(missing)
    if missing == [at.settings.llm_model] and _answers(at):
        return ok(f"does not list {names}, and answers to it")
    some = ", ".join(there[:5]) or "none"
    return warning(f"does not list {names}", f"a name that it lists ({some}), or load that model")


def _answers(at: Patient) -> bool:
    try:
        _tried(at)
    except (ModelUnavailable, NotTried):
        return False
    return True


def call(at: Patient) -> HealthFinding:
    """One word, asked for as answers are."""
    try:
        usage = _tried(at).usage
    except ModelUnavailable as error:
        return wrong(str(error), f"{ADDRESS} {KEY}", may_come=True)
    spent = f"{usage.prompt_tokens} tokens in, {usage.completion_tokens} out"
    return ok(f"answers after {usage.seconds:.1f} s ({spent}{_money(at, usage)})")


def parameters(at: Patient) -> HealthFinding:
    """What the endpoint has refused, and answered without."""
    left_out = _answered(at).model.left_out - {"stream_options"}
    if not left_out:
        return ok("streams, and takes temperature, seed and a system message")
    effects = []
    if "stream" in left_out:
        effects.append("does not stream: answers come at once, when they are complete")
    if refused := sorted(left_out & {"temperature", "seed"}):
        effects.append(f"takes no {' and no '.join(refused)}: answers may differ each time")
    if SYSTEM in left_out:
        effects.append("knows no system message: instructions stand before the question")
    cure = "nothing: what it refuses is left out; or another model"
    return warning("; ".join(effects), cure)


def scores(at: Patient) -> HealthFinding:
    """Whether explanations can go by log-probabilities."""
    model, wanted = _answered(at).model, at.settings.explain_by is ExplainBy.LOGPROBS
    try:
        anyio.run(_scored, model)
    except NoScores:
        if wanted:
            return wrong("tells no log-probabilities", "EXPLAIN_BY=sample, or vLLM or llama.cpp")
        return ok("tells no log-probabilities: explanations ask it again instead")
    except ModelUnavailable as error:
        raise NotTried(f"the endpoint gave no reply: {error}") from error
    return ok("tells how likely a text is: explanations by log-probabilities can be had")


def context(at: Patient) -> HealthFinding:
    """LLM_CONTEXT_TOKENS against the context window that the endpoint's list tells, or by trying.

    Some endpoints cut a prompt that is too long without a word: Ollama's window has 4,096 tokens on
    most machines (docs.ollama.com/context-length), whatever the model could read.
    """
    chosen = _with_model(at)
    if at.tries_long_prompt:
        return _long_prompt(at)
    try:
        windows = _windows(listed(at), chosen.llm_model or "")
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        windows = []
    ours = chosen.llm_context_tokens
    if not windows:
        return not_tried(
            f"the endpoint does not tell its window; LLM_CONTEXT_TOKENS is {ours}",
            f"--long-prompt tries it, for {ours} tokens",
        )
    if ours + ROOM > windows[0]:
        fitting = max(1000, windows[0] - ROOM)
        return wrong(
            f"the window has {windows[0]} tokens, LLM_CONTEXT_TOKENS is {ours}",
            f"LLM_CONTEXT_TOKENS={fitting}, or a larger window",
        )
    return ok(f"LLM_CONTEXT_TOKENS {ours} of a window of {windows[0]}")


def _long_prompt(at: Patient) -> HealthFinding:
    """As many words as a prompt may have tokens: none of them is less than a token."""
    ours = at.settings.llm_context_tokens
    words = " ".join(islice(cycle(("red", "and", "blue", "or", "green", "is", "all")), ours))
    model, until = _answered(at).model, time.time() + CALL_S
    cure = f"a larger window (Ollama: OLLAMA_CONTEXT_LENGTH={ours + ROOM}), or LLM_CONTEXT_TOKENS"
    try:
        reply = model.reply(f"{words}\n\n{QUESTION}", system=INSTRUCTION, pages=(), deadline=until)
    except ModelUnavailable as error:
        return wrong(f"does not answer a prompt of {ours} tokens: {error}", cure)
    read = reply.usage.prompt_tokens
    if not read:
        raise NotTried("the endpoint does not count the tokens of a prompt")
    if read < ours:
        return wrong(f"read {read} tokens of a prompt of {ours}, and did not say so", cure)
    return ok(f"read all of a prompt of {ours} tokens ({read} by its count)")


def _windows(models: list[dict[str, Any]], name: str) -> list[int]:
    ours = [each for each in models if each.get("id") == name]
    found = [each.get(field) for each in ours for field in _WINDOWS]
    return [each for each in found if isinstance(each, int) and each > 0]


@once
def _tried(at: Patient) -> Tried:
    chosen = _with_model(at)
    if not at.may_ask_model:
        raise NotTried("--no-model: nothing is spent")
    model = ChatModel(chosen, chosen.llm_model or "")
    until = time.time() + CALL_S
    reply = model.reply(QUESTION, system=INSTRUCTION, pages=(), deadline=until)
    return Tried(model, reply.usage)


def _answered(at: Patient) -> Tried:
    try:
        return _tried(at)
    except ModelUnavailable as error:
        raise NotTried("the model does not answer") from error


async def _scored(model: ChatModel) -> None:
    async with model.at_once() as calls:
        await calls.score("Is one more than zero?", "Yes, it is.", pages=())


def _with_model(at: Patient) -> Settings:
    if not at.settings.llm_base_url:
        raise NotTried("no LLM_BASE_URL: answers quote the pages")
    if not at.settings.llm_model:
        raise NotTried("no LLM_MODEL")
    return at.settings


def _names(at: Patient) -> set[str]:
    chosen = _with_model(at)
    names = {*chosen.llm_model_names, chosen.llm_explain_model}
    return {name for name in names if name}


def _money(at: Patient, usage: Usage) -> str:
    money = cost(usage, at.settings.llm_model or "", at.settings.prices)
    return "" if money is None else f", {money:.6f} {at.settings.currency}"


def _status(status: int) -> HealthFinding:
    if status in (401, 403):
        return wrong(f"refuses the key ({status})", KEY)
    if status == 404:
        raise NotTried("lists no models; whether the name is right, the call shows")
    return wrong(f"answers {status}", ADDRESS, may_come=status >= 500)
