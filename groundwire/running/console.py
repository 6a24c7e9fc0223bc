"""`groundwire console`: the operator's console on this machine, opened by links that work once."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import typer
from starlette.routing import Mount

from console.app import build
from console.parts import Ailment, ConsoleParts
from console.sessions import LINK_S, ConsoleRole, Sessions
from console.sign_in.roles import roles
from console.vectors import QuestionVectors
from core import logs
from core.access.connected import connected
from core.access.sites import linked_accounts
from core.embeddings import load
from core.errors import SettingsError
from core.http.server import listen, server
from core.manner import Manner
from core.models import Record
from core.outages.ending import or_one_sentence
from core.policy.acl import EVERYBODY
from core.settings import Settings, settings
from core.storage import clock
from core.storage.database import open_database
from core.turns import turn_facts
from worker.own_eyes import own_eyes

HOST = "127.0.0.1"  # nobody else's machine reaches it


def run_console(port: int, role: ConsoleRole) -> None:
    """Serve the console until Ctrl-C; Enter prints another link."""
    with or_one_sentence():
        chosen = settings()
        logs.configure_quietly(chosen)
        roles(chosen)  # whatever is half set is said before anything is served
        parts = _parts(chosen)
        _count_what_came_before(parts)
        listener = _listener(port or chosen.console_port)
    sessions = Sessions()
    address = f"http://{HOST}:{listener.getsockname()[1]}"
    print_link = _printer(sessions, address, role)
    print_link()
    if chosen.console_url:
        typer.echo(f"those who are named sign in with Slack: {chosen.console_url}", err=True)
    threading.Thread(target=_more_links, args=(print_link,), daemon=True).start()
    server([Mount("/", build(parts, sessions))]).run(sockets=[listener])


def _parts(chosen: Settings) -> ConsoleParts:
    database = open_database(chosen.sql_url)
    accounts = linked_accounts(chosen, database)
    return ConsoleParts(
        settings=chosen,
        database=database,
        control=connected(chosen, database, own_eyes(chosen, database)),
        embed=QuestionVectors(cache(lambda: load(chosen))),
        linked=accounts.of if accounts else lambda _team, _user: "",
        look=lambda: list(_ailments(chosen)),
        again=_again,
    )


def _again(question: str, manner: Manner, with_model: bool) -> Record:
    """By the worker's own pipeline, which is built when it is first needed."""
    built = import_module("worker.bootstrap").parts()
    pipeline = built.pipeline if with_model else built.without_model
    deadline = clock.now() + built.settings.answer_patience_s
    record: Record = pipeline.answer(
        question, [], deadline=deadline, reader=EVERYBODY, manner=manner
    )
    return record


def _ailments(chosen: Settings) -> Iterator[Ailment]:
    """What the doctor finds, where there is one."""
    if not find_spec("groundwire.doctor"):
        return
    for finding in import_module("groundwire.doctor.visit").findings(chosen):
        yield Ailment(finding.state.value, finding.says, finding.cure)


def _count_what_came_before(parts: ConsoleParts) -> None:
    """Of an installation that is older than the console, once."""
    done = 0
    for batch in turn_facts.fill_in(parts.database):
        done += batch
        typer.echo(f"\rcounting answers of before: {done}", nl=False, err=True)
    if done:
        typer.echo("", err=True)


def _listener(port: int) -> socket.socket:
    try:
        return listen(HOST, port)
    except OSError as error:
        cure = "choose another one with --port"
        raise SettingsError(f"port {port} of this machine: {error.strerror}; {cure}") from error


def _printer(sessions: Sessions, address: str, role: ConsoleRole) -> Callable[[], None]:
    def print_link() -> None:
        typer.echo(f"{address}/in?link={sessions.link(role)}")
        typer.echo(f"works once, within {LINK_S / 60:.0f} minutes; Enter: another one", err=True)

    return print_link


def _more_links(print_link: Callable[[], None]) -> None:
    for _ in sys.stdin:
        print_link()
