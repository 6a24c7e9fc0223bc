"""Whether a model is asked what a message means, as far as a bot can tell.

A worker knows whether the exam that a model has passed is the one of today
(worker.generation.second_reader.grades). Where it is not, it says nothing, and the bot decides.
"""

from __future__ import annotations

import time

from sqlmodel import col, select

from core.settings import Settings
from core.storage.database import Database
from core.storage.loop_tables import ExamRow

KNOWN_S = 60.0


class Examined:
    """Of the model that answers where nobody has chosen another. Threads may share it."""

    def __init__(self, database: Database, chosen: Settings) -> None:
        self._database = database
        self._model = chosen.llm_model if chosen.messages_by_model else None
        self._known = (0.0, False)  # until when that counts

    def has_passed(self) -> bool:
        """Whether it has passed an exam, perhaps an older one."""
        if not self._model:
            return False
        until, passed = self._known
        if time.monotonic() >= until:
            query = select(ExamRow.id).where(ExamRow.model == self._model, col(ExamRow.passed))
            with self._database.reading() as session:
                passed = session.exec(query.limit(1)).first() is not None
            self._known = time.monotonic() + KNOWN_S, passed
        return passed
