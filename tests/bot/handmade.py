"""Payloads made by hand and signed, as nobody's Slack sends them, to the app as it runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import urlencode

import redis
from desk import Speaker, do_afterwards, record
from slack_bolt import App, BoltRequest
from sqlmodel import SQLModel, select

from bot.listeners.feedback import WHY_ACTION
from bot.views.answer_blocks import (
    ASK_AGAIN_ACTION,
    EXPLAIN_ACTION,
    FEEDBACK_ACTION,
    FOLLOW_UP_ACTION,
    UNFILTERED_ACTION,
)
from bot.views.answer_menu import MORE_ACTION
from bot.views.explanation_blocks import DETAILS_ACTION, STOP_ACTION
from bot.views.feedback_forms import DELETE_CALLBACK, REPORT_CALLBACK, TEXT, WHAT, WHY_CALLBACK
from bot.views.progress import STOP_ANSWER_ACTION
from core.policy import audit
from core.states import PostKind
from core.storage.database import Database
from core.storage.tables import (
    DetailRequestRow,
    ExplanationRow,
    FeedbackHistoryRow,
    FeedbackRow,
    ReportRow,
    TurnRow,
)
from core.turns import post_store, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from sandbox.slack.client import Workspace
from sandbox.slack.workspace import events
from sandbox.slack.workspace.signed_http import signed
from sandbox.slack.workspace.values import TEAM_ID, Json

ALICE, BEN, GRETA = "U0ALICE", "U0BEN", "U0GRETA"
CHANNEL, OTHER = "C0GENERAL", "C0HR"
FORM = "application/x-www-form-urlencoded"
STATE = {"values": {WHAT: {WHAT: {"selected_options": []}}, TEXT: {TEXT: {"value": "wrong"}}}}

# What the value of each button is made of; the id of the turn goes for `{}`.
BUTTONS = {
    EXPLAIN_ACTION: "{}",
    STOP_ACTION: "{}",
    DETAILS_ACTION: "{}",
    STOP_ANSWER_ACTION: "{}",
    FEEDBACK_ACTION: "up:{}",
    WHY_ACTION: "{}",
    ASK_AGAIN_ACTION: "{}",
    UNFILTERED_ACTION: "{}",
    f"{FOLLOW_UP_ACTION}_0": "{}:0",
    f"{MORE_ACTION} behind": "behind:{}",
    f"{MORE_ACTION} report": "report:{}",
    f"{MORE_ACTION} delete": "delete:{}",
}
MODALS = (REPORT_CALLBACK, DELETE_CALLBACK, WHY_CALLBACK)
WATCHED: tuple[type[SQLModel], ...] = (
    DetailRequestRow,
    ExplanationRow,
    FeedbackHistoryRow,
    FeedbackRow,
    ReportRow,
    TurnRow,
)


@dataclass(frozen=True)
class Bot:
    """The app as both transports run it, and its world."""

    app: App
    database: Database
    workspace: Workspace
    queues: redis.Redis
    speaker: Speaker

    def send(self, body: str, kind: str) -> Json:
        response = self.app.dispatch(BoltRequest(body=body, headers=dict(signed(body, kind))))
        assert response.status == 200
        do_afterwards(self.speaker, self.queues)
        return json.loads(response.body) if response.body else {}

    def interact(self, payload: Json) -> Json:
        return self.send(urlencode({"payload": json.dumps(payload)}), FORM)

    def event(self, payload: Json) -> None:
        self.send(json.dumps(events.callback(payload)), "application/json")

    def whispers(self) -> list[str]:
        calls = self.workspace.received("chat.postEphemeral")
        return [call.arguments["text"] for call in calls]

    def rows(self) -> dict[str, list[Json]]:
        """All that an action could have changed."""
        found: dict[str, list[Json]] = {}
        with self.database.reading() as session:
            for table in WATCHED:
                rows = session.exec(select(table)).all()
                found[table.__name__] = [row.model_dump(mode="json") for row in rows]
        return found

    def refusals(self) -> list[tuple[str, str, str]]:
        rows = list(audit.entries(self.database))
        return [(row.actor, row.subject, row.details["why"]) for row in rows]


def a_turn(
    database: Database,
    ts: str = "1.0",
    *,
    team: str = TEAM_ID,
    channel: str = CHANNEL,
    user: str = ALICE,
    private: bool = False,
) -> Turn:
    """An answered turn whose answer stands at `ts` + 1."""
    where = Address(team, channel, ts, ts)
    turn = turn_store.ask(database, NewQuestion(where, user, "Who?", private=private))
    assert turn is not None
    turn_store.answer(database, turn.id, record(suggestions=("And next week?",)))
    post = post_store.ensure(database, turn, PostKind.ANSWER)
    post_store.save_place(database, post.id, answer_of(turn))
    return turn


def answer_of(turn: Turn) -> str:
    return f"{turn.address.ts}1"


def press(action: str, value: str, channel: str, ts: str, *, user: str = BEN) -> Json:
    action_id = action.partition(" ")[0]
    pressed: Json = {"action_id": action_id, "block_id": "b", "action_ts": "1790000000.1"}
    if action_id == MORE_ACTION:
        pressed |= {"type": "overflow", "selected_option": {"value": value}}
    else:
        pressed |= {"type": "button", "value": value}
    return {
        "type": "block_actions",
        **about(user),
        "container": {"type": "message", "message_ts": ts, "channel_id": channel},
        "channel": {"id": channel},
        "message": {"ts": ts},
        "actions": [pressed],
    }


def about(user: str) -> Json:
    return {
        "user": {"id": user, "team_id": TEAM_ID},
        "team": {"id": TEAM_ID},
        "trigger_id": "1.2.3",
        "token": "sandbox",
        "is_enterprise_install": False,
    }


def submission(callback: str, carried: str, *, user: str = BEN) -> Json:
    view = {"id": "V1", "type": "modal", "callback_id": callback, "private_metadata": carried}
    return {"type": "view_submission", **about(user), "view": view | {"state": STATE}}


def shortcut(callback: str, channel: str, ts: str) -> Json:
    where = {"channel": {"id": channel}, "message_ts": ts, "callback_id": callback}
    return {"type": "message_action", **about(BEN), **where}


def reaction(name: str, channel: str, ts: str) -> Json:
    item = {"type": "message", "channel": channel, "ts": ts}
    return {
        "type": "reaction_added",
        "user": BEN,
        "reaction": name,
        "item": item,
        "event_ts": "1790000000.1",
    }
