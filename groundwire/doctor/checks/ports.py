"""Checks of ports: free, or taken by a program of ours that says how it is."""

from __future__ import annotations

import shlex
import socket
from itertools import pairwise
from typing import Any

import httpx

from core.settings.environment import given
from groundwire.doctor.checks.chosen import over_http
from groundwire.doctor.finding import HealthFinding, not_tried, ok, warning, wrong
from groundwire.doctor.patient import Patient, once

TIMEOUT_S = 3.0
PROGRAMS = {
    "bot": "health_port",
    "worker": "worker_metrics_port",
    "explainer": "explainer_metrics_port",
    "speaker": "speaker_metrics_port",
    "indexer": "indexer_metrics_port",
}
ANOTHER = "another port, or end the program that has it: `ss -ltnp` names it"
START = "start it: `honcho start`; or its log says why it ended"

Ready = dict[str, Any]  # what /readyz says


@once
def _asked(at: Patient) -> dict[str, Ready | None]:
    """What each program says of itself, where it listens; None: somebody else listens there."""
    host, found = at.settings.health_host, dict[str, Ready | None]()
    for program, setting in PROGRAMS.items():
        port = getattr(at.settings, setting)
        if port and _listens(host, port):
            found[program] = _ready(host, port)
    return found


def program(name: str, at: Patient) -> HealthFinding:
    """Whether it runs and has what it needs; or whether it could listen."""
    setting, host = PROGRAMS[name], at.settings.health_host
    port = getattr(at.settings, setting)
    if not port:
        return not_tried("no port is set to ask how it is: docs/operating.md, “Health and numbers”")
    running = _asked(at)
    if name in running:
        said = running[name]
        if said is None:
            return wrong(f"another program has {setting.upper()} {port}", ANOTHER)
        return _told(said)
    if ours := sorted(each for each, said in running.items() if said is not None):
        return warning(f"does not run, while {', '.join(ours)} does", START)
    return _free(host, port, setting.upper())


def _told(said: Ready) -> HealthFinding:
    if said.get("ready"):
        return ok("runs, and reaches all that it needs")
    if waits_for := said.get("waits_for"):
        return wrong(f"waits for {waits_for}", "what it waits for; its log says more")
    parts = {name: how for name, how in said.items() if name != "ready" and how != "ok"}
    ill = ", ".join(f"{name} {how}" for name, how in parts.items() if isinstance(how, str))
    return wrong(f"runs, and is not ready: {ill}", "what it names; its log says more")


def incoming(at: Patient) -> HealthFinding:
    """Where browsers, webhooks and Slack come in."""
    chosen = at.settings
    places = {
        "LINK_PORT": (chosen.link_host, chosen.link_port),
        "WEBHOOK_PORT": (chosen.webhook_host, chosen.webhook_port),
        "the port of BOT_OPTIONS": _of_slack(),
    }
    said = []
    for name, (host, port) in places.items():
        if port and not _listens(host, port):
            free = _free(host, port, name)
            if free.cure:
                return free
            said.append(f"{name} {port} is free")
        elif port:
            said.append(f"somebody listens on {name} {port}")
    if not said:
        return not_tried("nobody comes in: no LINK_PORT, no WEBHOOK_PORT, no --http")
    return ok("; ".join(said))


def _of_slack() -> tuple[str, int | None]:
    """As `python -m bot --http` reads it."""
    if not over_http():
        return "127.0.0.1", None
    words = shlex.split(given("BOT_OPTIONS").replace("=", " "))
    options = dict(pairwise(words))
    port = options.get("--port", "3000")
    return options.get("--host", "127.0.0.1"), int(port) if port.isdigit() else None


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((_reached(host), port), timeout=TIMEOUT_S).close()
    except OSError:
        return False
    return True


def _ready(host: str, port: int) -> Ready | None:
    try:
        said = httpx.get(f"http://{_shown(host)}:{port}/readyz", timeout=TIMEOUT_S).json()
    except (httpx.HTTPError, ValueError):
        return None
    return said if isinstance(said, dict) and "ready" in said else None


def _free(host: str, port: int, name: str) -> HealthFinding:
    """Nobody listens: whether we may."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        return wrong(f"{name} {port} cannot be listened on: {error.strerror}", ANOTHER)
    return ok(f"does not run yet; {name} {port} is free")


def _reached(host: str) -> str:
    """Who listens everywhere is reached on this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def _shown(host: str) -> str:
    reached = _reached(host)
    return f"[{reached}]" if ":" in reached else reached
