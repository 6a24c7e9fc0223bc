"""The exam: whether the model may check its own answers, and answer what the gate refuses."""

from __future__ import annotations

from core.settings.values import SupportBy
from core.storage.loop_tables import ExamRow
from groundwire.doctor.checks import database
from groundwire.doctor.finding import HealthFinding, NotTried, not_tried, ok, warning
from groundwire.doctor.patient import Patient
from worker.generation.second_reader.grades import Grades

TAKE = "`groundwire worker exam`: 200 calls, by which it may be trusted with more"


def exam(at: Patient) -> HealthFinding:
    """The grade of LLM_MODEL, by this exam at this endpoint."""
    chosen = at.settings
    if not (chosen.llm_base_url and chosen.llm_model):
        raise NotTried("no model")
    if chosen.support_by is SupportBy.RULES:
        raise NotTried("SUPPORT_BY=rules: no model reads answers again")
    name = chosen.llm_model
    row = Grades(database.migrated(at), chosen).of(name)
    if row is None:
        return not_tried(f"{name} has taken no exam: rules alone check its answers", TAKE)
    if row.passed:
        return ok(f"{name} has passed: {_figures(row)}")
    cure = "another model, or SUPPORT_BY=rules; its answers are checked by rules meanwhile"
    return warning(f"{name} has not passed: {_figures(row)}", cure)


def _figures(row: ExamRow) -> str:
    of = row.figures
    errors = f"{of['found']} of {of['wrong']} errors found"
    return f"{errors}, {of['flagged']} of {of['right']} right answers called wrong"
