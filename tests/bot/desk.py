"""Shared by the tests of the bot: settings, a saved answer, a look into SQL and the queues."""

from __future__ import annotations

import base64
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis
from slack_sdk import WebClient
from sqlmodel import select
from told import told

from bot.access.membership import Membership
from bot.access.vetting import Vetting
from bot.afterwards import Afterwards
from bot.delivery.answer_delivery import AnswerDelivery
from bot.delivery.confirmer import WAIT_S
from bot.delivery.delete_messages import MessageDeletion
from bot.delivery.details_modal import DetailsModal
from bot.delivery.explanation_delivery import ExplanationDelivery
from bot.delivery.home_tab import HomeTab
from bot.gate import Gate
from bot.listeners.suggested_prompts import Prompts
from bot.slack_api.client import client
from bot.slack_api.directory import Directory
from bot.slack_api.messages import SlackMessages
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.sender import Sender
from bot.wiring.speaker import build_speaker
from core.access.disclosure import EVERYBODY, NOTHING, Disclosure
from core.attribution import AnswerVerdict, Effect, Explanation, Role, Spread
from core.jobs.progress_events import Event, EventKind, Events
from core.jobs.queue import TaskName
from core.models import Answer, Record, Source
from core.pages import CONFLUENCE, PageKey
from core.question import Completed
from core.settings import Settings
from core.states import NoAnswer
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import disclosures, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs
from sandbox.slack.client import Message, Workspace
from sandbox.slack.serve import running
from sandbox.slack.web_api.block_kit import accept
from sandbox.slack.web_api.chat import BLOCKS_CHARACTERS
from sandbox.slack.workspace.link import RetryPolicy
from sandbox.slack.workspace.tiers import UNLIMITED
from sandbox.slack.workspace.values import PEOPLE, TEAM_ID

PATIENCE = RetryPolicy(ack_s=1.0, retries_s=(0.1, 0.1, 0.1))  # everything sooner than in Slack
# What a workspace of 2024 did not have.
NEWER = (
    "assistant.threads.setStatus",
    "agents.sessions.setStatus",
    "chat.startStream",
    "chat.appendStream",
    "chat.stopStream",
)
NOBODY = "redis://127.0.0.1:1/0"  # a port on which nobody listens
SOURCES = (
    Source(
        number=1,
        title="On-call guide",
        heading="Who is on call",
        url="https://wiki.example/on-call#who",
        space="OPS",
        owner="Daniel Okoye",
    ),
    Source(
        number=2,
        title="Glossary",
        url="https://wiki.example/glossary",
        space="ENG",
        updated_at="2026-03-01T08:00:00Z",
    ),
)


def settings(folder: Path, slack_url: str, redis_url: str, **more: Any) -> Settings:
    given = {
        "slack_bot_token": "xoxb-sandbox",
        "slack_app_token": "xapp-sandbox",
        "slack_api_url": f"{slack_url}/api/",
    }
    return Settings.model_validate(given | {"redis_url": redis_url, "data_dir": folder} | more)


def environment(folder: Path, slack_url: str, redis_url: str, **more: str) -> dict[str, str]:
    """The same for a process; nothing of the caller's own settings shows through."""
    empty = dict.fromkeys((name.upper() for name in Settings.model_fields), "")
    ours = {
        "SLACK_BOT_TOKEN": "xoxb-sandbox",
        "SLACK_APP_TOKEN": "xapp-sandbox",
        "SLACK_API_URL": f"{slack_url}/api/",
    }
    where = {
        "REDIS_URL": redis_url,
        "DATA_DIR": str(folder),
        "ENV_FILE": "/dev/null",
        "LOG_FORMAT": "json",
    }
    return child_environment(**(empty | ours | where | more))


@dataclass(frozen=True)
class Speaker:
    """A speaker in this process, with what tests look into and act on."""

    settings: Settings
    database: Database
    events: Events
    client: WebClient
    answers: AnswerDelivery
    explanations: ExplanationDelivery
    details: DetailsModal
    deletion: MessageDeletion
    home: HomeTab
    prompts: Prompts
    afterwards: Afterwards
    vetting: Vetting

    @property
    def messages(self) -> SlackMessages:
        return SlackMessages(self.client, self.sender)

    @property
    def sender(self) -> Sender:
        gate = Gate(self.database, self.settings.confirm_valid_s)
        return Sender(self.client, gate, Outbox.of(self.settings, self.database))


