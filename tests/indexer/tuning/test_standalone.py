"""Which questions make sense alone."""

from __future__ import annotations

import pytest

from indexer.tuning.standalone import Fault, fault_of

RARE = {"crane", "berth", "kran", "tern"}


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("Tell me about the crane.", Fault.NO_QUESTION),
        ("Which crane?", Fault.TOO_SHORT),
        ("What does this page say about the crane?", Fault.POINTS_AT_PAGE),
        ("Which crane is described above, and where?", Fault.POINTS_AT_PAGE),
        ("Was steht in dieser Tabelle über den Kran?", Fault.POINTS_AT_PAGE),
        ("What is the most important thing here?", Fault.NOTHING_RARE),
        ("How heavy is it on the crane?", Fault.POINTS_BACK),
        ("Sie steht an welchem Kran genau?", Fault.POINTS_BACK),
    ],
)
def test_a_question_that_needs_a_conversation_or_a_page_is_refused(
    question: str, fault: Fault
) -> None:
    assert fault_of(question, RARE.__contains__) is fault


@pytest.mark.parametrize(
    "question",
    [
        "How heavy may the load of the crane be?",
        "How long does the crane run before it needs oil?",
        "Wie oft prüfen Sie den Kran am Kai?",
        "Wie viele Anleger gibt es neben dem Kran?",
    ],
)
def test_a_question_that_names_what_it_is_about_is_asked(question: str) -> None:
    assert fault_of(question, RARE.__contains__) is None
