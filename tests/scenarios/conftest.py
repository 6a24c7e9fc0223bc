"""Fixtures: the whole product, one stack that quotes, one that asks the scripted model."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from sqlmodel import col, select

from bot.views.explanation_blocks import STOP_ACTION
from bot.views.progress import STOP_ANSWER_ACTION
from core.storage.database import Database, open_database
from core.storage.tables import TurnRow
from sandbox.confluence.client import Site
from sandbox.llm.client import ScriptedModel
from sandbox.programs.stack import PRODUCT, Stack, Transport
from sandbox.slack.client import Message, Workspace

PATIENCE_S = 180  # beside a busy neighbour


def is_final(reply: Message) -> bool:
    """Neither progress, which has a Stop button, nor the bare text of a stream that just ended."""
    goes_on = reply.has_button(STOP_ACTION) or reply.has_button(STOP_ANSWER_ACTION)
    return not goes_on and any(block["type"] != "markdown" for block in reply.blocks)


class Running:
    """A stack, and the people's side of it."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.workspace = Workspace(stack.slack_url)
        self.site = Site(stack.confluence_url)
        self.database: Database = open_database(stack.settings.sql_url)
        self.model = (
            ScriptedModel(stack.settings.llm_base_url) if stack.settings.llm_base_url else None
        )

    def ask(
        self,
        question: str,
        *,
        user: str = "Alice",
        channel: str = "general",
        after: Message | None = None,
    ) -> Message:
        """Ask in a new thread, or a follow-up in the thread of `after`; gives the message sent."""
        text = question if after else f"@groundwire {question}"
        return self.workspace.say(user, channel, text, thread_ts=after.root_ts if after else None)

    def reply(self, message: Message, timeout: float = PATIENCE_S) -> Message:
        """The final message: progress comes as text alone or with a button to stop it."""
        return self.workspace.wait_for_reply(message, timeout, settled=is_final)

    def answers(self, message: Message) -> list[Message]:
        """All messages of the bot in the thread of this message."""
        return [
            reply
            for reply in self.workspace.thread(message.channel, message.root_ts)
            if reply.bot and not reply.ephemeral_for
        ]

    def sync(self) -> None:
        program = self.stack.sync()
        assert program.process.wait(timeout=PATIENCE_S) == 0, program.last_words()

    def report(self) -> str:
        """What may say why a test failed: what was asked and shown last, presses that nobody heard,
        and what programs complained of.
        """
        logs = sorted(self.stack.folder.glob("logs/*.log"))
        complaints = [
            f"{log.stem}: {line[:500]}"
            for log in logs
            for line in log.read_text(errors="replace").splitlines()
            if any(f'"level": "{level}"' in line for level in ("warning", "error", "critical"))
        ]
        return "\n".join(
            [
                *(f"shown: {said.plain()[:500]!r}" for said in self._last_said()),
                *(f"turn: {turn.state} {turn.reason} {turn.question!r}" for turn in self._turns()),
                f"not acknowledged: {self.workspace.unheard()}",
                *complaints[-40:],
            ]
        )

    def start_what_is_dead(self) -> None:
        """What a failed test has killed: the next one is about something else."""
        for name, program in list(self.stack.programs.running.items()):
            if name in PRODUCT and program.process.poll() is not None:
                self.stack.restart(name)

    def _last_said(self) -> list[Message]:
        return [each for each in self.workspace.messages("general") if each.bot][-5:]

    def _turns(self) -> list[TurnRow]:
        latest = select(TurnRow).order_by(col(TurnRow.asked_at).desc()).limit(5)
        with self.database.reading() as session:
            return list(session.exec(latest).all())

    def close(self) -> None:
        self.workspace.close()
        self.site.close()
        if self.model:
            self.model.close()


def run(
    folder: Path,
    *,
    model: bool,
    settings: dict[str, str] | None = None,
    prepare: Callable[[Site], None] | None = None,
    transport: Transport = "socket",
) -> Iterator[Running]:
    """Start everything; `prepare` changes the site before it is synced.

    Over HTTP, Slack retries sooner than the real one.
    """
    chosen = {"ANSWER_PATIENCE_S": str(PATIENCE_S)} | (settings or {})
    again = (0.0, 2.0, 20.0) if transport == "http" else ()
    with Stack(
        folder,
        model="toy" if model else "",
        transport=transport,
        retry_s=again,
        limits="none",
        settings=chosen,
    ) as stack:
        stack.start_sandbox()
        if prepare:
            with Site(stack.confluence_url) as site:
                prepare(site)
        if model:
            stack.start_model()
        stack.start("redis", "chroma")
        sync = stack.sync()
        stack.start(*PRODUCT[2:])
        assert sync.process.wait(timeout=PATIENCE_S) == 0, sync.last_words()
        running = Running(stack)
        running.workspace.wait_for_app(PATIENCE_S)
        yield running
        running.close()
        for program in stack.programs.running.values():
            program.kill()  # to end politely takes each stack 5 s


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Programs end with the test, and their logs are gone with the machine that it failed on."""
    report = yield
    if report.when == "call" and report.failed:
        fixtures = getattr(item, "funcargs", {}).values()
        for running in (each for each in fixtures if isinstance(each, Running)):
            report.sections.append(("what the programs said", running.report()))
    return report


@pytest.fixture(scope="module", params=["socket", "http"])
def either_way(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Running]:
    """The product without a model, in Socket Mode and with its request URL saved in Slack."""
    yield from run(tmp_path_factory.mktemp(request.param), model=False, transport=request.param)


@pytest.fixture(scope="module")
def quoting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The product without a model."""
    yield from run(tmp_path_factory.mktemp("quoting"), model=False)


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The product with the scripted model."""
    yield from run(tmp_path_factory.mktemp("asking"), model=True)
