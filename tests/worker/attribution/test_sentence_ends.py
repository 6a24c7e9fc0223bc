"""Where a sentence of an answer ends, in both languages."""

from __future__ import annotations

import pytest

from worker.attribution.statistics.answer_distance import sentences, sentences_of


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The meeting is at 11:30. Lisa leads it.", 2),
        ("Das Treffen ist um 11:30. Lisa leitet es.", 2),
        ("Es wiegt 2,5. Lisa trägt es.", 2),
        ("The projector stands in Pier 9. Drain the copper hose.", 2),
        ("It is Pier 9. Call Ines.", 2),
        ("You find it in Room 4.17. Ines Varga looks after it.", 2),
        ("Es sind 12. Dazu kommt die Gebühr.", 2),
        ("Das gilt ab dem 3. Mai in Bonn.", 1),
        ("Das Büro ist im 3. Stock.", 1),
        ("Wir treffen uns am 24.12. Lisa kommt später.", 1),
        ("Der Termin ist der 9. Mai 2027.", 1),
    ],
)
def test_a_number_ends_a_sentence_and_an_ordinal_does_not(text: str, parts: int) -> None:
    assert len(sentences(text)) == parts


@pytest.mark.parametrize(
    "answer",
    [
        "Leave starts on the 9 [1]. Sick notes go to Ines Varga [2].",
        "Das Boot liegt in Raum 4.12 [9]. Yusuf Demirel betreut es [5].",
        "Das Büro ist im Haus der 3 [2][4]. Mai kümmert sich darum [1].",
    ],
)
def test_a_citation_before_the_dot_ends_a_sentence_whatever_stands_before_it(answer: str) -> None:
    assert len(sentences_of(answer)) == 2
