"""The model behind the endpoint: a script, canned answers that go before it, and its pace."""

from __future__ import annotations

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
        self.delay_s = 0.0

    def script(self, *, answers: list[str] | None = None, mode: str = "", seed: int = 0, token_delay_s: float | None = None) -> None:
        """Say what comes next; whatever is left out stays as it is.

        Raises:
            UnknownScript: there is no such mode.
        """
        scripts = {"toy": toy, "echo": echo, "vary": vary(seed)}
        if mode and mode not in scripts:
            raise UnknownScript(f"unknown mode {mode}: choose {', '.join(scripts)}")
        self._script = scripts.get(mode, self._script)
        self._canned = self._canned if answers is None else list(answers)
        self.delay_s = self.delay_s if token_delay_s is None else token_delay_s

    def answer(self, messages: Messages) -> str:
        return self._canned.pop(0) if self._canned else self._script(messages)
