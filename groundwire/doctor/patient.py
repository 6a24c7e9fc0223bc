"""The patient: the settings that the doctor looks at, and what several checks have to ask once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import core
from core.settings import Settings

T = TypeVar("T")

ROOT = Path(core.__file__).parents[1]  # where constraints.txt and manifest.json lie


class Patient:
    """An installation by its settings."""

    def __init__(
        self, chosen: Settings, *, may_ask_model: bool = True, tries_long_prompt: bool = False
    ) -> None:
        """Asking a model costs tokens; a long prompt costs LLM_CONTEXT_TOKENS of them."""
        self.settings = chosen
        self.may_ask_model = may_ask_model
        self.tries_long_prompt = tries_long_prompt
        self._lock = threading.Lock()
        self._asked: dict[Callable[..., Any], Future[Any]] = {}
        self._open = ExitStack()

    def close_later(self, close: Callable[[], object]) -> None:
        """Have this done when all checks are over."""
        self._open.callback(close)

    def close(self) -> None:
        self._open.close()

    def once(self, ask: Callable[[Patient], T]) -> T:
        """What this returns or raises: asked by the first who wants to know, for all others too."""
        with self._lock:
            known = self._asked.get(ask)
            future = self._asked.setdefault(ask, known or Future())
        if known is None:
            try:
                future.set_result(ask(self))
            except Exception as error:  # noqa: BLE001  (raised right below, and for the others)
                future.set_exception(error)
        found: T = future.result()
        return found


def once(ask: Callable[[Patient], T]) -> Callable[[Patient], T]:
    """As a decorator."""

    @wraps(ask)
    def asked(patient: Patient) -> T:
        return patient.once(ask)

    return asked
