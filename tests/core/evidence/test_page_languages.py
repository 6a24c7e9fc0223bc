"""A question finds pages in another language beside those in its own, which share its words."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from old_tables import upgraded
from sqlmodel import select
from wiki import key, page, piece, put, row

from core.evidence import EvidenceSearch, EvidenceStore, Query
from core.evidence.page_languages import PageLanguages, page_language
from core.evidence.ranking.weights import PRODUCT
from core.evidence.spans import spans_of
from core.models import Hit, Kind
from core.storage.index_tables import PageRow

CHAINS = "From October to April every driver must have snow chains in the truck."
BREAK = "After four and a half hours at the wheel there is a break of 45 minutes."
KRANK = "Wer krank ist, ruft an, bevor die Schicht beginnt, und sagt, ab wann er wieder kommt."
ESSEN = "Wann die Kantine auf hat: ab elf Uhr, und wer später kommt, braucht eine Marke."
QUESTION = "ab wann braucht man schneeketten"


@pytest.fixture
def mixed(store: EvidenceStore) -> EvidenceStore:
    put(store, page("1", "Driver handbook"), piece(CHAINS, "1"), piece(BREAK, "1", position=1))
    put(store, page("2", "Krankmeldung"), piece(KRANK, "2"))
    put(store, page("3", "Kantine"), piece(ESSEN, "3"))
    put(store, page("4", "K4"), piece("K4: 12 t", "4"))
    return store


def test_the_language_is_that_of_what_people_have_written() -> None:
    said = piece("Der Kran am Kai ist für die Fähre.")
    code = piece("if the value is not in the list, do it for all of them", kind=Kind.CODE)
    rows = [row(n, Kran=f"K{n}", Kai="Nord") for n in range(9)]  # "Kran is K1, and Kai is Nord"
    assert page_language([said, code, *rows]) == "de"
    assert page_language([*rows]) == ""


def test_of_pages_in_two_languages_the_other_ones_are_told(mixed: EvidenceStore) -> None:
    languages = PageLanguages(mixed.database)
    pages = [key(number) for number in "1234"]
    assert languages.foreign((QUESTION,), pages).tolist() == [True, False, False, False]
    assert languages.foreign(("when do we need it",), pages).tolist() == [False, True, True, False]
    assert not np.any(languages.foreign(("K4?",), pages))
    assert languages.foreign((QUESTION,), []).tolist() == []


def test_meaning_finds_what_is_written_in_another_language(mixed: EvidenceStore) -> None:
    def found(foreign: float) -> list[Hit]:
        search = EvidenceSearch(
            mixed.database,
            mixed.lexical,
            mixed.dense,
            ranking=replace(PRODUCT, foreign=foreign),
        )
        return list(search.search(Query(QUESTION), 5).hits)

    def lead(hits: list[Hit], one: str, other: str) -> float:
        scores = {hit.evidence.text: hit.score for hit in hits}
        return scores[one] - scores[other]

    now, before = found(PRODUCT.foreign), found(0.0)
    assert lead(now, CHAINS, ESSEN) > lead(before, CHAINS, ESSEN)
    # Which piece of a page answers is told as it was.
    assert lead(now, CHAINS, BREAK) == pytest.approx(lead(before, CHAINS, BREAK), abs=1e-5)
    assert {hit.page.title: hit.language for hit in found(0.0)} == {
        "Driver handbook": "en",
        "Krankmeldung": "de",
        "Kantine": "de",
        "K4": "",
    }


def test_a_span_is_foreign_only_where_both_languages_are_known() -> None:
    def span(language: str) -> bool:
        hit = Hit(evidence=piece(CHAINS), page=page(), language=language)
        return next(spans_of([hit])).is_foreign_to("de")

    assert span("en")
    assert not span("de")
    assert not span("")
    english = Hit(evidence=piece(CHAINS), page=page(), language="en")
    assert not next(spans_of([english])).is_foreign_to(None)


def test_pages_of_before_get_their_language_without_being_fetched(empty_url: str) -> None:
    record = json.dumps({"kind": "passage", "text": KRANK}).replace(":", "\\:")
    old = (
        "INSERT INTO page (source, id, space, title, record, body_hash, made_by, revision, visible,"
        " acl_id, names, extras, scanned_at, error, failures, next_try)"
        " VALUES ('confluence', '1', 'HR', 'Krankmeldung', '{}', '', '7', 1, true,"
        " '', '[]', '', 0, '', 0, 0)",
        "INSERT INTO evidence (id, source, page_id, acl_id, record, text_hash)"
        f" VALUES ('e', 'confluence', '1', '', '{record}', 'hash')",
    )
    with upgraded(empty_url, "0030", old) as database, database.reading() as session:
        assert session.exec(select(PageRow.language)).all() == ["de"]
