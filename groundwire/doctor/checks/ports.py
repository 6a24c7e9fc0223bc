"""Checks of ports: free, or taken by a program of ours that says how it is."""

from __future__ import annotations

import shlex
import socket
from itertools import pairwise

import httpx

from core.settings.environment import given
from groundwire.doctor.checks.chosen import listening, over_http
from groundwire.doctor.finding import HealthFinding, not_tried, ok, warning, wrong
from groundwire.doctor.patient import Patient

TIMEOUT_S = 3.0
POOLS = {
    "WORKER_METRICS_PORT": "worker",
    "EXPLAINER_METRICS_PORT": "explainer",
    "SPEAKER_METRICS_PORT": "speaker",
}
ANOTHER = "another port, or end the program that has it: `ss -ltnp` names it"


def bot(at: Patient) -> HealthFinding:
    """What the bot says of itself where HEALTH_PORT is set."""
    port, host = at.settings.health_port, at.settings.health_host
    if not port:
        return not_tried("no HEALTH_PORT: nobody can ask the bot how it is")
    if not _listens(host, port):
        return _free(host, port, "HEALTH_PORT")
    try:
        said = httpx.get(f"http://{_shown(host)}:{port}/readyz", timeout=TIMEOUT_S).json()
        parts = {name: how for name, how in said.items() if name not in ("ready", "refused")}
        ready = bool(said["ready"])
    except (httpx.HTTPError, ValueError, KeyError, AttributeError):
        return wrong(f"another program has HEALTH_PORT {port}", ANOTHER)
    if ready:
        return ok("runs, and reaches all that it needs")
    ill = ", ".join(f"{name} {how}" for name, how in parts.items() if how != "ok")
    return wrong(f"runs, and is not ready: {ill}", "what it names; its log says more")


def pools(at: Patient) -> HealthFinding:
    """Those of whose metrics a port is set."""
    known = {name: port for name, port in listening(at.settings).items() if name in POOLS}
    if not known:
        return not_tried("no …_METRICS_PORT: nobody can see whether the pools run")
    running, off = [], []
    for name, port in known.items():
        if not _listens(at.settings.health_host, port):
            off.append(POOLS[name])
        elif _is_ours(at.settings.health_host, port):
            running.append(POOLS[name])
        else:
            return wrong(f"another program has {name} {port}", ANOTHER)
    if running and off:
        cure = "start them: `honcho start`, or look into their logs"
        return warning(f"{', '.join(running)} run, {', '.join(off)} do not", cure)
    return ok(f"{', '.join(running)} run" if running else "none of them runs yet")


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


def _is_ours(host: str, port: int) -> bool:
    try:
        reply = httpx.get(f"http://{_shown(host)}:{port}/metrics", timeout=TIMEOUT_S)
    except httpx.HTTPError:
        return False
    return "groundwire_" in reply.text


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
