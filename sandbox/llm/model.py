"""The model behind the endpoint: a script, canned answers that go before it, and its pace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.llm import planted
from sandbox.llm.planted import Plan, WrongPlan
from sandbox.llm.scripted import Messages, Script, echo, toy, vary


class UnknownScript(Exception):
    """A mode that no script has."""


class Model:
    """Answers with the canned answers in their order, and with its script when they are used up."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """The toy, at full speed."""
        self._script: Script = toy
        self._canned: list[str] = []
        self.delay_s = 0.0  # before each word
        self.call_delay_s = 0.0  # before the first one
        self.first_s, self.whole_s = 0.0, 0.0

    def take(self, first_s: float, whole_s: float) -> None:
        """Seconds until the first piece of an answer, and for all of it, whatever its length."""
        self.first_s, self.whole_s = first_s, whole_s

    def delays(self, pieces: int) -> list[float]:
        """Seconds to wait before each piece of an answer."""
        if not self.whole_s:
            return [self.delay_s] * pieces
        others = pieces - 1
        between = (self.whole_s - self.first_s) / max(1, others)
        return [self.first_s] + [between] * others

    def script(
        self,
        *,
        answers: list[str] | None = None,
        mode: str = "",
        seed: int = 0,
        plan: Mapping[str, Any] | None = None,
        **delays: float,
    ) -> None:
        """Say what comes next; whatever is left out stays as it is. Mode `planted` needs a `plan`.

        Raises:
            UnknownScript: there is no such mode.
            WrongPlan: the plan cannot be followed, or there is none.
            TypeError: a delay is neither `token_delay_s` nor `call_delay_s`.
        """
        self._delay(**delays)
        self._script = _script(mode, seed, plan) if mode else self._script
        self._canned = self._canned if answers is None else list(answers)

    def _delay(
        self, *, token_delay_s: float | None = None, call_delay_s: float | None = None
    ) -> None:
        self.delay_s = self.delay_s if token_delay_s is None else token_delay_s
        self.call_delay_s = self.call_delay_s if call_delay_s is None else call_delay_s

    def answer(self, messages: Messages) -> str:
        return self._canned.pop(0) if self._canned else self._script(messages)


def _script(mode: str, seed: int, plan: Mapping[str, Any] | None) -> Script:
    scripts = {"toy": toy, "echo": echo, "vary": vary(seed)}
    if mode == "planted":
        if plan is None:
            raise WrongPlan("the mode planted needs a plan")
        return planted.script(Plan.from_json(plan), seed)
    if mode not in scripts:
        raise UnknownScript(f"unknown mode {mode}: choose {', '.join([*scripts, 'planted'])}")
    return scripts[mode]
