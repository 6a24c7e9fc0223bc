"""Clusters of evidence that says the same."""

from __future__ import annotations

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, row

from core.embeddings.bundled import Bundled
from core.models import Hit
from worker.attribution.cluster import cluster


def test_copies_of_one_text_are_one_cluster(embedder: Bundled) -> None:
    hits = [hit(HOTEL, page("1")), hit(LEAVE, page("1")), hit(HOTEL, page("2"))]
    assert cluster(hits, embedder) == [(0, 2), (1,)]


def test_texts_that_differ_in_blanks_and_case_are_one_cluster(embedder: Bundled) -> None:
    assert cluster([hit(HOTEL), hit(f"  {HOTEL}\n")], embedder) == [(0, 1)]


def test_different_pieces_are_clusters_of_their_own(embedder: Bundled) -> None:
    assert cluster([hit(HOTEL), hit(LEAVE), hit(BACKUP)], embedder) == [(0,), (1,), (2,)]


@pytest.mark.parametrize("numbers", [("3180", "4260"), ("10", "11")])
def test_rows_that_differ_in_a_number_are_not_the_same(embedder: Bundled, numbers: tuple[str, str]) -> None:
    one, other = (row(1, Machine=f"Lumo {n}", Status="passed", Tester="Alice", Kernel="4.14.34", Notes="trips on reboot") for n in numbers)
    assert cluster([hit(one), hit(other)], embedder) == [(0,), (1,)]


def test_every_piece_is_in_one_cluster(embedder: Bundled) -> None:
    hits: list[Hit] = [hit(text) for text in (HOTEL, LEAVE, HOTEL, BACKUP, LEAVE)]
    assert sorted(position for group in cluster(hits, embedder) for position in group) == [0, 1, 2, 3, 4]


def test_no_evidence_has_no_clusters(embedder: Bundled) -> None:
    assert cluster([], embedder) == []


def test_rows_that_only_complete_a_table_are_one_cluster(embedder: Bundled) -> None:
    rows = [hit(row(number, Crane=f"SkyLift {number}"), table_rows=3 if number > 1 else 0) for number in (1, 2, 3)]
    other = hit(row(1, page_id="2", Crane="Winch"), table_rows=1)
    assert cluster([*rows, other], embedder) == [(0,), (1, 2), (3,)]
