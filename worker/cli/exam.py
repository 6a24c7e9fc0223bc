"""`python -m worker exam`: whether a model may say which of its own sentences pages support."""

from __future__ import annotations

from itertools import count

import typer
from rich.console import Console

from core import logs
from core.errors import ModelUnavailable, SettingsError
from core.policy.prices import cost
from core.settings import Settings, or_exit, settings
from core.storage.database import open_database
from worker.cli import terminal
from worker.generation.chat_model import ChatModel
from worker.generation.second_reader.exam import (
    LEAST_FOUND,
    MOST_FLAGGED,
    Grade,
    answers,
    items,
    taken,
)
from worker.generation.second_reader.grades import KNOWN_S, Grades
from worker.generation.second_reader.model_reader import WAIT_S


def exam(model: str, at_once: int) -> None:
    """Examine this model, LLM_MODEL where it has no name, by `at_once` calls at a time."""
    with or_exit():
        chosen = settings()
        logs.configure_quietly(chosen)
        name = _examined(chosen, model)
        database = open_database(chosen.sql_url)
        try:
            grade = _taken(ChatModel(chosen, name), chosen, at_once)
        except ModelUnavailable as error:
            raise SettingsError(f"no exam, and no grade changed: {error}") from error
        Grades(database, chosen).save(name, grade)
    _print(name, grade, chosen)
    if not grade.is_passed:
        raise typer.Exit(1)


def _examined(chosen: Settings, model: str) -> str:
    """The name of the model.

    Raises:
        SettingsError: no such model is configured.
    """
    chosen.require("llm_base_url", "llm_model")
    name = model or chosen.llm_model or ""
    if name not in chosen.llm_model_names:
        known = ", ".join(chosen.llm_model_names)
        raise SettingsError(f"{name} answers nobody: name one of LLM_MODEL, LLM_MODELS ({known})")
    return name


def _taken(model: ChatModel, chosen: Settings, at_once: int) -> Grade:
    done, of = count(1), len(list(answers(items())))
    with terminal.progress("reading answers") as report:
        return taken(model, chosen.llm_context_tokens, at_once, lambda: report(next(done), of))


def _print(name: str, grade: Grade, chosen: Settings) -> None:
    console = Console(highlight=False)
    console.print(f"found {grade.found} of {grade.wrong} errors (needs {LEAST_FOUND:.0%})")
    console.print(
        f"called {grade.flagged} of {grade.right} right answers wrong (at most {MOST_FLAGGED:.0%})"
    )
    if grade.not_believed:
        slow = f"took more than {WAIT_S:.0f} s, told not of each sentence, or failed a control"
        console.print(f"{grade.not_believed} readings count for nothing: they {slow}")
    usage = grade.usage
    money = cost(usage, name, chosen.prices)
    price = "" if money is None else f", {money:.4f} {chosen.currency}"
    tokens = f"{usage.prompt_tokens} tokens in, {usage.completion_tokens} out"
    console.print(f"{usage.calls} calls, {tokens}{price}")
    if grade.is_passed:
        console.print(
            f"[bold]{name} passes[/bold]: in {KNOWN_S:.0f} s its answers are read by it again."
        )
    else:
        console.print(f"[bold]{name} does not pass[/bold]: its answers are checked by rules alone.")
