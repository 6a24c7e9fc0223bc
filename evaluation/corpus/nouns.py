"""The values of the corpus: subjects of pages, the pages themselves, questions about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from urllib.parse import quote_plus

SITE = "https://valmora.example/wiki"
PUBLISHED = "published"


@dataclass(frozen=True)
class Subject:
    """What one page is about, with its templates and facts."""

    key: str  # family and name, `runbooks/beryl`
    given: Mapping[str, Any]


@dataclass(frozen=True)
class CorpusPage:
    """A page that is ready to be written."""

    key: str  # of its subject; an edition of another page shares it
    edition: str  # published | draft | older | archived | copy
    language: str  # en | de
    space: str
    title: str
    body: str  # storage format
    front: Mapping[str, Any] = field(default_factory=dict)  # what else stands in its front matter

    @property
    def id(self) -> str:
        """From the title, so that neither the edition nor the order of writing shows in it."""
        digest = blake2b(f"{self.space}/{self.title}".encode(), digest_size=4).hexdigest()
        return str(10**9 + int(digest, 16))

    @property
    def url(self) -> str:
        return f"{SITE}/spaces/{self.space}/pages/{self.id}/{quote_plus(self.title)}"


@dataclass(frozen=True)
class Wording:
    """A question in one language: standing alone, and as a follow-up when its subject is clear."""

    full: str
    then: str = ""


@dataclass(frozen=True)
class Asked:
    """A question whose answer is known, since it was made from the page's facts."""

    key: str  # of the page that answers
    wordings: Mapping[str, Wording]  # by language
    answer: str
    source: str  # passage | list | table
    is_complex: bool = False
    tags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # keys of other pages that answer as well, or that the answer needs
