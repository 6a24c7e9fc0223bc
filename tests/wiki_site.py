"""What tests of the sync share: a small site, a client, a store, and what readers can find."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlmodel import select, update
from starlette.types import ASGIApp, Receive, Scope, Send
from wiki import key, searching

from core.access.policy import read_policy
from core.confluence import RETRY, connect
from core.evidence import EvidenceStore, Query
from core.models import Hit
from core.page_source import PageSource, Space
from core.settings import Settings
from core.settings.values import PermissionMode
from core.storage.index_tables import EvidenceRow, PageRow
from indexer.access.permissions import read_people
from indexer.parse.formats import FORMATS
from indexer.state.counts import Counts
from indexer.sync.attachments_pass import read_attachments
from indexer.sync.extras import Extras
from indexer.sync.parts import SyncParts
from indexer.sync.space_sync import Indexer
from sandbox.confluence.app import ACCESS_TOKEN, TOKEN, USERNAME
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Content, Entry, Person

HOME, LEAVE, SALARY, BANDS, TRAVEL, NEWS, OPS = "1", "2", "3", "4", "5", "6", "20"
CHILDREN = '<ac:structured-macro ac:name="children" />'
LEAVE_BODY = (
    "<h2>Days</h2><p>Everybody has 28 days of leave.</p>"
    "<h2>Request</h2><p>Ask <strong>Ines</strong> two weeks ahead.</p>"
)
MENTION = '<p>Write to <ac:link><ri:user ri:account-id="sandbox:ines" /></ac:link>.</p>'


def content() -> Content:
    """DOC: Home > Leave, Salary (restricted) > Bands, Travel; a blog post. OPS: one page.

    OLD is not configured.
    """
    entries = [
        Entry(
            HOME, "DOC", "Home", f"<p>Welcome to the handbook.</p>{CHILDREN}", owner="sandbox:ines"
        ),
        Entry(LEAVE, "DOC", "Leave", LEAVE_BODY, parent_id=HOME, labels=["policy"]),
        Entry(
            SALARY,
            "DOC",
            "Salary",
            f"<p>The bands are secret.</p>{CHILDREN}",
            parent_id=HOME,
            groups=["people"],
        ),
        Entry(
            BANDS, "DOC", "Bands of 2026", "<p>Band four begins at 71,000.</p>", parent_id=SALARY
        ),
        Entry(
            TRAVEL, "DOC", "Travel", f"<p>A hotel costs up to 110 EUR.</p>{MENTION}", parent_id=HOME
        ),
        Entry(NEWS, "DOC", "A new office", "<p>We have moved to Porto.</p>", kind="blogpost"),
        Entry(OPS, "OPS", "On call", "<p>Ben is on call.</p>"),
        Entry("30", "OLD", "Attic", "<p>Dust.</p>"),
    ]
    return Content(entries, [Person("sandbox:ines", "Ines Carvalho")], {})


def settings(base_url: str, **more: Any) -> Settings:
    given: dict[str, Any] = {
        "confluence_url": f"{base_url}/wiki",
        "confluence_username": USERNAME,
        "confluence_token": TOKEN,
    }
    given |= {"confluence_spaces": "DOC,OPS", "confluence_requests_per_second": 1000}
    return Settings.model_validate(given | more)


def datacenter(base_url: str, **more: Any) -> Settings:
    """The same site as a Data Center."""
    place = {
        "confluence_url": f"{base_url}/confluence",
        "confluence_username": "",
        "confluence_token": ACCESS_TOKEN,
    }
    return settings(base_url, **(place | more))


def client(base_url: str, **more: Any) -> PageSource:
    """The real client, which does not wait between its tries."""
    return connect(settings(base_url, **more), retry=RETRY.new(backoff_factor=0, backoff_jitter=0))


def environment(base_url: str, folder: Path, chroma_url: str) -> dict[str, str]:
    """The settings of an indexer as a process."""
    account = {
        "CONFLUENCE_URL": f"{base_url}/wiki",
        "CONFLUENCE_USERNAME": USERNAME,
        "CONFLUENCE_TOKEN": TOKEN,
    }
    where = {
        "CONFLUENCE_SPACES": "DOC,OPS",
        "CONFLUENCE_REQUESTS_PER_SECOND": "1000",
        "CHROMA_URL": chroma_url,
        "DATA_DIR": str(folder),
    }
    return account | where | {"LOG_FORMAT": "json"}


class WithoutBodies:
    """A proxy in front of the site: bodies of some pages are missing, or their requests fail."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.failing: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = scope.get("query_string", b"").decode()
        asked = (
            query.partition("id=")[2].partition("&")[0].replace("%2C", ",").split(",")
            if "body-format" in query
            else []
        )
        if self.failing.isdisjoint(asked):
            await self._app(scope, receive, send)
            return
        await send(
            {
                "type": "http.response.start",
                "status": 500,
                "headers": [(b"content-type", b"application/json")],
            }
        )
        await send({"type": "http.response.body", "body": b"{}"})


@dataclass(frozen=True)
class Wiki:
    """The site, an indexer on it, and the index."""

    url: str
    site: Site
    store: EvidenceStore
    more: dict[str, Any] = field(
        default_factory=dict
    )  # settings of the next sync besides the usual ones

    def sync(self, space: str = "DOC", *, allow_shrink: bool = False) -> Counts:
        """One sync of one space, by an indexer that has just been started."""
        chosen, confluence = settings(self.url, **self.more), client(self.url, **self.more)
        spaces = confluence.spaces(("DOC", "OPS"))
        extras = Extras(confluence, chosen, self.store.database)
        period = chosen.confluence_scan_period_s
        parts = SyncParts(confluence, self.store, read_policy(chosen, confluence), extras, FORMATS)
        indexer = Indexer(parts, spaces, period_s=period)
        counts = indexer.sync(self.space(spaces, space), allow_shrink=allow_shrink)
        read_attachments(parts, spaces, period_s=period, holding=nullcontext)
        if chosen.permission_mode is PermissionMode.AWARE:
            read_people(confluence, self.store.database)
        return counts

    @staticmethod
    def space(spaces: list[Space], key: str) -> Space:
        return next(space for space in spaces if space.key == key)

    def visible(self) -> set[str]:
        return {page.id for page in self.store.visible_pages()}

    def row(self, page_id: str) -> PageRow:
        with self.store.database.reading() as session:
            return session.get_one(PageRow, key(page_id))

    def evidence(self, page_id: str) -> list[str]:
        """The texts that readers can find of a page, in reading order."""
        with self.store.database.reading() as session:
            rows = session.exec(select(EvidenceRow).where(EvidenceRow.page_id == page_id)).all()
        return [row.record["text"] for row in sorted(rows, key=lambda row: row.record["position"])]

    def all_evidence(self) -> str:
        """Everything that readers can find."""
        return "\n".join(text for page_id in self.visible() for text in self.evidence(page_id))

    def found(self, question: str) -> list[str]:
        """Ids of the pages that a search finds, by words and by meaning."""
        return [hit.page.id for hit in searching(self.store).search(Query(question), 5).hits]

    def later(self, **values: object) -> None:
        """As if the time had come: set columns of every page's row."""
        with self.store.database.session() as session:
            session.exec(update(PageRow).values(**values))

    def bodies_asked(self) -> int:
        """Requests for bodies so far."""
        return sum("body-format" in request["query"] for request in self.site.received())

    def hits(self, question: str) -> list[Hit]:
        """What a search shows everybody."""
        return list(searching(self.store).search(Query(question), 20).hits)
