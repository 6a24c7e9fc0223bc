"""What tests of the bot begin with: a workspace and a speaker here, or a bot as a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from desk import Desk, Speaker, a_speaker, asked, know_everybody, record, running_bot, settings
from handmade import Bot

from bot.app import build
from core.storage.database import Database
from core.turns import turn_store
from core.turns.turn import Turn
from sandbox.slack.client import Message, Workspace
from sandbox.slack.serve import running
from sandbox.slack.workspace.tiers import UNLIMITED
from sandbox.slack.workspace.values import SIGNING_SECRET

PATIENCE_S = 100.0  # of the speaker; no test waits for its end
DESK = 7  # of the databases of Redis, the one of bots that are processes


@pytest.fixture(scope="module")
def slack_url() -> Iterator[str]:
    """The stand-in for Slack in a thread, one for the tests of a module."""
    with running(limits=UNLIMITED) as url:
        yield url


@pytest.fixture(scope="module")
def shared(slack_url: str) -> Iterator[Workspace]:
    with Workspace(slack_url) as workspace:
        yield workspace


@pytest.fixture
def workspace(shared: Workspace) -> Workspace:
    """The workspace in which nothing was said yet."""
    shared.reset()
    return shared


@pytest.fixture
def speaker(
    tmp_path: Path, database: Database, workspace: Workspace, queues: redis.Redis, redis_url: str
) -> Speaker:
    """A speaker in this process; the queues are empty."""
    return a_speaker(
        settings(tmp_path, workspace.url, redis_url, answer_patience_s=PATIENCE_S), database
    )


@pytest.fixture
def hand(
    workspace: Workspace, database: Database, queues: redis.Redis, redis_url: str, tmp_path: Path
) -> Bot:
    """The bot, and payloads made by hand."""
    queues.flushdb()
    chosen = settings(tmp_path, workspace.url, redis_url, slack_signing_secret=SIGNING_SECRET)
    speaker = a_speaker(chosen, database)
    know_everybody(database, speaker.client, chosen)
    return Bot(build(chosen, database), database, workspace, queues, speaker)


@pytest.fixture
def question(workspace: Workspace) -> Message:
    return workspace.say("alice", "general", "who is on call?")


@pytest.fixture
def turn(database: Database, question: Message) -> Turn:
    return asked(database, question)


@pytest.fixture
def done(database: Database, turn: Turn) -> Turn:
    """A turn that a worker has answered."""
    turn_store.answer(database, turn.id, record())
    return turn


@pytest.fixture(scope="module")
def more_settings() -> dict[str, str]:
    """Of the bot of this module, beside the usual ones."""
    return {}


@pytest.fixture(scope="module")
def one_bot(
    tmp_path_factory: pytest.TempPathFactory, redis_url: str, more_settings: dict[str, str]
) -> Iterator[Desk]:
    """One bot for all tests of a module."""
    broker = f"{redis_url.rpartition('/')[0]}/{DESK}"
    with running_bot(tmp_path_factory.mktemp("bot"), broker, **more_settings) as desk:
        yield desk


@pytest.fixture
def desk(one_bot: Desk) -> Desk:
    """That bot, with nothing said in Slack and nothing in its queues."""
    one_bot.workspace.reset()
    one_bot.redis.flushdb()
    return one_bot
