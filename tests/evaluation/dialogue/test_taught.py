"""What the reader of dialogue is taught, and that a fit of it can be loaded."""

from __future__ import annotations

import json
from pathlib import Path

from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Place
from evaluation.dialogue.fitting import fit
from evaluation.dialogue.labelled import FOLDER, messages
from evaluation.dialogue.taught import taught

SCENES = """
- asked: "who leads the team"
  then: ["B: ask Carla"]
  A: {talk: ["ok, I will"], ask: ["who leads the other team?"]}
- to_bot: true
  A: {greeting: ["hi"]}
"""


def test_a_scene_is_what_was_said_and_who_may_say_what_next(tmp_path: Path) -> None:
    file = tmp_path / "scenes.yaml"
    file.write_text(SCENES)
    talk, ask, greeting = taught(file)
    assert talk.message.before[-1] == Line("B", "ask Carla")
    assert [line.by_bot for line in talk.message.before] == [False, True, False]
    assert (talk.scene, ask.meaning) == (ask.scene, Meaning.ASK)
    assert (greeting.message.place, greeting.message.before) == (Place.DM, ())


def test_much_is_taught_of_each_meaning_and_hardly_anything_of_what_is_measured() -> None:
    learned = taught()
    assert len({each.message.text for each in learned}) >= 2000
    for meaning in Meaning:
        assert sum(each.meaning is meaning for each in learned) >= 40
    measured = {each.message.text.lower() for each in messages(FOLDER / "after.yaml")}
    same = {each.message.text for each in learned} & measured
    assert len(same) <= 6  # "hi", "wo steht das"


def test_a_fit_has_weights_for_each_meaning_that_was_taught(tmp_path: Path) -> None:
    scenes, weights = tmp_path / "scenes.yaml", tmp_path / "fitted.json"
    scenes.write_text(SCENES)
    fit(taught(scenes), weights)
    found = json.loads(weights.read_text())
    assert set(found) == {"talk", "ask", "greeting"}
    shipped = json.loads((Path("core/dialogue/fitted.json")).read_text())
    lengths = {len(each["weights"]) for each in (*found.values(), *shipped.values())}
    assert len(lengths) == 1
