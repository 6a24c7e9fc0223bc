"""bm25s and SQLite FTS5 on a corpus: the same pages, the same questions, the same credit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from sqlmodel import select

from core.evidence.filters import readable_evidence
from core.evidence.ranking.deduplicate import Distinct
from core.evidence.ranking.weights import PRODUCT
from core.models import Evidence, Hit, Kind, Page
from core.pages import PageKey
from core.policy.acl import EVERYBODY
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow
from evaluation.harness.progress import track
from evaluation.retrieval.left_out.outcomes import Outcome, share
from evaluation.retrieval.measure import K, Measured
from indexer.tuning.peers import PEERS, Peer, Unit

MOST = 100  # units that are looked at: some say the same, some are of one page


def peers_outcomes(
    database: Database,
    language: str,
    asked: Sequence[Outcome],
) -> dict[str, list[Outcome]]:
    """Of each peer, asked the same texts; over pieces or whole pages, whichever it does better."""
    found_alone = list(pieces(database))
    units = {"pieces": found_alone, "pages": list(whole_pages(found_alone))}
    best: dict[str, list[Outcome]] = {}
    for name, make in PEERS.items():
        for kind, hits in units.items():
            search = _Search(make([_unit(hit) for hit in hits], language), hits)
            found = [_asked_again(search, outcome) for outcome in track(asked, f"{name}: {kind}")]
            if name not in best or share(found).right > share(best[name]).right:
                best[name] = found
    return best


def pieces(database: Database) -> Iterator[Hit]:
    """Every piece that everybody may read."""
    query = select(EvidenceRow, PageRow).join(PageRow).where(*readable_evidence(EVERYBODY))
    with database.reading() as session:
        for row, page in session.exec(query.order_by(EvidenceRow.id)).all():
            evidence = Evidence.model_validate(row.record)
            yield Hit(evidence=evidence, page=Page.model_validate(page.record))


def whole_pages(found_alone: Iterable[Hit]) -> Iterator[Hit]:
    """Every page of these pieces as one: rows are left out, since their table is there."""
    of_page = defaultdict[PageKey, list[Hit]](list)
    for hit in found_alone:
        if hit.evidence.kind is not Kind.ROW:
            of_page[hit.page.key].append(hit)
    for hits in of_page.values():
        yield _joined(sorted(hits, key=lambda hit: hit.evidence.position))


def _joined(hits: Sequence[Hit]) -> Hit:
    first = hits[0]
    headings = dict.fromkeys(each for hit in hits for each in hit.evidence.heading_path)
    text = "\n".join(hit.evidence.text for hit in hits)
    whole = Evidence(
        id=first.page.id,
        page_id=first.page.id,
        kind=Kind.PASSAGE,
        text=text,
        heading_path=tuple(headings),
    )
    return Hit(evidence=whole, page=first.page)


def _unit(hit: Hit) -> Unit:
    return Unit(hit.page.title, " ".join(hit.evidence.heading_path), hit.evidence.text)


class _Search:
    """A peer that gives hits as our search does: each text once, few of a page."""

    def __init__(self, peer: Peer, units: Sequence[Hit]) -> None:
        self._peer = peer
        self._units = units

    def hits(self, question: str) -> tuple[Hit, ...]:
        distinct, of_page = Distinct(), Counter[PageKey]()
        for place in self._peer.best(question, MOST):
            hit = self._units[place]
            if of_page[hit.page.key] < PRODUCT.per_page and distinct.add(hit):
                of_page[hit.page.key] += 1
            if len(distinct.hits) == K:
                break
        return tuple(distinct.hits)


def _asked_again(search: _Search, outcome: Outcome) -> Outcome:
    hits = search.hits(outcome.searched)
    measured = Measured(outcome.question, hits, 0.0, outcome.is_shift, outcome.searched)
    return Outcome.of(measured, outcome.wording)
