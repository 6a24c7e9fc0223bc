"""What is said of a later year is not quoted to who asks for an earlier one."""

from __future__ import annotations

import pytest

from core.question import Completed
from worker.extractive.later_year import is_of_a_later_year


def is_refused(question: str, text: str) -> bool:
    return is_of_a_later_year(Completed(text=question, question=question), text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what was the limit for analytics in 2024", "Cloud cost limits 2025 [1]\nAnalytics: €9"),
        ("how many tents at saltrake in 2023", "Tents [1]\nIn 2024 we counted 1,130 tents."),
        ("was gab es im Jahr 2025 für einen Tag", "Honorare 2026 [1]\n| Tag |\n| --- |\n| 90 |"),
    ],
)
def test_a_later_year_alone_is_no_answer(question: str, text: str) -> None:
    assert is_refused(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the limit in 2024?", "Limits 2025 [1]\nIn 2024 it was €900, now €950."),
        ("What was the limit in 2024?", "Limits 2022 to 2025 [1]\n€900"),
        ("How many days do I get in 2026?", "Leave policy 2024 [1]\n25 days."),
        ("Wie viele Tage habe ich in 2026?", "Urlaub [1]\nSeit dem 01.01.2024 sind es 30 Tage."),
        ("Are the hours of 2023 still there?", "Hours [1]\nReadable until 31 December 2026."),
        ("How many days of leave in 2024?", "Leave [1]\n25 days a year. Changed 12 May 2025."),
        ("When is the bonus for 2024 paid?", "Bonus 2025 [1]\nWith the salary of March 2025."),
        ("Deadline for leave from 2024?", "Leave [1]\nDeadline: 31 March 2025. In 2025 it ends."),
        ("What changed since 2023?", "Rates [1]\nIn 2024 the daily rate rose."),
        ("What was the rule before 2024?", "Leave 2025 [1]\nFive days."),
        ("Was the office opened in 2018?", "Porto [1]\nIt was opened in 2019."),
        ("Wurde Jira in 2021 eingeführt?", "Jira [1]\nIn 2022 eingeführt."),
        ("How do I connect to SQL Server 2019?", "SQL [1]\nConnect with SSMS 2022."),
        ("Who approves more than 2000 euros?", "Purchases 2023 [1]\nThe lead."),
        ("Training budget in 2026?", "Training [1]\n2000 EUR a year."),
        ("I joined in 2022, do I get a sabbatical?", "Sabbatical 2023 [1]\nAfter three years."),
        ("How many days do I get?", "Leave 2025 [1]\n30 days."),
    ],
)
def test_what_may_hold_or_be_the_answer_stays(question: str, text: str) -> None:
    assert not is_refused(question, text)
