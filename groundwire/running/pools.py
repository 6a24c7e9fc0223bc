"""A pool of workers by what it does; each is loaded alone, since together they take seconds."""

from __future__ import annotations

from importlib import import_module

from core.settings import or_exit


def run(kind: str) -> None:
    """Work until stopped."""
    with or_exit():
        if kind == "speak":
            import_module("bot.starting.pool").run()
        else:
            pools = import_module("worker.pools.run")
            pools.run(pools.Queue(kind))
