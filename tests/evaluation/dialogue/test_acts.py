"""The measure of dialogue acts: its labelled messages, and what its figures count."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from core.dialogue.decision import Outcome
from core.dialogue.message import Place
from evaluation.dialogue.command import report
from evaluation.dialogue.labelled import FOLDER, decided, messages

WRITTEN = """
- {id: x-1, place: dm, who: Ana, text: "hi", expected: brief}
- {id: x-2, place: dm, who: Ana, text: "ok", expected: answer}
- {id: x-3, place: channel, who: Ana, text: "@bot who leads the team?", expected: silent}
- {id: x-4, place: channel, who: Ana, text: "lunch?", expected: silent}
"""


def test_the_labelled_messages_are_many_of_each_language_place_and_outcome() -> None:
    found = messages(FOLDER / "before.yaml")
    assert len(found) >= 160
    assert len({each.id for each in found}) == len(found)
    languages = Counter(each.language for each in found)
    assert min(languages["en"], languages["de"]) >= 60
    assert {each.message.place for each in found} == set(Place)
    assert {each.expected for each in found} == set(Outcome)


def test_each_figure_counts_the_messages_that_it_is_about(tmp_path: Path) -> None:
    file = tmp_path / "labels.yaml"
    file.write_text(WRITTEN)
    row = dict(report(list(decided(messages(file)))))["all"]
    assert {name: (share.right, share.of) for name, share in row.items()} == {
        "as labelled": (2, 4),
        "spoke where silence was right": (1, 2),
        "silent where an answer was due": (1, 1),
    }
