"""The bot as a process that was off or cut off while people asked, over both transports."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from desk import NOBODY, PATIENCE, environment
from sqlmodel import col, select

from core.storage.database import Database
from core.storage.hearing_tables import HeardRow
from core.storage.tables import TurnRow
from sandbox.programs.processes import Program, Programs, free_port
from sandbox.slack.client import Workspace
from sandbox.slack.serve import running
from sandbox.slack.workspace.values import SIGNING_SECRET


@dataclass
class Office:
    """A workspace, and the bot that is switched off and on again."""

    folder: Path
    workspace: Workspace
    programs: Programs
    http: bool
    bot: Program | None = None

    def on(self) -> None:
        options, port = [], free_port()
        if self.http:
            options = ["--http", "--port", str(port)]
        more = environment(
            self.folder, self.workspace.url, NOBODY, SLACK_SIGNING_SECRET=SIGNING_SECRET
        )
        command = [sys.executable, "-m", "bot", *options]
        self.bot = self.programs.start("bot", command, more, ready="listening")
        self.bot.wait_until_ready()
        if self.http:
            self.workspace.request_url(f"http://127.0.0.1:{port}/slack/events")

    def off(self) -> None:
        assert self.bot
        if self.http:
            self.workspace.request_url("")  # what is said now is delivered to nobody
        self.bot.kill()
        self.workspace.wait_until(
            lambda: self.workspace.state()["connections"] == 0, what="the connection to end"
        )

    def asked(self) -> list[str]:
        database = Database(f"sqlite:///{self.folder / 'groundwire.db'}")
        with database.reading() as session:
            rows = session.exec(select(TurnRow).order_by(col(TurnRow.asked_at))).all()
        database.close()
        return [row.question for row in rows]

    def wait_for(self, *questions: str) -> None:
        self.workspace.wait_until(
            lambda: sorted(self.asked()) == sorted(questions), what="the questions"
        )

    def is_heard(self) -> bool:
        """Whether a beat is written down, from which on something can be missed."""
        database = Database(f"sqlite:///{self.folder / 'groundwire.db'}")
        with database.reading() as session:
            found = session.exec(select(HeardRow)).first()
        database.close()
        return found is not None


@contextmanager
def an_office(folder: Path, *, http: bool) -> Iterator[Office]:
    with (
        running(PATIENCE, seed=7) as url,
        Workspace(url) as workspace,
        Programs(folder / "logs") as programs,
    ):
        yield Office(folder, workspace, programs, http)


@pytest.mark.parametrize("http", [False, True], ids=["socket", "http"])
def test_what_people_asked_while_the_bot_was_off_is_asked_once_when_it_is_back(
    tmp_path: Path, http: bool
) -> None:
    with an_office(tmp_path, http=http) as office:
        office.on()
        office.workspace.wait_until(office.is_heard, what="a beat")
        first = office.workspace.say("alice", "general", "@groundwire who is on call?")
        office.wait_for("who is on call?")
        office.off()
        office.workspace.say("alice", "general", "and next week?", first.ts)
        office.workspace.say("ben", "hr", "@groundwire how do I request time off?")
        office.workspace.direct("dev", "how do I get a badge?")
        office.workspace.give_up()
        office.on()
        office.wait_for(
            "who is on call?",
            "and next week?",
            "how do I request time off?",
            "how do I get a badge?",
        )
