"""A console over a database with questions, and browsers that have come in by a link."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from closable import Closable
from starlette.testclient import TestClient
from wiki import hit, page, piece, put

from console.app import build
from console.parts import Ailment, ConsoleParts
from console.sessions import ConsoleRole, Sessions
from core.access.authorizer import Authorizer
from core.access.policy import Policy
from core.access.verdicts import Freshness
from core.embeddings import Vectors
from core.errors import StoreUnavailable
from core.evidence import EvidenceStore
from core.manner import Manner
from core.models import Answer, Confidence, Hit, Note, Page, Record, Source
from core.question import Completed
from core.settings import Settings
from core.states import Vote, VoteBy
from core.storage.database import Database
from core.turns import feedback, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.usage import Usage

URL = "http://127.0.0.1:8600"
_ts = count(1)


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def by_first_word(texts: Sequence[str]) -> Vectors:
    """Texts that begin alike mean the same."""
    vectors = np.zeros((len(texts), 64), np.float32)
    for row, text in enumerate(texts):
        vectors[row, sum(text.split()[0].strip(",?").lower().encode()) % 64] = 1
    return vectors


@dataclass
class Consoled:
    """A console, the pages behind it and whoever asks."""

    store: EvidenceStore
    site: Closable
    clock: Clock = field(default_factory=Clock)
    settings: Settings = field(default_factory=lambda: Settings(_env_file=None))
    ailments: tuple[Ailment, ...] = ()
    now: Record | None = (
        None  # what is answered when something is asked again; None: nobody answers
    )
    linked: dict[tuple[str, str], str] = field(default_factory=dict)  # accounts, by person
    asked_again: list[tuple[str, Manner, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.clock)
        control = Authorizer(
            self.database,
            {self.site.name: self.site},
            Policy,
            freshness=Freshness(valid_s=1e-6),
        )
        self.parts = ConsoleParts(
            settings=self.settings,
            database=self.database,
            control=control,
            embed=by_first_word,
            linked=lambda team, user: self.linked.get((team, user), ""),
            look=lambda: self.ailments,
            again=self.again,
        )
        self.app = build(self.parts, self.sessions)

    def again(self, question: str, manner: Manner, with_model: bool) -> Record:
        self.asked_again.append((question, manner, with_model))
        if self.now is None:
            raise StoreUnavailable("the database is away")
        return self.now

    @property
    def database(self) -> Database:
        return self.store.database

    def outside(self, language: str = "en") -> TestClient:
        """A browser that has not come in."""
        return TestClient(self.app, URL, headers={"accept-language": language})

    def inside(self, role: ConsoleRole = ConsoleRole.OPERATOR, language: str = "en") -> TestClient:
        browser = self.outside(language)
        shown = browser.get(f"/in?link={self.sessions.link(role)}")
        assert shown.status_code == 200, shown.text
        return browser

    def write(self, identifier: str, title: str, text: str = "Ben.", **more: str) -> Page:
        """A page that is indexed."""
        written = page(identifier, title, **more)
        put(self.store, written, piece(text, identifier))
        return written

    def ask(
        self,
        question: str,
        *pages: Page,
        user: str = "U1",
        found: bool = True,
        badge: Confidence | None = Confidence.MEDIUM,
        answered: bool = True,
        **more: object,
    ) -> Turn:
        """A question that was answered from these pages."""
        ts = f"{next(_ts)}.5"
        where = Address(team="T1", channel=str(more.pop("channel", "C1")), ts=ts, thread_ts=ts)
        turn = turn_store.ask(
            self.database,
            NewQuestion(where, user=user, text=question, **more),  # type: ignore[arg-type]
        )
        assert turn is not None
        if answered:
            record = recorded(question, pages, found=found, badge=badge)
            assert turn_store.answer(self.database, turn.id, record)
        return turn

    def vote(self, turn: Turn, vote: Vote, user: str = "U1") -> None:
        feedback.record(self.database, turn.id, user, vote, by=VoteBy.BUTTON)


def recorded(
    question: str,
    pages: Sequence[Page],
    *,
    found: bool,
    badge: Confidence | None,
) -> Record:
    hits: list[Hit] = []
    sources: list[Source] = []
    for number, on in enumerate(pages, 1):
        text = f"What stands on {on.title}."
        hits.append(hit(piece(text, on.id), on))
        sources.append(
            Source(
                number=number,
                title=on.title,
                url=on.url,
                space=on.space,
                evidence_ids=(hits[-1].evidence.id,),
            )
        )
    return Record(
        completed=Completed(question=question, text=question),
        answer=Answer(
            text=f"It stands on {', '.join(on.title for on in pages)}.",
            model="m-1",
            sources=tuple(sources),
            confidence=badge,
            notes=() if found else (Note.NOT_FOUND,),
        ),
        hits=tuple(hits),
        usage=Usage(calls=1, prompt_tokens=1000, completion_tokens=100),
    )


def form_token(text: str) -> str:
    """What the forms of a page carry."""
    found = re.search(r'name="form_token" value="([^"]+)"', text)
    assert found
    return found[1]
