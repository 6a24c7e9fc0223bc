"""Text routing: which pages may reach an endpoint, and what of all texts leaves the company.

Whoever sends text to an endpoint says which pages it gives away, and asks here first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlmodel import select

from core.pages import PageKey
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.settings import Settings
from core.settings.endpoints import Endpoint, endpoint
from core.settings.values import EndpointPlace, PermissionMode, words
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page

# Of the value of EMBEDDER: the embedder is at LLM_BASE_URL, as the model is.
BEHIND_HTTP = "openai:"


@dataclass(frozen=True)
class ModelRouting:
    """Which pages may reach one endpoint."""

    database: Database
    endpoint: Endpoint
    spaces: frozenset[str] = frozenset()  # keys of the only ones that may; empty: all
    excluded_labels: frozenset[str] = frozenset()  # of pages that may not
    restricted: bool = False  # whether pages may that not everybody may read

    @classmethod
    def to(cls, there: Endpoint, settings: Settings, database: Database) -> ModelRouting:
        """As the settings say. Restricted pages may always reach an endpoint of the operator's."""
        return cls(
            database,
            there,
            spaces=frozenset(words(settings.llm_spaces)),
            excluded_labels=_labels(settings),
            restricted=settings.llm_restricted or not there.outside,
        )

    def kept(self, pages: Iterable[PageKey]) -> frozenset[PageKey]:
        """Those of these pages that may not reach it; one that nobody knows may not."""
        wanted = frozenset(pages)
        if not wanted or self._lets_everything_pass:
            return frozenset()
        with self.database.reading() as session:
            rows = session.exec(select(PageRow).where(is_page(wanted))).all()
        return wanted - {row.key for row in rows if self._lets_pass(row)}

    def tellable(self, reader: Reader) -> Reader | None:
        """The reader of whose pages the names and labels may be told; None for nobody.

        Names stand on many pages: where spaces or labels keep some inside, no list of names leaves.
        """
        if self.spaces or self.excluded_labels:
            return None
        return reader if self.restricted else replace(EVERYBODY, spaces=reader.spaces)

    @property
    def _lets_everything_pass(self) -> bool:
        return self.restricted and not self.spaces and not self.excluded_labels

    def _lets_pass(self, row: PageRow) -> bool:
        if self.spaces and row.space not in self.spaces:
            return False
        labels = {str(label).casefold() for label in row.record.get("labels", ())}
        if not labels.isdisjoint(self.excluded_labels):
            return False
        return self.restricted or (row.visible and row.acl_id == OPEN_ID)


@dataclass(frozen=True)
class Leaving:
    """What leaves for where, beside Slack; an endpoint is None where there is none."""

    model: Endpoint | None = None
    embedder: Endpoint | None = None
    reranker: Endpoint | None = None
    spaces: tuple[str, ...] = ()  # empty: of all
    excluded_labels: tuple[str, ...] = ()
    messages: bool = False  # whether those may that the bot is not sure of
    restricted: bool = False  # whether restricted pages may leave for an endpoint outside


def leaving(settings: Settings) -> Leaving:
    """What the settings let leave."""
    embeds_there = settings.embedder.startswith(BEHIND_HTTP)
    return Leaving(
        model=settings.model_endpoint,
        embedder=settings.model_endpoint if embeds_there else None,
        reranker=reranker_endpoint(settings),
        spaces=words(settings.llm_spaces),
        excluded_labels=tuple(sorted(_labels(settings))),
        messages=settings.messages_by_model,
        restricted=settings.llm_restricted,
    )


def reranker_endpoint(settings: Settings) -> Endpoint | None:
    """Where RERANKER sends text; None when it runs here. LLM_ENDPOINT counts for the same host."""
    if not settings.reranker.startswith(("http://", "https://")):
        return None
    there, model = endpoint(settings.reranker), settings.model_endpoint
    is_same = model is not None and model.host == there.host
    place = settings.llm_endpoint if is_same else EndpointPlace.AUTO
    return endpoint(settings.reranker, place)


def embedder_refusal(settings: Settings, embedder: str) -> str:
    """Why this embedder may not be used; empty when it may.

    It gets the text of every page that is indexed, so none of them may be kept from its endpoint.
    """
    there = settings.model_endpoint
    if there is None or not embedder.startswith(BEHIND_HTTP):
        return ""
    kept = [name for name in ("llm_spaces", "llm_excluded_labels") if getattr(settings, name)]
    has_restricted = settings.permission_mode is PermissionMode.AWARE
    if there.outside and has_restricted and not settings.llm_restricted:
        kept.append("llm_restricted")
    if not kept:
        return ""
    names = ", ".join(name.upper() for name in kept)
    return (
        f"wrong setting: EMBEDDER={embedder} sends every page to LLM_BASE_URL ({there}), and "
        f"{names} keep some from it: use an embedder that runs here, such as bundled"
    )


def _labels(settings: Settings) -> frozenset[str]:
    """Confluence writes labels in lower case."""
    return frozenset(label.casefold() for label in words(settings.llm_excluded_labels))
