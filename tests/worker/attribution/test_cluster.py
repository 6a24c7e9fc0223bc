"""Clusters of evidence that says the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wiki import BACKUP, HOTEL, LEAVE, hit, page, part, piece, row

from core.embeddings import Embedder, Vectors
from core.embeddings.bundled import Bundled
from core.models import Hit, Kind
from core.structure import ListItem
from worker.attribution.clustering.cluster import cluster, paper_clusters
from worker.attribution.clustering.compared_text import ComparedText, differ, say_the_same
from worker.attribution.clustering.eps_calibration import (
    NEAR_MISSES,
    TWINS,
    Pair,
    as_written,
    calibrated,
    distances,
)

LONG = (
    "The pump at the north quay is switched off by the red lever behind the door. "
    "Whoever uses it tells the harbour office, which writes "
    "the time into the log, keeps the key for 24 hours and calls the electrician on duty. "
    "The electrician looks at the pump and signs."
)


class Everything:
    """An embedder to which all texts are the same."""

    name = "everything"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 1), dtype=np.float32)


def test_copies_of_one_text_are_one_cluster(embedder: Bundled) -> None:
    hits = [hit(HOTEL, page("1")), hit(LEAVE, page("1")), hit(HOTEL, page("2"))]
    assert cluster(hits, embedder) == [(0, 2), (1,)]


def test_texts_that_differ_in_blanks_and_case_are_one_cluster(embedder: Bundled) -> None:
    assert cluster([hit(HOTEL), hit(f"  {HOTEL}\n")], embedder) == [(0, 1)]


def test_different_pieces_are_clusters_of_their_own(embedder: Bundled) -> None:
    assert cluster([hit(HOTEL), hit(LEAVE), hit(BACKUP)], embedder) == [(0,), (1,), (2,)]


@pytest.mark.parametrize("numbers", [("3180", "4260"), ("10", "11")])
def test_rows_that_differ_in_a_number_are_not_the_same(
    embedder: Bundled, numbers: tuple[str, str]
) -> None:
    one, other = (
        row(
            place,
            Machine=f"Lumo {n}",
            Status="passed",
            Tester="Alice",
            Kernel="4.14.34",
            Notes="trips on reboot",
        )
        for place, n in enumerate(numbers, 1)
    )
    assert cluster([hit(one), hit(other)], embedder) == [(0,), (1,)]


def test_every_piece_is_in_one_cluster(embedder: Bundled) -> None:
    hits: list[Hit] = [hit(text) for text in (HOTEL, LEAVE, HOTEL, BACKUP, LEAVE)]
    assert sorted(position for group in cluster(hits, embedder) for position in group) == [
        0,
        1,
        2,
        3,
        4,
    ]


def test_no_evidence_has_no_clusters(embedder: Bundled) -> None:
    assert cluster([], embedder) == []


def test_rows_that_only_complete_a_table_are_one_cluster(embedder: Bundled) -> None:
    rows = [
        hit(row(number, Crane=f"SkyLift {number}"), table_rows=3 if number > 1 else 0)
        for number in (1, 2, 3)
    ]
    other = hit(row(1, page_id="2", Crane="Winch"), table_rows=1)
    assert cluster([*rows, other], embedder) == [(0,), (1, 2), (3,)]


def test_a_table_and_the_rows_that_complete_it_are_one_cluster_and_a_row_that_was_found_is_its_own(
    embedder: Bundled,
) -> None:
    whole = part(row(1, Crane="SkyLift 1"), row(2, Crane="SkyLift 2"))
    rows = [
        hit(row(number, Crane=f"SkyLift {number}"), table_rows=2 if number > 1 else 0)
        for number in (1, 2)
    ]
    assert cluster([rows[0], hit(whole), rows[1]], embedder) == [(0,), (1, 2)]


def test_a_table_that_nothing_completes_and_its_rows_are_clusters_of_their_own(
    embedder: Bundled,
) -> None:
    whole = part(row(1, Crane="SkyLift 1"), row(2, Crane="SkyLift 2"))
    assert cluster([hit(whole), hit(row(1, Crane="SkyLift 1"))], embedder) == [(0,), (1,)]


def test_the_pieces_of_a_long_row_are_one_cluster(embedder: Bundled) -> None:
    one = row(1, Crane="K4", Calm="12 t", Storm="")
    two = row(1, Crane="K4", Calm="", Storm="3 t")
    assert cluster([hit(one), hit(HOTEL), hit(two)], embedder) == [(0, 2), (1,)]


def test_rows_that_say_the_same_in_other_places_of_two_tables_are_one_cluster(
    embedder: Bundled,
) -> None:
    one, other = (
        row(2, Crane="SkyLift", Tester="Ida Holm"),
        row(7, page_id="2", table=3, Crane="SkyLift", Tester="Ida Holm"),
    )
    assert cluster([hit(one), hit(other, page("2"))], embedder) == [(0, 1)]


@pytest.mark.parametrize(
    "other",
    [
        LONG.replace("24", "48"),
        LONG.replace("is switched", "is not switched"),
        LONG.replace("24 ", ""),
    ],
)
def test_long_passages_that_differ_in_a_number_or_a_negation_are_never_the_same(
    embedder: Bundled, other: str
) -> None:
    assert cluster([hit(LONG), hit(other)], embedder, eps=1.9) == [(0,), (1,)]


@pytest.mark.parametrize(
    "twin",
    [
        f"Last changed on 2024-03-12\n{LONG}",
        f"The north quay\n{LONG}",
        f"{LONG}\nIda Holm, 12.3.2024",
        LONG.upper(),
        LONG.replace(". ", ".\n\n"),
    ],
)
def test_a_copy_with_a_line_around_it_is_the_same_however_far_its_vector_lies(
    embedder: Bundled, twin: str
) -> None:
    assert cluster([hit(LONG), hit(twin)], embedder, eps=1e-6) == [(0, 1)]


@pytest.mark.parametrize("line", ["Until 2019 the following held.", "Not any more"])
def test_a_line_in_front_that_says_something_makes_another_text(line: str) -> None:
    assert not say_the_same(ComparedText(LONG), ComparedText(f"{line}\n{LONG}"))


def test_a_list_with_one_more_step_or_another_state_is_another_list() -> None:
    steps = "- Stop the gateway\n- Install the new release\n- Start the gateway"
    short, long = (
        ComparedText.by(piece(text, kind=Kind.LIST)) for text in (steps, f"{steps}\n- Wait")
    )
    assert not say_the_same(short, long)
    task = "Install the new release on all gateways"
    open_, done = (
        ComparedText.by(piece(task, kind=Kind.TASK, items=(ListItem(text=task, mark=mark),)))
        for mark in ("[ ] ", "[x] ")
    )
    assert not say_the_same(open_, done)


def test_a_list_with_other_bullets_is_the_same_list() -> None:
    steps = ("Stop the gateway", "Install the new release")
    dashed, numbered = (
        ComparedText.by(piece("", kind=Kind.LIST, items=tuple(map(item, steps, marks))))
        for marks in (("- ", "- "), ("1. ", "2. "))
    )
    assert say_the_same(dashed, numbered)


def item(text: str, mark: str) -> ListItem:
    return ListItem(text=text, mark=mark)


def test_a_chain_of_copies_does_not_join_two_that_contradict_each_other(embedder: Bundled) -> None:
    first, second = (f"Last changed on {day}\n{LONG}" for day in ("2024-03-12", "2025-01-07"))
    assert cluster([hit(first), hit(LONG), hit(second)], embedder) == [(0, 1), (2,)]


texts = st.lists(
    st.sampled_from(["7 days", "8 days", "closed", "not closed", "the quay\n", "the crane\n"]),
    max_size=6,
).map(" ".join)


@given(st.lists(texts, max_size=8))
def test_no_cluster_holds_two_that_contradict_each_other(said: list[str]) -> None:
    groups = cluster(
        [hit(piece(text, id=str(n))) for n, text in enumerate(said)], Everything(), eps=0.5
    )
    assert sorted(position for group in groups for position in group) == list(range(len(said)))
    assert not any(
        differ(ComparedText(said[one]), ComparedText(said[other]))
        for group in groups
        for one in group
        for other in group
    )


def test_the_clusters_of_the_paper_go_by_vectors_alone(embedder: Bundled) -> None:
    hits = [hit(LONG), hit(LONG.replace("24", "48")), hit(HOTEL)]
    assert paper_clusters(hits, embedder, eps=0.05) == [(0, 1), (2,)]
    assert paper_clusters(hits, embedder, eps=0.005, min_samples=1) == [(0,), (1,), (2,)]
    assert paper_clusters([], embedder) == []


def test_the_measured_distance_lets_in_no_near_miss_and_most_twins(embedder: Bundled) -> None:
    eps = calibrated(embedder)
    assert not [
        miss for miss in inside(embedder, NEAR_MISSES, eps) if not differ(*map(ComparedText, miss))
    ]
    assert len(
        {
            *inside(embedder, TWINS, eps),
            *(twin for twin in TWINS if say_the_same(*map(ComparedText, twin))),
        }
    ) >= 0.8 * len(TWINS)
    assert calibrated(embedder, as_written) < distances(embedder, NEAR_MISSES, as_written).min()


def inside(embedder: Embedder, pairs: Sequence[Pair], eps: float) -> list[Pair]:
    return [
        pair
        for pair, distance in zip(pairs, distances(embedder, pairs), strict=True)
        if distance <= eps
    ]


def test_an_embedder_that_tells_nothing_apart_has_a_measure_all_the_same() -> None:
    assert 0 < calibrated(Everything()) < 0.001
