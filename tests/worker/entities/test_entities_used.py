"""Statements about entities answer without a model, are confirmed, and survive until Explain."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import authorizer
from harbour import completed, entities, said, tree
from test_jobs import answered, explained, parts
from wiki import BACKUP, HOTEL, LEAVE, key, page, piece, put
from wiki_site import LEAVE as LEAVE_PAGE
from wiki_site import SALARY, Wiki, client, content

from core.attribution import Role
from core.evidence import EvidenceStore
from core.models import Kind
from core.policy import acl
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.turns.turn import Turn
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running
from worker.answering.conversation import history
from worker.bootstrap import WorkerParts
from worker.entities import Entities
from worker.entities.current import CurrentTree
from worker.extractive.extractor import Extractor
from worker.retrieval.live_access import LiveAccess

LIST = "Which teams are under Harbour Operations?"


@pytest.fixture
def placing(store: EvidenceStore, extractor: Extractor, tmp_path: Path) -> WorkerParts:
    """The worker's parts without a model, with an entities file."""
    put(
        store,
        page("1", "Organization"),
        piece(LEAVE),
        piece(BACKUP),
        piece("Harbour Operations has a canteen."),
    )
    put(store, page("2", "Tugs"), piece(HOTEL, "2"), piece("Teams meet on Monday.", "2"))
    made = parts(store, extractor, None)
    places = Entities(CurrentTree(store.database, entities(tmp_path)).tree)
    return dataclasses.replace(made, pipeline=dataclasses.replace(made.pipeline, entities=places))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (LIST, "3 teams belong to Harbour Operations: Crane, Pilot, Tug."),
        (
            "How many teams does Harbour Operations have?",
            "3 teams belong to Harbour Operations: Crane, Pilot, Tug.",
        ),
        (
            "Which department does Crane belong to?",
            "Crane (team) belongs to Harbour Operations (department)",
        ),
        ("Who leads the crane team?", "The lead of Crane is Ida Holm."),
        (
            "Welche Teams gehören zum Hafenbetrieb?",
            "Zu Harbour Operations (auch Hafenbetrieb) gehören 3 Teams: Crane, Pilot, Tug.",
        ),
    ],
)
def test_a_question_about_the_organization_is_answered_without_a_model(
    placing: WorkerParts, question: str, expected: str
) -> None:
    _, record = answered(placing, question)
    assert expected in record.answer.text
    assert record.answer.sources[0].title == "Organization"
    assert record.hits[0].evidence.kind is Kind.PLACE


def test_an_answer_from_a_place_is_explained_by_it(placing: WorkerParts) -> None:
    turn, record = answered(placing, LIST)
    request = explained(placing, turn)
    assert request.result is not None, request.reason
    first = request.result.effects[0]
    assert (first.evidence_ids, first.role, first.label) == (
        (record.hits[0].evidence.id,),
        Role.NEEDED,
        "Organization",
    )


def test_a_page_that_a_place_names_and_that_was_closed_since_ends_its_explanation(
    placing: WorkerParts, store: EvidenceStore
) -> None:
    turn, record = answered(placing, LIST)
    assert record.hits[0].evidence.names == ("2",)
    answer_alone = record.model_copy(update={"hits": record.hits[:1]})
    with store.database.session() as session:
        acl.save(session, frozenset({frozenset({"group:few"})}))
    store.set_acl([key("2")], before=OPEN_ID, now=acl.acl_id(frozenset({frozenset({"group:few"})})))
    assert not placing.evidence.all_readable(answer_alone.hits, EVERYBODY)
    assert explained(placing, turn).reason == "closed"
    assert history(placing, _next(placing), EVERYBODY)[0].answer == ""


def _next(placing: WorkerParts) -> Turn:
    return answered(placing, "And now?", ts="1.7")[0]


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    """Home with Leave, Travel and Salary under it; Salary was restricted since it was indexed."""
    url, site = served
    site.reset()
    site.unrestrict(SALARY)
    wiki = Wiki(
        url, site, store, {"permission_mode": "aware", "confluence_everybody": "confluence-users"}
    )
    wiki.sync()
    return wiki


@pytest.mark.parametrize("reader", [EVERYBODY, Reader(frozenset({OPEN_ID}), "user:sandbox:ines")])
def test_a_place_that_names_a_page_closed_a_moment_ago_is_not_used(
    wiki: Wiki, reader: Reader
) -> None:
    confirmer = LiveAccess(authorizer(wiki.store.database, client(wiki.url)))
    places = Entities(CurrentTree(wiki.store.database, ()).tree).about(
        completed("Which pages are under Home?"), reader
    )
    assert said(places) == ["3 pages belong to Home: Leave, Salary, Travel."]
    assert confirmer.confirmed(places, reader).hits == places
    wiki.site.restrict(SALARY, groups=["people"])
    assert confirmer.confirmed(places, reader).hits == ()


def test_a_page_that_moved_has_another_place_after_the_next_sync(wiki: Wiki) -> None:
    now = Entities(CurrentTree(wiki.store.database, ()).tree)
    asking = completed("Where does the Bands of 2026 page belong?")
    assert said(now.about(asking, EVERYBODY)) == [
        "Bands of 2026 belongs to Salary, which is part of Home."
    ]
    wiki.site.move("4", parent_id=LEAVE_PAGE)
    wiki.sync()
    assert said(now.about(asking, EVERYBODY)) == [
        "Bands of 2026 belongs to Leave, which is part of Home."
    ]


def test_ten_thousand_pages_cost_a_question_little(tmp_path: Path) -> None:
    few, many = (
        seconds_for_a_question(tmp_path / str(number), pages=number) for number in (100, 10_000)
    )
    assert many < 10 * few  # measured: 1


def seconds_for_a_question(folder: Path, *, pages: int) -> float:
    """Of the processor, at best, for twenty times the same."""
    named = {
        f"p{n}": {"title": f"Crane report {n} of berth {n % 97}", "parent_id": str(n // 7)}
        for n in range(1, pages)
    }
    folder.mkdir()
    of = tree(entities(folder), p0="Home", **named)
    now = Entities(lambda: of)
    now.about(completed(LIST), EVERYBODY)  # makes the index
    asked = completed(
        "How are hotels in Porto paid for by those who travel for the harbour's night shift "
        "in winter?"
    )

    def once() -> float:
        began = time.thread_time()
        for _ in range(20):
            now.about(asked, EVERYBODY)
        return time.thread_time() - began

    return min(once() for _ in range(5))
