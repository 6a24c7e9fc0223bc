"""Pieces that say the same are one hit; the settled page speaks, the others stand behind it."""

from __future__ import annotations

import pytest
from wiki import hit, page, piece

from core.evidence.lexical.page_status import is_unsettled
from core.evidence.ranking.deduplicate import Distinct
from core.models import Hit, Page

TEXT = "The pump at quay three is switched off by the red lever behind the door."


def shown(*hits: Hit) -> list[Hit]:
    distinct = Distinct()
    for each in hits:
        distinct.add(each)
    return distinct.hits


def on(on_page: Page, text: str = TEXT) -> Hit:
    return hit(piece(text, on_page.id), on_page)


def test_two_pages_with_the_same_text_are_one_hit_with_two_sources() -> None:
    (only,) = shown(on(page("1", "Pumps")), on(page("2", "Quay three")))
    assert (only.page.id, [copy.page.id for copy in only.copies]) == ("1", ["2"])


def test_nearly_the_same_text_is_the_same() -> None:
    assert (
        len(shown(on(page("1", "Pumps")), on(page("2", "Pumps 2"), TEXT.replace(".", " now."))))
        == 1
    )


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("three", "3"),
        TEXT.replace("is switched", "is not switched"),
        TEXT.replace("is switched", "isn’t switched"),
        TEXT.replace("the red", "no red"),
    ],
)
def test_what_differs_in_a_number_or_a_negation_is_not_the_same(other: str) -> None:
    assert len(shown(on(page("1", "Pumps")), on(page("2", "Pumps 2"), other))) == 2


def test_another_number_makes_another_text_when_the_text_is_short() -> None:
    assert (
        len(
            shown(
                on(page("1"), "Porto has 25 days of leave"),
                on(page("2"), "Lisbon has 24 days of leave"),
            )
        )
        == 2
    )


@pytest.mark.parametrize(
    "unsettled",
    [
        page("2", "[DRAFT] Pumps"),
        page("2", "Copy of Pumps"),
        page("2", "Pumpen (Entwurf)"),
        page("2", "Pumps", space="~alice"),
        page("2", "Pumps", status="archived"),
        page("2", "Pumps", labels=("obsolete",)),
    ],
)
def test_the_settled_page_speaks_although_the_draft_was_found_first(unsettled: Page) -> None:
    settled = page("1", "Pumps")
    (only,) = shown(
        on(unsettled).model_copy(update={"score": 3.0}),
        on(settled).model_copy(update={"score": 2.0}),
    )
    assert (only.page, only.score, [copy.page for copy in only.copies]) == (
        settled,
        3.0,
        [unsettled],
    )
    assert is_unsettled(unsettled)
    assert not is_unsettled(settled)


@pytest.mark.parametrize(
    "title",
    [
        *(
            "[DRAFT] Pumps",
            "Pumps [first draft]",
            "Pumps (draft v2)",
            "Draft: Pumps",
            "DRAFT 3 – Pumps",
            "Draft 3 of the pump manual",
        ),
        *(
            "WIP: Pumps",
            "Pumps (work in progress)",
            "Pumps - WIP",
            "Pumps DRAFT",
            "Pumps OLD manual",
            "Pumps_old",
        ),
        *(
            "Copy of Pumps",
            "Copy (2) of Pumps",
            "My copy of Pumps",
            "Pumps - Copy (2)",
            "Pumps (my copy)",
            "Pumps [2025-03 my copy]",
        ),
        *(
            "Pumps (old)",
            "Pumps (old version)",
            "Pumps – old",
            "OLD – Pumps",
            "Pumps (old, see the new manual)",
            "Pumps (backup)",
        ),
        *(
            "[archived] Pumps",
            "Pumps (2023, archived)",
            "Archive: Pumps",
            "Template: pump report",
            "Pump report [template]",
        ),
        *(
            "Pumps, deprecated",
            "Pumps (superseded by Pumps 2)",
            "Pumps (outdated: see Quay three)",
            "Pumps | obsolete",
        ),
        *(
            "Kopie von Pumpen",
            "Meine Kopie von Pumpen",
            "Pumpen (Kopie)",
            "Entwurf: Pumpen",
            "Pumpen – Entwurf 2",
            "[ENTWURF] Pumpen",
        ),
        *(
            "Pumpen (alt)",
            "ALT – Pumpen",
            "Pumpen (alte Fassung)",
            "Pumpen – veraltet",
            "Pumpen (überholt)",
            "Pumpen ÜBERHOLT",
        ),
        *("Vorlage: Pumpenbericht", "Pumpen (archiviert)"),
    ],
)
def test_a_title_that_is_marked_belongs_to_a_page_that_is_not_to_go_by(title: str) -> None:
    assert is_unsettled(page("1", title))


