"""A week of the sample company for the console: really asked, then dated back over seven days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlmodel import col, select, update

from bot.views.answer_blocks import EXPLAIN_ACTION
from core.storage.database import Database
from core.storage.report_tables import CitedPageRow, TurnFactsRow
from core.storage.tables import TurnRow
from sandbox.demo.conversation import is_final
from sandbox.slack.client import Message, NothingCame, Workspace

DAY_S = 86_400.0
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Said:
    """What one person asked on one day, and what they thought of the answer."""

    days_ago: int
    who: str
    channel: str  # empty: in direct messages
    text: str
    thumb: str = ""  # the name of an emoji
    explained: bool = False


WEEK: Sequence[Said] = (
    Said(6, "Alice", "hr", "How much may a hotel in Porto cost per night?", "+1"),
    Said(6, "Ben", "general", "Who leads the Vision team?", "+1"),
    Said(6, "Dev", "hr", "Can I bring my dog to the office?"),
    Said(5, "Chloe", "hr", "How long is parental leave with full pay?", "+1"),
    Said(5, "Lena", "hr", "Darf ich meinen Hund mit ins Büro bringen?", "-1"),
    Said(5, "Dev", "engineering", "How do I roll back a gateway?", "+1", explained=True),
    Said(4, "Alice", "engineering", "What was INC-118?"),
    Said(4, "Ben", "hr", "are dogs allowed in the office"),
    Said(4, "Dev", "", "How much may a hotel in Porto cost per night?"),
    Said(3, "Lena", "hr", "Wann ist Urlaubssperre in der Montage?", "+1"),
    Said(3, "Chloe", "general", "Who pays for the parking space at the airport?", "-1"),
    Said(3, "Alice", "hr", "What is the per diem in Singapore?", "-1"),
    Said(2, "Ben", "engineering", "How do I restore a gateway from a backup?"),
    Said(2, "Dev", "hr", "How many days a week can I work from home?", "+1", explained=True),
    Said(2, "Chloe", "hr", "what does a hotel in porto cost at most"),
    Said(1, "Ben", "hr", "How many days a week can I work from home?"),
    Said(1, "Lena", "general", "Wie heißt die Hauptstadt von Peru?"),
    Said(1, "Alice", "general", "Who do I call when the lift is stuck?"),
    Said(0, "Dev", "general", "What does Lumbrook make?"),
    Said(0, "Chloe", "hr", "What are the limits per night for hotels?", "+1"),
)


def live_through(workspace: Workspace, database: Database) -> Iterator[int]:
    """Ask one after the other, so that nobody else waits for long; how many were asked so far."""
    for number, said in enumerate(WEEK, 1):
        asked = _ask(workspace, said)
        try:
            answer = workspace.wait_for_reply(asked, PATIENCE_S, is_final)
        except NothingCame:
            answer = None
        if answer:
            _react(workspace, said, answer)
        _date_back(database, asked, said.days_ago * DAY_S)
        yield number


def has_been_lived(database: Database) -> bool:
    """Whether somebody has asked there before: a demo keeps its data."""
    with database.reading() as session:
        return session.exec(select(TurnRow.id).limit(1)).first() is not None


def _ask(workspace: Workspace, said: Said) -> Message:
    if not said.channel:
        return workspace.direct(said.who, said.text)
    return workspace.say(said.who, said.channel, f"@groundwire {said.text}")


def _react(workspace: Workspace, said: Said, answer: Message) -> None:
    if said.thumb:
        workspace.react(said.who, answer, said.thumb)
    if said.explained and answer.has_button(EXPLAIN_ACTION):
        workspace.click(said.who, answer, EXPLAIN_ACTION)


def _date_back(database: Database, asked: Message, seconds: float) -> None:
    """What the console tells the time of."""
    this = select(TurnRow.id).where(TurnRow.channel == asked.channel, TurnRow.ts == asked.ts)
    with database.session() as session:
        turn_id = session.exec(this).first()
        if turn_id is None:  # it was no question
            return
        session.exec(
            update(TurnRow)
            .where(col(TurnRow.id) == turn_id)
            .values(
                asked_at=TurnRow.asked_at - seconds,
                finished_at=col(TurnRow.finished_at) - seconds,
            )
        )
        for table in (TurnFactsRow, CitedPageRow):
            rows = update(table).where(col(table.turn_id) == turn_id)
            session.exec(rows.values(asked_at=table.asked_at - seconds))
        facts = update(TurnFactsRow).where(col(TurnFactsRow.turn_id) == turn_id)
        session.exec(facts.values(day=TurnFactsRow.day - int(seconds // DAY_S)))
