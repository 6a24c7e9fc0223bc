"""What the reader of messages is taught, and what is kept from it."""

from __future__ import annotations

from pathlib import Path

from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Place
from evaluation.dialogue.command import Labels, labelled
from evaluation.dialogue.labelled import LabelledMessage, messages
from evaluation.dialogue.taught import taught, taught_of

SCENES = """
- asked: "who leads the team"
  then: ["B: ask Carla"]
  A: {talk: ["ok, I will"], ask: ["who leads the other team?"]}
- to_bot: true
  A: {greeting: ["hi"]}
"""

KEPT = Labels.UNSEEN, Labels.LATER  # for measuring
MANY = 6  # words, with which no two people write the same: "ach und dann noch was" has five
LABELLED = """
- {id: x-1, place: channel, who: Ana, text: "@bot ?", expected: answer, meaning: fragment}
- {id: x-2, place: dm, who: Ana, text: "quick one", expected: clarify, meaning: fragment}
- {id: x-3, place: channel, who: Ana, text: "lunch?", expected: silent}
"""


def test_a_scene_is_what_was_said_and_who_may_say_what_next(tmp_path: Path) -> None:
    file = tmp_path / "scenes.yaml"
    file.write_text(SCENES)
    talk, ask, greeting = taught(file)
    assert talk.message.before[-1] == Line("B", "ask Carla")
    assert [line.by_bot for line in talk.message.before] == [False, True, False]
    assert (talk.meaning, ask.meaning) == (Meaning.TALK, Meaning.ASK)
    assert (greeting.message.place, greeting.message.before) == (Place.DM, ())


def test_much_is_taught_of_each_meaning() -> None:
    learned = [*taught(), *taught_of(labelled(Labels.WRITTEN))]
    for meaning in Meaning:
        assert sum(each.meaning is meaning for each in learned) >= 40


def test_what_is_answered_though_it_says_too_little_asks_for_what_stands_above(
    tmp_path: Path,
) -> None:
    file = tmp_path / "labels.yaml"
    file.write_text(LABELLED)
    above, fragment = taught_of(messages(file))
    assert (above.meaning, fragment.meaning) == (Meaning.ABOVE, Meaning.FRAGMENT)
    assert above.weight > taught()[0].weight  # more than a line of a scene


def test_nothing_that_is_taught_is_measured() -> None:
    written = {_said(each) for each in labelled(Labels.WRITTEN)}
    unseen = {_said(each) for of in KEPT for each in labelled(of)}
    assert len(written) > 3000
    assert len(unseen) > 800
    assert not [each for each in written & unseen if len(each.split()) >= MANY]


def _said(each: LabelledMessage) -> str:
    return each.message.text.lower()
