"""Vectors in a Chroma server.

Only through HttpClient: a second process with a PersistentClient on the same folder loses writes
without an error.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from urllib.parse import urlsplit

import chromadb
import httpx
from chromadb.api import ClientAPI
from chromadb.api.models.Collection import Collection as ChromaCollection
from chromadb.config import Settings as ChromaSettings
from chromadb.errors import ChromaError, NotFoundError

from core.embeddings import Vectors
from core.errors import StoreUnavailable

BATCH = 2000  # Chroma takes at most 5,461 at once


class ChromaVectors:
    """A vector store (core.evidence.dense.vector_stores): a collection of a Chroma server."""

    def __init__(self, url: str, collection: str) -> None:
        self._url = url
        self._name = collection

    def look(self) -> None:
        """Whether the server is there, whatever it holds."""
        with self._reachable():
            self._client.heartbeat()

    def create(self) -> None:
        with self._reachable():
            self._client.get_or_create_collection(
                self._name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )

    def drop(self) -> None:
        with self._reachable():
            try:
                self._client.delete_collection(self._name)
            except NotFoundError:
                return

    def count(self) -> int:
        with self._reachable():
            return self._collection.count()

    def of_page(self, page_id: str) -> set[str]:
        with self._reachable():
            found = self._collection.get(where={"page_id": page_id}, include=[])
        return set(found["ids"])

    def replace(
        self,
        page_id: str,
        ids: Sequence[str],
        vectors: Vectors,
        *,
        there: Collection[str],
    ) -> None:
        # `add` ignores known ids, and `upsert` keeps stale metadata.
        self.delete([each for each in ids if each in there])
        with self._reachable():
            for start in range(0, len(ids), BATCH):
                batch = list(ids[start : start + BATCH])
                self._collection.add(
                    ids=batch,
                    embeddings=vectors[start : start + BATCH],
                    metadatas=[{"page_id": page_id}] * len(batch),
                )

    def delete(self, ids: Sequence[str]) -> None:
        with self._reachable():
            for start in range(0, len(ids), BATCH):
                self._collection.delete(ids=list(ids[start : start + BATCH]))

    def search(self, vector: Vectors, limit: int) -> dict[str, float]:
        with self._reachable():
            reply = self._collection.query(
                query_embeddings=vector,
                n_results=limit,
                include=["distances"],
            )
        distances = reply["distances"] or [[]]
        nearest = zip(reply["ids"][0], distances[0], strict=True)
        return {found: 1.0 - float(distance) for found, distance in nearest}

    @cached_property
    def _client(self) -> ClientAPI:
        address = urlsplit(self._url)
        is_https = address.scheme == "https"
        return chromadb.HttpClient(
            host=address.hostname or "127.0.0.1",
            port=address.port or (443 if is_https else 8000),
            ssl=is_https,
            settings=ChromaSettings(anonymized_telemetry=False),
        )

    @cached_property
    def _collection(self) -> ChromaCollection:
        # Never created in passing: a server that came back empty must be noticed, not searched.
        return self._client.get_collection(self._name, embedding_function=None)

    @contextmanager
    def _reachable(self) -> Iterator[None]:
        # After an error the collection is looked up again: the server may come back empty.
        try:
            yield
        except NotFoundError as error:
            self.__dict__.pop("_collection", None)
            raise StoreUnavailable(
                "Chroma has lost its vectors; "
                f"`python -m indexer rebuild` makes them from SQL ({error})"
            ) from error
        # HttpClient says ValueError when nobody listens.
        except (httpx.HTTPError, ChromaError, ValueError) as error:
            self.__dict__.pop("_collection", None)
            raise StoreUnavailable(
                f"Chroma does not answer; is CHROMA_URL right and `chroma run` running? ({error})"
            ) from error