def a_speaker(chosen: Settings, database: Database, *, confirm_wait_s: float = WAIT_S) -> Speaker:
    web = client(chosen)
    built = build_speaker(chosen, database, web, confirm_wait_s=confirm_wait_s)
    return Speaker(
        settings=chosen,
        database=database,
        events=Events(chosen.redis_url),
        client=web,
        answers=built.answers,
        explanations=built.explanations,
        details=built.details,
        deletion=built.deletion,
        home=built.home,
        prompts=built.prompts,
        afterwards=built.afterwards,
        vetting=built.vetting,
    )


_DOING = threading.Lock()


def know_everybody(database: Database, web: WebClient, chosen: Settings) -> None:
    """Slack was asked about each of them: else a press is put off until it was."""
    membership = Membership(database, None, chosen)
    for each in PEOPLE:
        membership.learn(TEAM_ID, each.id, Directory(web))


def waiting_in(queues: redis.Redis) -> list[str]:
    """What waits in Redis, by key: all but Celery's own bindings and the budgets of the outbox."""
    no_work = ("_kombu.binding", "groundwire:slack:")
    return [key for key in map(str, queues.keys()) if not key.startswith(no_work)]


def do_afterwards(speaker: Speaker, queues: redis.Redis) -> None:
    """What listeners have put off until they had acknowledged; the rest of the queue stays."""
    work = {
        TaskName.AFTERWARDS.value: speaker.afterwards.do,
        TaskName.VET.value: speaker.vetting.vet,
    }
    with _DOING:
        for raw in reversed(queues.lrange("speak", 0, -1)):
            message = json.loads(raw)
            task = work.get(message["headers"]["task"])
            if task and queues.lrem("speak", 1, raw):  # type: ignore[arg-type]
                task(json.loads(base64.b64decode(message["body"]))[0][0])


@contextmanager
def doing_afterwards(speaker: Speaker, queues: redis.Redis) -> Iterator[None]:
    over = threading.Event()

    def run() -> None:
        while not over.wait(0.02):
            do_afterwards(speaker, queues)

    thread = meanwhile(run)
    try:
        yield
    finally:
        over.set()
        thread.join()


def record(
    text: str = "Ben is on call [1].",
    *,
    question: str = "Who is on call?",
    completed: str = "",
    **more: Any,
) -> Record:
    """An answer as the worker saves it."""
    answer = Answer(text=text, **({"sources": SOURCES, "model": "small"} | more))
    return Record(completed=Completed(question=question, text=completed or question), answer=answer)


def effect(label: str = "On-call guide", **more: Any) -> Effect:
    given = {
        "evidence_ids": ("a",),
        "source_numbers": (1,),
        "away": Spread(mean=0.4, low=0.3, high=0.5, repeats=5),
        "share": 1.0,
    }
    return Effect(
        label=label,
        **(given | {"role": Role.NEEDED, "counterfactual": "Nobody knows."} | more),
    )


def explanation(turn_id: str, *effects: Effect, **more: Any) -> Explanation:
    given = {
        "verdict": AnswerVerdict.CAUSED,
        "tries": 17,
    }
    return Explanation(turn_id=turn_id, effects=effects or (effect(),), **(given | more))


def write(speaker: Speaker, turn: Turn, *pieces: str, shows: Disclosure = NOTHING) -> None:
    """Text of an answer as a worker reports it, of evidence that gives this away."""
    speaker.events.publish(turn.id, disclosures.evidence_event(shows), key=turn.words_key)
    for piece in pieces:
        speaker.events.publish(turn.id, Event(EventKind.TEXT, piece), key=turn.words_key)


def confirm(database: Database, *ids: str, audience: str = EVERYBODY, age_s: float = 0.0) -> None:
    """These pages are open to their readers, as the source has said a moment ago."""
    pages = {PageKey(CONFLUENCE, each): True for each in ids}
    told(database, audience, pages, time.time() - age_s)


