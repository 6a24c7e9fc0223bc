"""Wires a speaker for each workspace, when there is first something to say in it."""

from __future__ import annotations

import threading
from functools import cache

from sqlmodel import col, select

from bot.slack_api.client import client
from bot.wiring.installed import workspaces
from bot.wiring.speaker import Speaker, build_speaker
from core.jobs import afterwards
from core.settings import settings
from core.storage.database import open_database
from core.storage.tables import DetailRequestRow, TurnRow


class Speakers:
    """Those of this process; one is for every team where SLACK_BOT_TOKEN is set."""

    def __init__(self) -> None:
        """Raises SettingsError: a setting is missing, or contradicts another one."""
        self._chosen = settings()
        self._database = open_database(self._chosen.sql_url)
        self._workspaces = workspaces(self._chosen, self._database)
        self._built: dict[str, Speaker] = {}
        self._one_thread = threading.Lock()

    def of(self, team: str) -> Speaker:
        workspace = self._workspaces.of(team)
        with self._one_thread:
            if workspace.team not in self._built:
                web = client(self._chosen, workspace)
                built = build_speaker(self._chosen, self._database, web, workspace=workspace)
                self._built[workspace.team] = built
            return self._built[workspace.team]

    def of_turn(self, turn_id: str) -> Speaker:
        """That of its workspace; of none, which is told nothing, when there is no such turn."""
        query = select(TurnRow.team).where(col(TurnRow.id) == turn_id)
        with self._database.reading() as session:
            return self.of(session.exec(query).first() or "")

    def of_view(self, view_id: str) -> Speaker:
        with self._database.reading() as session:
            row = session.get(DetailRequestRow, view_id)
        return self.of_turn(row.turn_id if row else "")

    def of_row(self, row_id: str) -> Speaker:
        """That for what was put off until after an acknowledgement."""
        return self.of(afterwards.team(self._database, row_id))


@cache
def speakers() -> Speakers:
    """Raises SettingsError."""
    return Speakers()
