"""Parsers of pages by the format of their bodies, which their source says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from core.page_source import STORAGE, STORAGE_OF_DATACENTER
from indexer.parse import Document, Site, parse
from indexer.parse.document.anchors import as_in_datacenter


class Parse(Protocol):
    """A body as blocks."""

    def __call__(self, text: str, /, *, site: Site) -> Document: ...


@dataclass(frozen=True)
class BodyFormat:
    """How bodies of one format are read."""

    parse: Parse
    people: Callable[[str], set[str]]  # ids of those whom a body mentions, for their names


_PERSON = re.compile(r'ri:(?:account-id|userkey|username)="([^"]+)"')


def _people(storage: str) -> set[str]:
    return set(_PERSON.findall(storage))


def _parse_of_datacenter(storage: str, /, *, site: Site) -> Document:
    return parse(storage, site=site, anchor_of=partial(as_in_datacenter, site.page_title))


FORMATS: Mapping[str, BodyFormat] = {
    STORAGE: BodyFormat(parse, _people),
    STORAGE_OF_DATACENTER: BodyFormat(_parse_of_datacenter, _people),
}
