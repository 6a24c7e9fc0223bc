"""`python -m indexer unread`: names what stands in a space beside pages, and is not read.

It is asked of Confluence each time: titles of what nobody can be asked about are not kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated

import typer

from core import logs
from core.confluence import connect
from core.outages.ending import or_one_sentence
from core.page_source import UnreadItem
from core.settings import settings
from indexer.sync.status_table import NAMES


def list_unread(
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Name whiteboards, databases, folders and Smart Links, as this account sees them."""
    with or_one_sentence():
        logs.configure_quietly(settings())
        source = connect(settings())
        spaces = source.spaces(settings().space_keys)
        found = {space.key: source.unread(space) for space in spaces}
    if as_json:
        by_space = {key: [vars(item) for item in items] for key, items in found.items()}
        typer.echo(json.dumps(by_space, indent=2, ensure_ascii=False))
        return
    for key, items in found.items():
        _show(key, items)


def _show(key: str, items: Iterable[UnreadItem]) -> None:
    for item in items:
        title = item.title or "(without a title)"
        typer.echo(f"{key}: {NAMES.get(item.kind, item.kind)}: {title}: {item.url}")
