"""What is asked for by kind, a year or a price, has to stand in what is quoted for it."""

from __future__ import annotations

import pytest

from core.question import Completed
from worker.extractive.other_kind import is_of_another_kind


def is_refused(question: str, text: str) -> bool:
    return is_of_another_kind(Completed(text=question, question=question), text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the limit for analytics in 2024?", "Cloud cost limits 2025\nAnalytics: €900"),
        ("how many tents in 2023", "In 2024 we counted 1,130 tents."),
        ("Herbstferien 2026?", "Schuljahr 2024/25: 13.10. bis 24.10.2024"),
        ("what did we win in 2026", "In force since 2027."),
        ("who drove in 2024", "From 2019 to 2022 Ada drove."),
    ],
)
def test_another_year_alone_is_no_answer(question: str, text: str) -> None:
    assert is_refused(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the limit in 2024?", "The limit was 900 in 2024."),
        ("What was the limit in 2024?", "School year 2023/24: 900"),
        ("What was the limit in 2024?", "Changed on 31.12.24, before that in 2023."),
        ("What was the limit in 2023?", "Key figures 2022 to 2024"),
        ("What was the limit in 2023?", "Key figures 2022–2024"),
        ("Wie viele Tage habe ich 2026?", "Seit 2024 sind es 30 Tage."),
        ("Are the hours of 2023 still there?", "Readable until 31 December 2026."),
        ("How many days of leave in 2026?", "25 days a year."),
        ("Is Office 2019 supported?", "Office 2019 is, Office 2013 is not."),
        ("How do I order part 2024-7?", "Parts of 2025 are ordered online."),
        ("How many days do I get?", "From 2025 on it is 30."),
    ],
)
def test_what_holds_in_that_year_or_names_none_stays(question: str, text: str) -> None:
    assert not is_refused(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does a guest card cost?", "Guest cards are at the desk, within 2 days."),
        ("Was kostet eine Gästekarte?", "Gästekarten gibt es am Empfang."),
        ("price of a Stoat", "A Stoat carries 300 kg."),
        ("How much is one night in the guest house?", "The guest house is open all year."),
        ("parking fee at the station", "Park behind the station."),
    ],
)
def test_what_names_no_money_is_no_answer_to_what_something_costs(question: str, text: str) -> None:
    assert is_refused(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does a guest card cost?", "A guest card is €5."),
        ("What does a guest card cost?", "A guest card is 5 EUR."),
        ("What does a guest card cost?", "Guest cards are free."),
        ("What does a longer trial cost?", "It is a quarter of the price."),
        ("Was kostet der Ersatz?", "Der Ersatz kostet 80 Franken."),
        ("Was kostet die Gästekarte?", "Sie ist kostenlos."),
        ("Is it too costly?", "Ask your lead."),
        ("Who is on call?", "Ada is."),
        ("Which cost center is it?", "It is 4711."),
    ],
)
def test_a_price_in_any_words_stays(question: str, text: str) -> None:
    assert not is_refused(question, text)
