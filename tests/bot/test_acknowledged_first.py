"""Whatever Slack sends is acknowledged while its Web API answers nothing at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from desk import a_speaker, know_everybody, settings
from handmade import (
    ALICE,
    BUTTONS,
    CHANNEL,
    MODALS,
    Bot,
    a_turn,
    about,
    answer_of,
    press,
    reaction,
    shortcut,
    submission,
)
from slack_bolt import BoltRequest
from wire import Wire

from bot.app import build
from bot.listeners.explain_shortcut import EXPLAIN_SHORTCUT
from bot.listeners.slash_command import NAME
from bot.slack_api.client import HASTY_S
from bot.views.home import FORGET_ACTION, HIDE_ACTION, RESTORE_ACTION, SHOWN_ACTION
from core.storage.database import Database
from core.turns.turn import Turn
from sandbox.slack.client import Workspace
from sandbox.slack.workspace import events
from sandbox.slack.workspace.values import BOT_USER_ID, SIGNING_SECRET, Json

SOON_S = 10 * HASTY_S  # far below what any other call is given


@pytest.fixture
def deaf(
    workspace: Workspace,
    database: Database,
    queues: redis.Redis,
    redis_url: str,
    tmp_path: Path,
) -> Iterator[Bot]:
    """A bot that knows everybody, and whose every call from now on is never answered."""
    chosen = settings(tmp_path, workspace.url, redis_url, slack_signing_secret=SIGNING_SECRET)
    speaker = a_speaker(chosen, database)
    know_everybody(database, speaker.client, chosen)
    wire = Wire(int(workspace.url.rpartition(":")[2]))
    app = build(chosen.model_copy(update={"slack_api_url": wire.url}), database)
    wire.silent = True
    yield Bot(app, database, workspace, queues, speaker)
    wire.stop()
    # What waits for Slack goes on now, and says so in the log: not while another test listens.
    app.listener_runner.listener_executor.shutdown()


def acknowledged(bot: Bot, body: Json) -> bool:
    done: list[int] = []

    def dispatch() -> None:
        done.append(bot.app.dispatch(BoltRequest(body=body, mode="socket_mode")).status)

    thread = threading.Thread(target=dispatch, daemon=True)
    thread.start()
    thread.join(SOON_S)
    return done == [200]


def everything(turn: Turn) -> Iterator[tuple[str, Json]]:
    for action, value in BUTTONS.items():
        yield action, press(action, value.format(turn.id), CHANNEL, answer_of(turn), user=ALICE)
    for action in (HIDE_ACTION, RESTORE_ACTION, FORGET_ACTION, SHOWN_ACTION):
        yield action, press(action, turn.id, "", "", user=ALICE)
    for callback in MODALS:
        yield callback, submission(callback, turn.id, user=ALICE)
    yield "shortcut", shortcut(EXPLAIN_SHORTCUT, CHANNEL, answer_of(turn))
    for name in ("+1", "-1", "mag"):
        yield name, events.callback(reaction(name, CHANNEL, answer_of(turn)))
    for text in ("who is on call?", "thanks!", "can you answer this?"):
        said = {"user": ALICE, "channel": CHANNEL, "text": f"<@{BOT_USER_ID}> {text}"}
        more = {"ts": f"9.{len(text)}", "thread_ts": turn.address.thread_ts}
        yield text, events.callback({"type": "app_mention", **said, **more})
        direct = {"type": "message", "channel_type": "im", "channel": "D1"}
        yield f"direct {text}", events.callback({**said, **direct, "ts": f"8.{len(text)}"})
    for tab in ("home", "messages"):
        opened = {"type": "app_home_opened", "user": ALICE, "channel": "D1", "tab": tab}
        yield tab, events.callback(opened)
    for text in ("", "settings", "who is on call?"):
        who = about(ALICE) | {"user_id": ALICE, "team_id": turn.address.team}
        where = {"channel_id": CHANNEL, "channel_name": "general"}
        yield f"{NAME} {text}", {**who, **where, "command": NAME, "text": text}


def test_everything_is_acknowledged_while_slack_answers_nothing(deaf: Bot) -> None:
    turn = a_turn(deaf.database)
    late = [name for name, body in everything(turn) if not acknowledged(deaf, body)]
    assert late == []


def test_the_question_of_somebody_unknown_is_acknowledged_too(deaf: Bot) -> None:
    asked = f"<@{BOT_USER_ID}> who is on call?"
    said = {"user": "U0NEW", "channel": CHANNEL, "text": asked, "ts": "7.1"}
    assert acknowledged(deaf, events.callback({"type": "app_mention", **said}))
    (row,) = deaf.rows()["TurnRow"]
    assert not row["vetted"]
    assert json.dumps(deaf.queues.lrange("answer", 0, -1)) == "[]"


def test_the_press_of_somebody_unknown_is_acknowledged_too(deaf: Bot) -> None:
    turn = a_turn(deaf.database)
    pressed = press("feedback", f"up:{turn.id}", CHANNEL, answer_of(turn), user="U0NEW")
    assert acknowledged(deaf, pressed)
