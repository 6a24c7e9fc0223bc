"""In which language somebody uses Slack: asked for once a day, and kept when Slack does not say."""

from __future__ import annotations

import pytest
import redis
from desk import Speaker, do_afterwards
from sqlmodel import update

from bot import voices
from bot.access.locales import Locales
from core.policy import people
from core.policy.people import LOCALE_FRESH_S
from core.storage.database import Database
from core.storage.people_tables import PersonRow
from sandbox.slack.client import Workspace
from sandbox.slack.workspace.values import TEAM_ID

ALICE, LENA = "U0ALICE", "U0LENA"


class Learning:
    """Has Slack asked, and a speaker ask at once."""

    def __init__(self, speaker: Speaker, queues: redis.Redis) -> None:
        self._speaker = speaker
        self._queues = queues

    def learn(self, team: str, user: str) -> None:
        Locales(self._speaker.database).learn(team, user)
        do_afterwards(self._speaker, self._queues)


@pytest.fixture
def locales(speaker: Speaker, queues: redis.Redis) -> Learning:
    return Learning(speaker, queues)


def age(database: Database) -> None:
    with database.session() as session:
        older = PersonRow.locale_read_at - LOCALE_FRESH_S
        session.exec(update(PersonRow).values(locale_read_at=older))


def test_a_person_is_spoken_to_in_the_locale_that_slack_tells(
    locales: Learning, database: Database
) -> None:
    assert voices.to(database, TEAM_ID, LENA).language == "en"
    locales.learn(TEAM_ID, LENA)
    locales.learn(TEAM_ID, ALICE)
    assert people.locale(database, TEAM_ID, LENA) == "de-DE"
    assert voices.to(database, TEAM_ID, LENA).language == "de"
    assert voices.to(database, TEAM_ID, ALICE).language == "en"


def test_slack_is_asked_once_a_day(
    locales: Learning, workspace: Workspace, database: Database
) -> None:
    for _ in range(3):
        locales.learn(TEAM_ID, LENA)
    assert len(workspace.received("users.info")) == 1
    age(database)
    locales.learn(TEAM_ID, LENA)
    assert len(workspace.received("users.info")) == 2


def test_a_locale_is_kept_while_slack_does_not_say(
    locales: Learning, workspace: Workspace, database: Database
) -> None:
    locales.learn(TEAM_ID, LENA)
    age(database)
    workspace.fault("users.info", error="internal_error", times=9)
    locales.learn(TEAM_ID, LENA)
    locales.learn(TEAM_ID, LENA)  # and not asked again and again
    assert people.locale(database, TEAM_ID, LENA) == "de-DE"
    asked = len(workspace.received("users.info"))
    locales.learn(TEAM_ID, LENA)
    assert len(workspace.received("users.info")) == asked
