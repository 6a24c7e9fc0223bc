"""Asks Confluence what somebody waits for: in so many requests at most, and within a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from core.confluence.transport import Transport
from core.errors import SourceOverloaded

S = TypeVar("S")
T = TypeVar("T")


class Allowance:
    """What may still be asked for one verb: how many requests, and for how long."""

    def __init__(self, transport: Transport, most: int) -> None:
        self._pool = transport.pool
        self._timeout_s = transport.timeout_s
        self._until = time.monotonic() + transport.timeout_s
        self.left = most

    def each(self, ask: Callable[[S], T], things: Sequence[S]) -> list[T]:
        """What the first of these things are answered, one request each, while some are left.

        Raises:
            SourceError: one of them failed, or the time is over; the others are given up.
        """
        asked = things[: max(0, self.left)]
        self.left -= len(asked)
        futures = [self._pool.submit(ask, thing) for thing in asked]
        try:
            # Whatever keeps a request busy, a pause between its tries or a reply that drips in.
            return [future.result(self._until - time.monotonic()) for future in futures]
        except TimeoutError as error:
            late = f"Confluence took longer than {self._timeout_s} s to answer"
            raise SourceOverloaded(late) from error
        finally:
            for future in futures:
                future.cancel()


def planned(needs: Iterable[Sequence[str]], most: int) -> list[str]:
    """What to ask for: of one need after the other all or nothing, and nothing twice.

    >>> planned([["home", "a"], ["home", "x", "y", "z"], ["home", "b"]], most=3)
    ['home', 'a', 'b']
    """
    plan: dict[str, None] = {}
    for need in needs:
        new = [each for each in need if each not in plan]
        if len(plan) + len(new) <= most:
            plan |= dict.fromkeys(new)
    return list(plan)
