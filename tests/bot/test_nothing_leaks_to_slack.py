"""Build any message with a restricted string, and the gate stops it.

Every way on which something of an answer leaves for Slack is gone with a restricted word in each
string of the answer and of its explanation. With a fresh confirmation it does arrive.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import canary
import pytest
import redis
from desk import NEWER, Speaker, a_speaker, confirm, meanwhile, settings, write
from matplotlib.figure import Figure
from told import told
from wiki import page, piece

from bot.listeners.explain_shortcut import EXPLAIN_SHORTCUT
from core.access.disclosure import EVERYBODY, of_pages
from core.jobs.progress_events import Event, EventKind
from core.models import Note
from core.pages import PageKey
from core.policy.acl import OPEN_ID
from core.states import DetailKind, NoAnswer
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, SpaceRow
from core.turns import detail_requests, explanations, turn_delivery, turn_store
from core.turns.turn import NewQuestion, Turn
from sandbox.slack.client import Message, Workspace
from sandbox.slack.workspace.values import TEAM_ID

Exit = Callable[[Speaker, Turn, Message, Workspace], None]
SHOWS = of_pages([canary.PAGE])
LOOKED_S = 1.5  # a delivery looks into SQL every second
LONG = f"The {canary.WORD} opens the harbour gate. " * 400


@pytest.fixture
def speaker(
    tmp_path: Path, database: Database, workspace: Workspace, queues: redis.Redis, redis_url: str
) -> Speaker:
    """A speaker that does not wait long for workers, of which there are none."""
    chosen = settings(tmp_path, workspace.url, redis_url, answer_patience_s=100.0)
    return a_speaker(chosen, database, confirm_wait_s=0.3)


def answered(speaker: Speaker, turn: Turn, **more: Any) -> None:
    turn_store.answer(speaker.database, turn.id, canary.record(**more))


def an_answer(speaker: Speaker, turn: Turn, _: Message, __: Workspace) -> None:
    answered(speaker, turn)
    speaker.answers.deliver(turn.id)


def a_long_answer(speaker: Speaker, turn: Turn, _: Message, __: Workspace) -> None:
    made = canary.record()
    answered(speaker, turn, answer=made.answer.model_copy(update={"text": LONG}))
    speaker.answers.deliver(turn.id)


def an_answer_that_found_nothing(speaker: Speaker, turn: Turn, _: Message, __: Workspace) -> None:
    made = canary.record().answer
    answered(speaker, turn, answer=made.model_copy(update={"notes": tuple(Note)}))
    speaker.answers.deliver(turn.id)


def a_changed_answer(speaker: Speaker, turn: Turn, _: Message, __: Workspace) -> None:
    """Such as one with a stale source: it was delivered before, with nothing in it."""
    empty = canary.record(hits=(), named=())
    completed = empty.completed.model_copy(update={"pages": (), "text": "?", "question": "?"})
    bare = empty.answer.model_copy(
        update={"text": "Ben.", "sources": (), "suggestions": (), "searched": ()}
    )
    completed = completed.model_copy(update={"conditions": ()})
    answered(speaker, turn, hits=(), named=(), completed=completed, answer=bare)
    speaker.answers.deliver(turn.id)
    loaded = turn_store.load(speaker.database, turn.id)
    assert loaded is not None
    assert loaded.delivered
    turn_delivery.redeliver(speaker.database, loaded, canary.record())
    speaker.answers.deliver(turn.id)


def text_as_it_is_written(
    speaker: Speaker, turn: Turn, question: Message, workspace: Workspace
) -> None:
    """Shown in the placeholder or in a stream, and then the person stops it."""
    write(speaker, turn, LONG, shows=SHOWS)
    thread = meanwhile(lambda: speaker.answers.deliver(turn.id))
    time.sleep(LOOKED_S)
    turn_store.fail(speaker.database, turn.id, NoAnswer.STOPPED)
    speaker.events.publish(turn.id, Event(EventKind.DONE))
    thread.join()


def text_without_its_pages(
    speaker: Speaker, turn: Turn, question: Message, workspace: Workspace
) -> None:
    """A worker that does not say of which evidence it writes; the same text with it follows."""
    speaker.events.publish(turn.id, Event(EventKind.TEXT, LONG), key=turn.words_key)
    text_as_it_is_written(speaker, turn, question, workspace)


def an_old_text(speaker: Speaker, turn: Turn, question: Message, workspace: Workspace) -> None:
    """In a workspace without streams."""
    workspace.lack(*NEWER)
    text_as_it_is_written(speaker, turn, question, workspace)


def an_explanation(speaker: Speaker, turn: Turn, _: Message, __: Workspace) -> None:
    answered(speaker, turn)
    picture = io.BytesIO()
    Figure(figsize=(1, 1)).savefig(picture, format="png")
    explanations.request(speaker.database, turn.id, "U0BEN")
    made = canary.explanation(turn.id)
    explanations.save(speaker.database, made, picture.getvalue())
    speaker.explanations.deliver(turn.id)


def a_modal(what: DetailKind) -> Exit:
    def shown(speaker: Speaker, turn: Turn, question: Message, workspace: Workspace) -> None:
        answered(speaker, turn)
        explanations.request(speaker.database, turn.id, "U0BEN")
        explanations.save(speaker.database, canary.explanation(turn.id))
        trigger = workspace.shortcut("alice", question, EXPLAIN_SHORTCUT)
        loaded = turn_store.load(speaker.database, turn.id)
        assert loaded is not None
        speaker.details.open(loaded, "U0ALICE", trigger, what=what)
        (view,) = workspace.views("U0ALICE")
        view_id = str(view["id"])
        detail_requests.decide(speaker.database, view_id, may_see=True, audience=EVERYBODY)
        speaker.details.show(view_id)

    shown.__name__ = f"a_modal_of_{what.value}"
    return shown


def a_question_of_a_button(speaker: Speaker, turn: Turn, _: Message, workspace: Workspace) -> None:
    """A suggestion names a page; who pressed it is shown it above the answer."""
    pressed = NewQuestion(
        replace(turn.address, ts=f"{float(turn.address.ts) + 1:.6f}"),
        user="U0BEN",
        text=f"What is a {canary.WORD}?",
        by_button=True,
        shows=SHOWS,
    )
    turn_store.fail(speaker.database, turn.id, NoAnswer.LATE)
    new = turn_store.ask(speaker.database, pressed)
    assert new is not None
    thread = meanwhile(lambda: speaker.answers.deliver(new.id))
    time.sleep(LOOKED_S)
    turn_store.fail(speaker.database, new.id, NoAnswer.LATE)
    thread.join()


def indexed(speaker: Speaker) -> None:
    title = f"The {canary.WORD} plan"
    heading = f"A {canary.WORD} a day"
    evidence = piece("Much.", canary.PAGE.id, heading_path=(heading,)).model_dump(mode="json")
    row = page(canary.PAGE.id, title).model_dump(mode="json")
    with speaker.database.session() as session:
        session.add(
            PageRow(id=canary.PAGE.id, space=canary.WORD, title=title, record=row, acl_id=OPEN_ID)
        )
        session.add(SpaceRow(key=canary.WORD, name=canary.WORD))
        session.flush()
        session.add(
            EvidenceRow(
                id="e", page_id=canary.PAGE.id, acl_id=OPEN_ID, record=evidence, text_hash="e"
            )
        )


def home(speaker: Speaker, turn: Turn, _: Message, __: Workspace) -> None:
    indexed(speaker)
    speaker.home.publish(TEAM_ID, "U0ALICE", hidden=False)


def prompts(speaker: Speaker, turn: Turn, _: Message, workspace: Workspace) -> None:
    indexed(speaker)
    speaker.prompts.suggest(TEAM_ID, "U0ALICE", workspace.open_direct("alice"))


EXITS: list[Exit] = [
    an_answer,
    a_long_answer,
    an_answer_that_found_nothing,
    a_changed_answer,
    text_as_it_is_written,
    text_without_its_pages,
    an_old_text,
    an_explanation,
    a_modal(DetailKind.DETAILS),
    a_modal(DetailKind.REPORT),
    a_modal(DetailKind.SOURCES),
    a_question_of_a_button,
    home,
    prompts,
]


def never_asked(database: Database) -> None:
    """Nobody knows whether the page is open."""


def closed(database: Database) -> None:
    told(database, EVERYBODY, {canary.PAGE: False}, time.time())


def long_ago(database: Database) -> None:
    confirm(database, canary.PAGE.id, age_s=60.0)


def for_somebody_else(database: Database) -> None:
    confirm(database, canary.PAGE.id, audience="user:5b")


def another_page(database: Database) -> None:
    told(database, EVERYBODY, {PageKey("wiki", canary.PAGE.id): True}, time.time())


def heard(workspace: Workspace) -> list[str]:
    """The methods whose arguments held the word, refused ones included."""
    return [
        call.method
        for call in workspace.received()
        if canary.WORD in json.dumps(call.arguments, ensure_ascii=False)
    ]


def pictures(workspace: Workspace) -> list[str]:
    return [call.method for call in workspace.received() if call.method.startswith("files.")]


@pytest.mark.parametrize("way", EXITS, ids=lambda way: way.__name__)
@pytest.mark.parametrize(
    "known",
    [never_asked, closed, long_ago, for_somebody_else, another_page],
    ids=lambda known: known.__name__,
)
def test_a_restricted_word_reaches_slack_on_no_way(
    workspace: Workspace,
    speaker: Speaker,
    question: Message,
    turn: Turn,
    way: Exit,
    known: Callable[[Database], None],
) -> None:
    known(speaker.database)
    way(speaker, turn, question, workspace)
    assert heard(workspace) == []
    assert pictures(workspace) == []


@pytest.mark.parametrize("way", EXITS, ids=lambda way: way.__name__)
def test_it_does_when_its_page_is_confirmed(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn, way: Exit
) -> None:
    confirm(speaker.database, canary.PAGE.id)
    way(speaker, turn, question, workspace)
    assert heard(workspace)


def test_the_canary_is_in_every_string_of_an_answer() -> None:
    made = canary.record()
    assert made.pages == {canary.PAGE}
    dumped = made.model_dump()
    silent = [
        name
        for name in ("prompt", "completed", "hits", "answer")
        if canary.WORD not in str(dumped[name])
    ]
    assert silent == []
