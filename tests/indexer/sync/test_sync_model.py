"""Model-based test of the sync: random edits of a site, random faults, and three promises.

1. A page that still exists is never gone from the index, whatever fails.
2. After the scan that could see a restriction, nobody finds a piece that holds a word of a page
   they may not read: not its text, not its title on other pages.
3. Once the faults have stopped, the index is the one that a new installation would make.
"""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlmodel import select
from wiki_site import Wiki

from core.embeddings import Vectors, unit
from core.errors import GroundwireError
from core.evidence import Dense, EvidenceStore
from core.evidence.dense.vector_stores import vector_stores
from core.evidence.lexical.index import LexicalIndex
from core.models import Evidence
from core.policy import acl
from core.policy.acl import DENIED_ID, EVERYBODY, Reader
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import Content, Entry, Person
from sandbox.http.faults import CHAOS
from sandbox.http.server import running

SPACES = ("DOC", "OPS", "OLD")  # the last one is not configured
PEOPLE = ("sandbox:ada", "sandbox:ben", "sandbox:cem")
COLLEAGUE = "sandbox:dan"  # in no group but the one of everybody
GROUPS = ("board", "staff")
LINK = (
    '<p>See <ac:link><ri:page ri:content-title="{title}" ri:space-key="{space}" /></ac:link>.</p>'
)
CHILDREN = '<ac:structured-macro ac:name="children" />'
AWARE = {"permission_mode": "aware", "confluence_everybody": "confluence-users"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Letters:
    """An embedder that counts letters: the sync does not care how good it is."""

    name = "letters"

    def embed(self, texts: Any) -> Vectors:
        counts = np.array(
            [[text.lower().count(letter) + 0.01 for letter in LETTERS] for text in texts],
            dtype=np.float32,
        )
        counts = counts.reshape(len(texts), len(LETTERS))
        return unit(counts)


def word(page_id: str) -> str:
    """A word that stands in the title and the body of this page alone."""
    return f"canary{page_id}end"


class Editing(RuleBasedStateMachine):
    """A site that people change, and an indexer on a bad network."""

    served: ClassVar[
        tuple[str, Content, str]
    ]  # address of the site, its content, address of Chroma

    @initialize()
    def begin(self) -> None:
        url, self.content, chroma = self.served
        self.closing = ExitStack()
        self.site = self.closing.enter_context(Site(url))
        self.site.reset()
        self.site.members("board", ["sandbox:ada"])
        self.site.members("staff", ["sandbox:ada", "sandbox:ben"])
        folder = Path(self.closing.enter_context(tempfile.TemporaryDirectory()))
        self.wiki = self._wiki(url, chroma, folder / "one")
        self.fresh = functools.partial(self._wiki, url, chroma, folder / "fresh")
        self.is_scanned = (
            False  # whether nothing has changed since a clean sync that read everything
        )
        self.titles = 0
        self.sync_all()

    def _wiki(self, url: str, chroma: str, folder: Path) -> Wiki:
        folder.mkdir()
        database = Database(f"sqlite:///{folder / 'g.db'}")
        self.closing.callback(database.close)
        database.migrate()
        store = EvidenceStore(
            database,
            LexicalIndex(folder),
            Dense(vector_stores(chroma), lambda _name: Letters(), wanted="letters"),
        )
        return Wiki(url, self.site, store, dict(AWARE))

    # ── what people do ──

    @rule(data=st.data())
    def create(self, data: st.DataObject) -> None:
        parent = data.draw(st.sampled_from([None, *self._ids()]))
        space = self.content.entries[parent].space if parent else data.draw(st.sampled_from(SPACES))
        kind = "page" if parent else data.draw(st.sampled_from(["page", "blogpost"]))
        made = self.site.create(space, "new", "", parent_id=parent, kind=kind)["id"]
        self.site.rename(made, self._title(made))
        self._edit(made, data)

    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        self._edit(self._any(data), data)

    def _edit(self, page_id: str, data: st.DataObject) -> None:
        links = data.draw(st.lists(st.sampled_from(self._ids()), max_size=2))
        targets = [self.content.entries[each] for each in links]
        body = f"<p>The text of {word(page_id)} number {data.draw(st.integers(0, 99))}.</p>"
        body += "".join(LINK.format(title=target.title, space=target.space) for target in targets)
        self._do(
            "edit",
            page_id,
            body=body
            + data.draw(
                st.sampled_from(["", CHILDREN, f"<ul><li>Under this: {CHILDREN}</li></ul>"])
            ),
        )

    @rule(data=st.data())
    def rename(self, data: st.DataObject) -> None:
        page_id = self._any(data)
        self._do("rename", page_id, title=self._title(page_id))

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        page_id = self._any(data)
        if self.content.entries[page_id].kind == "page":
            outside = [
                each
                for each in self._ids()
                if page_id not in self._path(each) and self.content.entries[each].kind == "page"
            ]
            parent = data.draw(st.sampled_from([None, *outside]))
            self._do(
                "move",
                page_id,
                parent_id=parent,
                space=None if parent else data.draw(st.sampled_from(SPACES)),
            )

    @rule(data=st.data())
    def restrict(self, data: st.DataObject) -> None:
        users = data.draw(st.lists(st.sampled_from(PEOPLE), max_size=1))
        groups = data.draw(st.lists(st.sampled_from(GROUPS), max_size=1))
        self._do("restrict", self._any(data), users=users, groups=groups)

    @rule(
        data=st.data(), verb=st.sampled_from(["archive", "trash", "restore", "purge", "unrestrict"])
    )
    def put_away_or_back(self, data: st.DataObject, verb: str) -> None:
        self._do(verb, self._any(data))

    @rule(data=st.data(), labels=st.lists(st.sampled_from(["policy", "draft"]), unique=True))
    def label(self, data: st.DataObject, labels: list[str]) -> None:
        self._do("labels", self._any(data), labels=labels)

    @rule(group=st.sampled_from(GROUPS), members=st.lists(st.sampled_from(PEOPLE), unique=True))
    def join(self, group: str, members: list[str]) -> None:
        self.site.members(group, members)
        self.is_scanned = False

    @rule(
        space=st.sampled_from(SPACES),
        groups=st.lists(st.sampled_from([*GROUPS, "confluence-users"]), unique=True, min_size=1),
    )
    def open_or_close_a_space(self, space: str, groups: list[str]) -> None:
        self.site.space_readers(space, groups=groups)
        self.is_scanned = False

    # ── what the indexer does ──

    @rule(
        rate=st.sampled_from([0.05, 0.3, 0.8]),
        seed=st.integers(0, 9999),
        space=st.sampled_from(SPACES[:2]),
    )
    def sync_on_a_bad_network(self, rate: float, seed: int, space: str) -> None:
        self.site.chaos(rate, seed=seed, kinds=sorted(CHAOS))
        self._sync(space)
        self.site.calm()

    @rule(space=st.sampled_from(SPACES[:2]))
    def sync(self, space: str) -> None:
        self._sync(space)

    @rule()
    def sync_all(self) -> None:
        """As long after everything else that all is read again."""
        for _ in range(
            2
        ):  # a link to a page of the space that is read second is resolved by the second round
            for space in SPACES[:2]:
                self.wiki.later(scanned_at=0.0, next_try=0.0)
                self._sync(space, allow_shrink=True)
        self.is_scanned = True

    def _sync(self, space: str, *, allow_shrink: bool = False) -> None:
        before = self.wiki.visible()
        try:
            self.wiki.sync(space, allow_shrink=allow_shrink)
        except GroundwireError:
            assert self.site is not None  # the sync said what was wrong, and goes on next time
        lost = before - self.wiki.visible()
        gone = {page_id for page_id in lost if not self._is_there(page_id)}
        assert lost == gone, "a page that still exists is never gone from the index"

    # ── the promises ──

    @precondition(lambda self: self.is_scanned)
    @invariant()
    def nobody_finds_a_word_of_a_page_that_they_may_not_read(self) -> None:
        self.look_for_secrets()

    def look_for_secrets(self) -> None:
        for account in (*PEOPLE, ""):
            reader = (
                acl.reader(self.wiki.store.database, f"user:{account}") if account else EVERYBODY
            )
            for page_id, text in self._shown(reader):
                secret = [
                    found
                    for found in re.findall(r"canary(\d+)end", text)
                    if not self._may_read(account, found)
                ]
                assert not secret, f"{account or 'everybody'} is shown {secret} on page {page_id}"

    def teardown(self) -> None:
        if not hasattr(self, "closing"):
            return
        try:
            self.site.calm()
            self.sync_all()
            fresh = self.fresh()
            for _ in range(2):
                for space in SPACES[:2]:
                    fresh.sync(space)
            ours, new = everything(self.wiki), everything(fresh)
            assert {
                key: (ours.get(key), new.get(key))
                for key in ours | new
                if ours.get(key) != new.get(key)
            } == {}
        finally:
            self.closing.close()

    # ── looking things up ──

    def _do(self, verb: str, page_id: str, **more: Any) -> None:
        getattr(self.site, verb)(page_id, **more)
        self.is_scanned = False

    def _title(self, page_id: str) -> str:
        self.titles += 1
        return f"Title {self.titles} of {word(page_id)}"

    def _ids(self) -> list[str]:
        return sorted(self.content.entries, key=int)

    def _any(self, data: st.DataObject) -> str:
        if not self.content.entries:
            self.site.create("DOC", "The last one", "")
        return data.draw(st.sampled_from(self._ids()))

    def _path(self, page_id: str) -> set[str]:
        entry = self.content.entries[page_id]
        return {entry.id, *(above.id for above in self.content.ancestors(entry))}

    def _is_there(self, page_id: str) -> bool:
        entry = self.content.entries.get(page_id)
        return entry is not None and entry.status == "current" and entry.space in SPACES[:2]

    def _may_read(self, account: str, page_id: str) -> bool:
        entry = self.content.entries.get(page_id)
        return entry is not None and self.content.may_read(account or COLLEAGUE, entry)

    def _shown(self, reader: Reader) -> Iterator[tuple[str, str]]:
        with self.wiki.store.database.reading() as session:
            for row in session.exec(select(EvidenceRow)).all():
                if row.acl_id in reader.acls:
                    piece = Evidence.model_validate(row.record)
                    page = session.get_one(PageRow, row.page).record
                    shown = (
                        piece.model_dump_json(exclude={"id", "page_id", "names", "acl_id"}),
                        page["title"],
                        *page["breadcrumbs"],
                    )
                    yield row.page_id, "\n".join(shown)


def everything(wiki: Wiki) -> dict[tuple[str, str], Any]:
    """What readers can find, and by whom; what is shown to nobody may be kept or not."""
    with wiki.store.database.reading() as session:
        pages = {
            ("page", row.id): (row.record, row.acl_id)
            for row in session.exec(select(PageRow)).all()
            if row.visible
        }
        pieces = {
            ("piece", row.id): (row.record, row.acl_id)
            for row in session.exec(select(EvidenceRow)).all()
        }
    return {key: found for key, found in (pages | pieces).items() if found[1] != DENIED_ID}


def content() -> Content:
    """A small tree in each space, with links and child pages."""
    entries = [
        Entry("1", "DOC", f"Home {word('1')}", f"<p>Welcome {word('1')}.</p>{CHILDREN}"),
        Entry("2", "DOC", f"Leave {word('2')}", f"<p>Days {word('2')}.</p>", parent_id="1"),
        Entry(
            "3",
            "DOC",
            f"Salary {word('3')}",
            f"<p>Bands {word('3')}.</p>",
            parent_id="1",
            groups=["board"],
        ),
        Entry(
            "4",
            "DOC",
            f"Bonus {word('4')}",
            f"<p>Sums {word('4')}.</p>",
            parent_id="3",
            users=["sandbox:ada"],
        ),
        Entry(
            "5",
            "OPS",
            f"On call {word('5')}",
            LINK.format(title=f"Salary {word('3')}", space="DOC"),
        ),
        Entry("6", "OLD", f"Attic {word('6')}", f"<p>Dust {word('6')}.</p>"),
    ]
    return Content(
        entries, [Person(account, account.title()) for account in (*PEOPLE, COLLEAGUE)], {}
    )


@pytest.fixture(scope="module")
def served(chroma_url: str) -> Iterator[None]:
    site = content()
    with running(build_app(site)) as url:
        Editing.served = (url, site, chroma_url)
        yield


@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("served")
def test_whatever_people_and_networks_do_the_index_keeps_its_promises() -> None:
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    chosen = settings(
        max_examples=25,
        stateful_step_count=20,
        deadline=None,
        derandomize=True,
        suppress_health_check=slow,
    )
    run_state_machine_as_test(Editing, settings=chosen)
