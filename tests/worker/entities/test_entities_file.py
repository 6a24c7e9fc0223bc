"""The entities file: what it says, and what is wrong with it, by line and with the cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SettingsError
from worker.entities.entities_file import Entity, read


def entities(tmp_path: Path, text: str) -> tuple[Entity, ...]:
    file = tmp_path / "entities.yaml"
    file.write_text(text, encoding="utf-8")
    return read(file)


def test_entries_belong_to_what_they_stand_under_or_name_as_their_parent(tmp_path: Path) -> None:
    found = entities(
        tmp_path,
        """
- {name: Pilot, kind: team, parent: ho}
- name: Harbour Operations
  kind: department
  aliases: [HO]
  page: 1002
  children:
    - name: Crane
      page: https://wiki.example/7
      children:
        - name: Night Shift
""",
    )
    assert [(each.name, each.parent, each.page) for each in found] == [
        ("Pilot", 1, "1002"),
        ("Harbour Operations", None, "1002"),
        ("Crane", 1, "https://wiki.example/7"),
        ("Night Shift", 2, "https://wiki.example/7"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: expected a list"),
        ("name: Crane", "line 1: expected a list"),
        ("- Crane", "line 1: 'Crane' is no entry: write `- name: Crane`"),
        ("- {name: Crane, page: 1}\n- {title: Pilot}", "line 2: `name`: Field required"),
        (
            "- {name: Crane, page: 1}\n- {name: Pilot, alias: P}",
            "line 2: `alias`: Extra inputs are not permitted; write name, aliases, kind",
        ),
        (
            "- {name: NO, page: 1}",
            "line 1: `name`: Input should be a valid string; put text into quotes",
        ),
        (
            "- {name: Crane, page: 1}\n- {name: Pilot, parent: Cranes}",
            "line 2: no entries are called “Cranes”, the parent of “Pilot”: write",
        ),
        (
            "- {name: A, parent: B}\n- {name: B, parent: C}\n- {name: C, parent: A}",
            "line 1: these belong to one another in a circle: A → B → C",
        ),
        (
            "- {name: Crane, page: 1}\n\n- {name: Kran, aliases: [crane], page: 1}",
            "line 3: “crane” is a name of the entry in line 1 already",
        ),
        (
            "- {name: Crane, page: 1}\n- {name: Crane, page: 2}",
            "line 2: “crane” is a name of the entry in line 1 already",
        ),
        (
            "- name: A\n  page: 1\n  children:\n    - {name: B, parent: A}",
            "line 4: “B” stands under another entry and has a parent",
        ),
        (
            "- {name: Crane, kind: team}",
            "line 1: “Crane” has no page, nor has what it belongs to: write `page:`",
        ),
        ("- {name: A, page: 1, children: B}", "line 1: `children`: Input should be a valid list"),
        ("- {name: A", "cannot be read"),
    ],
)
def test_a_wrong_entry_is_named_by_its_line_with_the_cure(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(SettingsError) as error:
        entities(tmp_path, text)
    assert str(error.value).startswith("ENTITIES_FILE=")
    assert said in str(error.value)


def test_two_may_share_a_name_under_different_parents_but_none_may_belong_to_both(
    tmp_path: Path,
) -> None:
    two = (
        "- {name: Porto, page: 1, children: [{name: Support}]}\n"
        "- {name: Aarhus, page: 1, children: [{name: Support}]}\n"
    )
    assert [each.name for each in entities(tmp_path, two)] == [
        "Porto",
        "Support",
        "Aarhus",
        "Support",
    ]
    with pytest.raises(
        SettingsError,
        match=(
            "line 3: 2 entries are called “Support”, the parent of “Night”: "
            "put it under the one that is meant"
        ),
    ):
        entities(tmp_path, two + "- {name: Night, parent: Support}")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.yaml cannot be read"):
        read(tmp_path / "nowhere.yaml")