def asked(
    database: Database,
    message: Message,
    *,
    question: str = "Who is on call?",
    refused: NoAnswer | None = None,
) -> Turn:
    """A question that a person wrote into the workspace, written down as the listener does."""
    where = Address(team=TEAM_ID, channel=message.channel, ts=message.ts, thread_ts=message.root_ts)
    turn = turn_store.ask(
        database, NewQuestion(where, user=message.user, refused=refused, text=question)
    )
    assert turn is not None
    return turn


def said(workspace: Workspace, question: Message) -> list[Message]:
    """What the bot has said in the thread of the question."""
    return [
        message for message in workspace.thread(question.channel, question.root_ts) if message.bot
    ]


def meanwhile(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def texts(shown: list[dict[str, Any]], kind: str) -> list[str]:
    """The texts of all blocks of one kind."""
    found = [block for block in shown if block["type"] == kind]
    return [
        each["text"]
        for block in found
        for each in block.get("elements", [block["text"] if kind == "section" else block])
    ]


def check(shown: list[dict[str, Any]]) -> None:
    """Slack takes it: each limit as the stand-in knows it from the documentation."""
    accept(shown)
    assert len(json.dumps(shown, ensure_ascii=False)) <= BLOCKS_CHARACTERS


@dataclass(frozen=True)
class Desk:
    """A running bot: the workspace it sits in, its database and its queues."""

    workspace: Workspace
    speaker: Speaker  # beside it
    redis: redis.Redis

    @property
    def database(self) -> Database:
        return self.speaker.database

    def settle(self) -> None:
        """Wait until the bot has acknowledged all that it was told, and done what it put off."""
        self.workspace.wait_until(
            lambda: all(each["acknowledged"] for each in self.deliveries()),
            what="every acknowledgement",
        )
        do_afterwards(self.speaker, self.redis)

    def deliveries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.workspace.state()["deliveries"]
        return found

    def turns(self, message: Message) -> list[Turn]:
        """The turns of the thread that this message belongs to, oldest first."""
        with self.database.reading() as session:
            rows = session.exec(
                select(TurnRow).where(TurnRow.channel == message.channel).order_by(TurnRow.ts)
            ).all()
        turns = [turn_store.load(self.database, row.id) for row in rows]
        return [
            turn for turn in turns if turn is not None and turn.address.thread_ts == message.root_ts
        ]

    def turn(self, message: Message) -> Turn:
        (turn,) = self.turns(message)
        return turn

    def queued(self, name: str) -> list[tuple[str, str]]:
        """(Task, turn id) of the messages in a queue, the first to be worked on first."""
        messages = [json.loads(raw) for raw in reversed(self.redis.lrange(name, 0, -1))]
        return [
            (message["headers"]["task"], json.loads(base64.b64decode(message["body"]))[0][0])
            for message in messages
        ]

    def ephemeral_messages(self, user: str) -> list[str]:
        """What the bot has said to this person (by id) alone."""
        calls = self.workspace.received("chat.postEphemeral")
        return [call.arguments["text"] for call in calls if call.arguments["user"] == user]


def answer(desk: Desk, message: Message, made: Record | None = None) -> Message:
    """The answer to this message, as a worker and a speaker bring it."""
    turn = asked(desk.database, message)
    turn_store.answer(desk.database, turn.id, made or record())
    desk.speaker.answers.deliver(turn.id)
    return desk.workspace.wait_for_reply(message, settled=lambda m: bool(m.blocks))


@contextmanager
def running_bot(folder: Path, broker: str, **more: str) -> Iterator[Desk]:
    """A workspace and a bot of its own, with these settings beside the usual ones."""
    with (
        running(PATIENCE, seed=7, limits=UNLIMITED) as url,
        Workspace(url) as workspace,
        Programs(folder / "logs") as programs,
    ):
        bot = programs.start(
            "bot",
            [sys.executable, "-m", "bot"],
            environment(folder, url, broker, **more),
            ready="listening",
        )
        bot.wait_until_ready()
        chosen = settings(
            folder, url, broker, **{name.lower(): value for name, value in more.items()}
        )
        database = Database(chosen.sql_url)
        with redis.Redis.from_url(broker) as queues:
            speaker = a_speaker(chosen, database)
            know_everybody(database, speaker.client, chosen)
            with doing_afterwards(speaker, queues):
                yield Desk(workspace, speaker, queues)
        database.close()
        bot.kill()  # closing Socket Mode politely takes 3 s
