"""Leads are right where they have half of the words that were expected; the rest is printed."""

from __future__ import annotations

import pytest

from evaluation.retrieval.leads import AskedForLead, report
from evaluation.sets.confquestions import Question


def asked(text: str, answer: str) -> AskedForLead:
    question = Question("1", 1, "Who?", "Who leads Vision?", answer, (), "table", is_complex=False)
    return AskedForLead(question, text)


def test_leads_are_counted_and_wrong_ones_shown(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(
        [
            asked("Team lead of Vision: **Priya Raman** [1]", "Priya Raman"),
            asked("Team lead of Vision: **Emil Berg** [1]", "Priya Raman"),
            asked("", "Priya Raman"),
        ]
    )
    assert found == {"n": 3, "n with a lead": 2, "n right": 1}
    shown = capsys.readouterr().err
    assert "Emil Berg" in shown
    assert "**Priya" not in shown
