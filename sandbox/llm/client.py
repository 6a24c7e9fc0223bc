"""The control API of the stand-in as a Python object, for tests and the demo."""

from __future__ import annotations

from typing import Any, Self

import httpx

from sandbox.llm.counting import Load
from sandbox.llm.planted import Plan

Json = dict[str, Any]


class ScriptedModel:
    """A running endpoint; every verb raises `httpx.HTTPStatusError` when it is refused."""

    def __init__(self, base_url: str) -> None:
        """`base_url` as the stand-in prints it, with or without `/v1`."""
        self._http = httpx.Client(
            base_url=base_url.rstrip("/").removesuffix("/v1"), timeout=10, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def say(self, *answers: str) -> None:
        """Give these answers in their order, then go on with the script; replaces earlier ones."""
        self._post("script", answers=list(answers))

    def mode(self, mode: str, seed: int = 0) -> None:
        """Follow a script: `toy`, `echo` or `vary`."""
        self._post("script", mode=mode, seed=seed)

    def plant(self, plan: Plan, seed: int = 0) -> None:
        """Answer by a plan of facts and the evidence that each is said from."""
        self._post("script", mode="planted", seed=seed, plan=plan.as_json())

    def pace(self, token_delay_s: float) -> None:
        """Wait before each word."""
        self._post("script", token_delay_s=token_delay_s)

    def delay(self, call_delay_s: float) -> None:
        """Wait once in each call, before the first word."""
        self._post("script", call_delay_s=call_delay_s)

    def take(self, first_s: float, whole_s: float) -> None:
        """Seconds before the first word, and for a whole answer of any length."""
        self._post("pace", first_s=first_s, whole_s=whole_s)

    def fault(self, **order: Any) -> None:
        """Order a fault; the fields are those of `sandbox.http.faults.Fault`."""
        self._post("faults", **order)

    def received(self) -> list[Json]:
        """Path and body of every request under /v1/ since the start or the last reset."""
        reply = self._http.get("/sandbox/received").raise_for_status()
        received: list[Json] = reply.json()["received"]
        return received

    def load(self) -> Load:
        """Calls since the start or the last reset, and the most at the same time."""
        return Load(**self._http.get("/sandbox/load").raise_for_status().json())

    def reset(self) -> None:
        """The toy again, at full speed, without faults, nothing received, nothing counted."""
        self._post("reset")

    def _post(self, verb: str, **sent: Any) -> None:
        self._http.post(f"/sandbox/{verb}", json=sent).raise_for_status()
