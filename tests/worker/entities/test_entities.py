"""Entity linking: what a question names is found, and its place is told in whole sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harbour import FEW, completed, entities, said, tree
from wiki import LEAVE, key, page, piece, put

from core.evidence import EvidenceStore
from core.models import Kind
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.question import Condition, Field
from worker.entities import MOST, Entities
from worker.entities.current import CurrentTree
from worker.entities.tree import Tree


@pytest.fixture
def company(tmp_path: Path) -> Tree:
    return tree(entities(tmp_path), p1="Organization", p2="Tugs")


def told(of: Tree, question: str, reader: Reader = EVERYBODY) -> list[str]:
    return said(Entities(lambda: of).about(completed(question), reader))


def named(of: Tree, question: str) -> list[str]:
    return Entities(lambda: of).mentioned(completed(question), EVERYBODY)


def test_what_belongs_to_an_entity_is_listed_and_counted(company: Tree) -> None:
    assert told(company, "What is Harbour Operations?") == [
        "Harbour Operations (department) belongs to Lumo Port Group (company).",
        "3 teams belong to Harbour Operations: Crane, Pilot, Tug.",
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "List the teams under Harbour Operations",
            ["3 teams belong to Harbour Operations: Crane, Pilot, Tug."],
        ),
        ("Who leads Crane?", ["The lead of Crane is Ida Holm."]),
        (
            "Wer sind die Mitglieder des Teams Kran?",
            ["The members of Crane (also Kran) are Ben Sato, Aoife Byrne (2)."],
        ),
        (
            "Welche Abteilungen hat LPG?",
            [
                "2 departments belong to Lumo Port Group (also LPG): "
                "Harbour Operations, Corporate Services."
            ],
        ),
    ],
)
def test_a_question_for_one_thing_is_told_that_alone(
    company: Tree, question: str, expected: list[str]
) -> None:
    assert told(company, question) == expected


def test_where_an_entity_belongs_is_told_up_to_the_root(company: Tree) -> None:
    assert told(company, "Where does Crane belong?") == [
        "Crane (team) belongs to Harbour Operations (department), "
        "which is part of Lumo Port Group (company).",
    ]


def test_a_person_is_what_they_are_of_a_team(company: Tree) -> None:
    first, *_ = told(company, "What does Ida Holm do?")
    assert (
        first
        == "Ida Holm is lead of Crane (team), which is part of Harbour Operations (department), "
        "which is part of Lumo Port Group (company)."
    )


def test_what_is_further_down_is_counted_at_all_levels(company: Tree) -> None:
    assert (
        "At all levels, 6 teams belong to Lumo Port Group (also LPG): "
        "Crane, Pilot, Tug, Support, HR, Finance Team." in told(company, "How many teams has LPG?")
    )


def test_a_long_list_is_cut_with_what_is_left_out_counted(tmp_path: Path) -> None:
    children = "".join(f"\n    - {{name: Berth {n}, kind: berth}}" for n in range(1, 25))
    of = tree(
        entities(tmp_path, f"- name: Quay Walls\n  page: '1'\n  children:{children}"), p1="Quays"
    )
    (line,) = told(of, "Which berths are in Quay Walls?")
    assert line.startswith("24 berths belong to Quay Walls: Berth 1, Berth 2, ")
    assert line.endswith("Berth 10, and 14 more.")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", ["Leitung von Quay Walls (2): Ida Holm, Ben Sato."]),
        ("en", ["The leads of Quay Walls are Ida Holm, Ben Sato (2)."]),
    ],
)
def test_a_role_is_told_in_the_language_of_the_question(
    tmp_path: Path, language: str, expected: list[str]
) -> None:
    leads = "".join(f"\n    - {{name: {name}, kind: Leiter}}" for name in ("Ida Holm", "Ben Sato"))
    file = entities(tmp_path, f"- name: Quay Walls\n  page: '1'\n  children:{leads}")
    asked = completed("Wer leitet Quay Walls?", language=language)
    of = tree(file, p1="Quays")
    assert said(Entities(lambda: of).about(asked, EVERYBODY)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who leads the crane team?", ["Crane"]),
        ("Where is the KRAN-Team?", ["Crane"]),
        ("Wer leitet das Team Kran?", ["Crane"]),
        ("Wer ist Leiter des Kranteams?", ["Crane"]),
        ("Wo sitzt die Leitung des Teams Kran?", ["Crane"]),
        ("Welche Teams gehören zum Hafenbetrieb?", ["Harbour Operations"]),
        ("Was macht der Leiter des Hafenbetriebs?", ["Harbour Operations"]),
        ("what does harbour operations do", ["Harbour Operations"]),
        ("Is Pilot part of Harbour Operations?", ["Pilot", "Harbour Operations"]),
        ("Who is in HR?", ["HR"]),
        ("Who leads Finance?", ["Finance Team"]),
        ("Who leads the finance team?", ["Finance Team"]),
        ("where does crane belong?", ["Crane"]),
        ("Which budget does Support have?", ["Support"]),
        ("Who is in charge at HO?", ["Harbour Operations"]),
    ],
)
def test_a_name_is_found_however_it_is_inflected(
    company: Tree, question: str, expected: list[str]
) -> None:
    assert named(company, question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Can you support me with my laptop?",
        "Support me, please.",
        "Wie bekomme ich Support?",
        "How does a crane turn?",
        "I saw her, so what?",
        "how many hr does it take to lift a box",
        "WHO PAYS FOR HR AND HO?",
        "What is the finance plan of a pilot?",
    ],
)
def test_an_ordinary_word_is_not_a_mention(company: Tree, question: str) -> None:
    assert named(company, question) == []


def test_the_longest_name_is_meant(tmp_path: Path) -> None:
    of = tree(
        entities(
            tmp_path, "- {name: Port Control, page: '1'}\n- {name: Port Control North, page: '1'}"
        ),
        p1="Org",
    )
    assert named(of, "Who leads Port Control North?") == ["Port Control North"]


def test_two_of_one_name_are_both_told_with_their_places(tmp_path: Path) -> None:
    of = tree(
        entities(
            tmp_path,
            "- {name: Porto, page: '1', children: [{name: Night Watch}]}\n"
            "- {name: Aarhus, page: '1', children: [{name: Night Watch}]}",
        ),
        p1="Org",
    )
    assert told(of, "Where does the Night Watch belong?") == [
        "Night Watch belongs to Porto.",
        "Night Watch belongs to Aarhus.",
    ]


def test_a_title_that_many_pages_have_is_no_mention() -> None:
    pages: dict[str, Any] = {
        f"p{n}": {"title": "Meeting notes", "parent_id": "1"} for n in range(2, 6)
    }
    assert told(tree(p1="Crane", **pages), "Which pages are under Meeting notes?") == []


def test_the_words_of_a_page_tree_count_only_where_the_question_asks_for_a_place() -> None:
    of = tree(
        p1="Quay North",
        p2={"title": "Crane Team", "parent_id": "1"},
        p3={"title": "Rota", "parent_id": "1"},
    )
    assert told(of, "When does Quay North open?") == []
    assert told(of, "What is under Quay North?") == [
        "1 team belongs to Quay North: Crane Team.",
        "1 page belongs to Quay North: Rota.",
    ]
    assert told(of, "Where does the Crane Team belong?") == [
        "Crane Team (team) belongs to Quay North."
    ]


def test_the_file_is_believed_before_a_page_of_the_same_name(tmp_path: Path) -> None:
    of = tree(
        entities(tmp_path), p1="Organization", p2="Tugs", p3={"title": "Crane", "parent_id": "2"}
    )
    assert "Tugs" not in " ".join(told(of, "Where does Crane belong?"))


def test_an_entity_is_evidence_of_the_page_it_comes_from(company: Tree) -> None:
    (hit,) = Entities(lambda: company).about(completed("Who leads Harbour Operations?"), EVERYBODY)
    assert (hit.page.id, hit.page.title, hit.evidence.kind, hit.evidence.names) == (
        "1",
        "Organization",
        Kind.PLACE,
        ("2",),
    )
    assert hit.evidence.id.startswith("place-confluence:1-")
    assert (hit,) == Entities(lambda: company).about(
        completed("Who leads Harbour Operations?"), EVERYBODY
    )


def test_who_may_not_read_a_page_is_not_told_of_what_comes_from_it(tmp_path: Path) -> None:
    of = tree(entities(tmp_path), p1="Organization", p2={"title": "Tugs", "acl": "few"})
    assert told(of, "Where does Tug belong?") == []
    assert "2 teams belong to Harbour Operations: Crane, Pilot." in told(
        of, "Which teams are under Harbour Operations?"
    )
    assert "3 teams belong to Harbour Operations: Crane, Pilot, Tug." in told(
        of, "Which teams are under Harbour Operations?", FEW
    )


def test_an_ancestor_that_may_not_be_read_is_left_out_of_the_way_up() -> None:
    of = tree(
        p1="Lumo",
        p2={"title": "Secret Division", "parent_id": "1", "acl": "few"},
        p3={"title": "Crane Team", "parent_id": "2"},
    )
    assert told(of, "Where does the Crane Team belong?") == ["Crane Team (team) belongs to Lumo."]
    assert told(of, "What is under the Secret Division?") == []


def test_a_page_that_is_not_in_the_index_hides_its_entities(tmp_path: Path) -> None:
    assert told(tree(entities(tmp_path), p2="Tugs"), "Where does Crane belong?") == []


def test_a_page_may_be_given_by_its_address(tmp_path: Path) -> None:
    for address in (
        "https://wiki.example/7",
        "https://wiki.example/wiki/spaces/HR/pages/7/Some+Title",
        "https://w.example/x?pageId=7",
    ):
        of = tree(
            entities(
                tmp_path, f"- {{name: Dry Dock, page: '{address}', children: [{{name: Slip}}]}}"
            ),
            p7="Docks",
        )
        assert told(of, "What is under Dry Dock?") == ["1 part belongs to Dry Dock: Slip."]


def test_at_most_three_entities_are_told_of(company: Tree) -> None:
    hits = Entities(lambda: company).about(
        completed("Who leads Crane, Pilot, Tug and Support?"), EVERYBODY
    )
    assert len(hits) == MOST


def test_a_follow_up_is_about_what_its_conversation_named(company: Tree) -> None:
    follow_up = completed(
        "And where does it belong?",
        text="And where does it belong? (Organization; Who leads Crane?)",
        context=("Organization", "Who leads Crane?"),
    )
    assert (
        "Crane (team) belongs to" in said(Entities(lambda: company).about(follow_up, EVERYBODY))[0]
    )
    left = completed(
        "What does a hotel cost?",
        text="What does a hotel cost? (Organization; Who leads Crane?)",
        context=("Organization", "Who leads Crane?"),
    )
    assert Entities(lambda: company).about(left, EVERYBODY) == ()


def test_only_places_that_meet_the_conditions_are_told(company: Tree) -> None:
    def among(condition: Condition) -> int:
        return len(
            Entities(lambda: company).about(
                completed("Who leads Crane?", conditions=(condition,)), EVERYBODY
            )
        )

    assert [among(Condition(field=Field.SPACE, value=space)) for space in ("HR", "OPS")] == [1, 0]
    assert among(Condition(field=Field.LABEL, value="policy")) == 0


def test_pages_above_one_another_in_a_circle_end_somewhere() -> None:
    of = tree(
        p1={"title": "Quay North", "parent_id": "2"}, p2={"title": "Quay South", "parent_id": "1"}
    )
    assert told(of, "Where does Quay North belong?")[0] == "Quay North belongs to Quay South."


def test_the_tree_follows_the_index(store: EvidenceStore, tmp_path: Path) -> None:
    now = Entities(CurrentTree(store.database, entities(tmp_path)).tree)
    asking = completed("Which teams are under Harbour Operations?")
    assert now.about(asking, EVERYBODY) == ()
    put(store, page("1", "Organization"), piece(LEAVE))
    assert (
        said(now.about(asking, EVERYBODY))[-1]
        == "2 teams belong to Harbour Operations: Crane, Pilot."
    )
    put(store, page("2", "Tugs"), piece(LEAVE, "2"))
    assert (
        said(now.about(asking, EVERYBODY))[-1]
        == "3 teams belong to Harbour Operations: Crane, Pilot, Tug."
    )
    store.set_acl([key("2")], before=OPEN_ID, now="few")
    assert (
        said(now.about(asking, EVERYBODY))[-1]
        == "2 teams belong to Harbour Operations: Crane, Pilot."
    )
    store.hide(page("1", "Organization"))
    assert now.about(asking, EVERYBODY) == ()