@pytest.mark.parametrize(
    "title",
    [
        *(
            "Drafting a contract",
            "Draft beer supplier",
            "How a draft becomes a contract",
            "Draft horses",
            "Drafts and who reads them",
        ),
        *(
            "Gold prices",
            "Altona office",
            "Old town quay map",
            "The old harbour (old town)",
            "OLD TOWN QUAY MAP",
            "Alt-Text for pictures",
        ),
        *(
            "Backup procedure",
            "Backup: what runs at night",
            "Nightly backup",
            "Restoring the archive",
            "Archive of the harbour office",
        ),
        *(
            "Template",
            "Template engine",
            "Old",
            "Draft",
            "Archive",
            "Vorlagen",
            "Templates for reports",
            "How to use the report template",
        ),
        *(
            "Copying files to the NAS",
            "Copy machine",
            "Hard copy of the licence",
            "WIP limits of the board",
            "Outdated valves and their risk",
        ),
        *(
            "Alte Werft",
            "Alt und Jung am Kai",
            "Entwurfsprüfung",
            "Vorlage beim Zoll",
            "Archiv im Keller",
            "Kopierer",
            "Überholte Motoren",
        ),
        *(
            "12-year-old rum in customs",
            "Deprecated endpoints of the crane API",
            "Pumps (tape backup and restore)",
            "Bericht (alt genug?)",
        ),
    ],
)
def test_a_title_that_only_has_such_a_word_marks_nothing(title: str) -> None:
    assert not is_unsettled(page("1", title))


@pytest.mark.parametrize(
    "label",
    ["draft", "Obsolete", "work-in-progress", "status-draft", "archived", "old", "veraltet"],
)
def test_a_label_marks_a_page_as_a_whole(label: str) -> None:
    assert is_unsettled(page("1", "Pumps", labels=("pumps", label)))
    assert not is_unsettled(page("1", "Pumps", labels=("pumps", f"{label}-beer")))


@pytest.mark.parametrize("label", ["backup", "template", "alt", "vorlage", "kopie"])
def test_a_label_that_is_a_topic_marks_nothing(label: str) -> None:
    assert not is_unsettled(page("1", "Pumps", labels=(label,)))


def test_of_two_settled_pages_the_one_changed_last_speaks() -> None:
    older, newer = (
        page("1", "Pumps", updated_at="2024-01-01"),
        page("2", "Pumps again", updated_at="2025-01-01"),
    )
    assert [each.page.id for each in shown(on(older), on(newer))] == ["2"]


def test_a_page_that_says_it_twice_is_one_source() -> None:
    first, again = on(page("1")), on(page("1"), TEXT + " ")
    assert [each.copies for each in shown(first, again)] == [()]


def test_the_copy_that_the_question_names_is_shown_before_the_better_page() -> None:
    distinct = Distinct()
    distinct.add(on(page("1", "Pumps")), named=0.2)
    distinct.add(on(page("2", "Pumps (copy)", space="~ines")), named=0.7)
    (only,) = distinct.hits
    assert (only.page.id, [copy.page.id for copy in only.copies]) == ("2", ["1"])


def test_a_named_copy_that_came_first_stays_before_the_better_page() -> None:
    distinct = Distinct()
    distinct.add(on(page("2", "Pumps (copy)", space="~ines")), named=0.7)
    distinct.add(on(page("1", "Pumps")), named=0.2)
    assert [each.page.id for each in distinct.hits] == ["2"]


def test_a_rounding_error_names_nothing() -> None:
    distinct = Distinct()
    distinct.add(on(page("1", "Pumps")), named=0.5)
    distinct.add(on(page("2", "Pumps", space="~ines")), named=0.5000001)
    assert [each.page.id for each in distinct.hits] == ["1"]
