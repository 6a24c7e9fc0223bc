"""Grades of the exam in SQL: which models of the endpoint may say what of their answers is said."""

from __future__ import annotations

import time
from hashlib import blake2b

from core import logs
from core.settings import Settings
from core.storage.database import Database
from core.storage.loop_tables import ExamRow
from core.storage.upsert import put
from worker.generation.second_reader.exam import FILE, Grade
from worker.prompting import templates

KNOWN_S = 60.0  # a grade counts in every worker after as long, without a restart

log = logs.get(__name__)


class Grades:
    """Of the models at LLM_BASE_URL. Threads may share it."""

    def __init__(self, database: Database, chosen: Settings) -> None:
        self._database = database
        self._asked = (chosen.llm_base_url or "", str(chosen.llm_sampling))
        self._known: dict[str, tuple[float, bool]] = {}  # by model: until when that counts

    def has_passed(self, model: str) -> bool:
        """Whether this model has passed the exam as it is now, at this endpoint."""
        until, passed = self._known.get(model, (0.0, False))
        if time.monotonic() >= until:
            row = self.of(model)
            passed = row is not None and row.passed
            self._known[model] = time.monotonic() + KNOWN_S, passed
        return passed

    def of(self, model: str) -> ExamRow | None:
        """Its last exam; None where it has taken none, or another one."""
        with self._database.reading() as session:
            return session.get(ExamRow, self._id(model))

    def save(self, model: str, grade: Grade) -> None:
        row = ExamRow(
            id=self._id(model), model=model, passed=grade.is_passed, figures=_figures(grade)
        )
        with self._database.session() as session:
            put(session, row)
        log.info("exam.taken", model=model, passed=grade.is_passed, **_figures(grade))

    def _id(self, model: str) -> str:
        """Of this exam, with these prompts, taken by this model at this endpoint, so asked."""
        digest = blake2b(digest_size=16)
        prompts = map(templates.source, ("read_claims", "evidence"))
        for part in (*self._asked, model, *prompts):
            digest.update(part.encode() + b"\0")
        digest.update(FILE.read_bytes())
        return digest.hexdigest()


def _figures(grade: Grade) -> dict[str, int]:
    return {
        "right": grade.right,
        "flagged": grade.flagged,
        "wrong": grade.wrong,
        "found": grade.found,
        "not_believed": grade.not_believed,
        "calls": grade.usage.calls,
        "prompt_tokens": grade.usage.prompt_tokens,
        "completion_tokens": grade.usage.completion_tokens,
    }
