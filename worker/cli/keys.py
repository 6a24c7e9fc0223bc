"""`python -m worker keys`: makes keys for people's tokens, and moves the tokens to a new one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from core import logs
from core.access.token_keys import TokenKeys, new_key
from core.access.token_store import TokenStore
from core.settings import or_exit, settings
from core.storage.database import open_database

app = typer.Typer(
    help="The keys that people's tokens are encrypted with.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.command()
def new() -> None:
    """Print a new key, to be put first in TOKEN_KEYS."""
    typer.echo(new_key())


@app.command()
def rotate() -> None:
    """Encrypt all tokens with the first key; then the others may go. Programs may run meanwhile."""
    with _store() as store:
        done = store.rotate()
    typer.echo(f"{done.readable} encrypted with the first key, {done.unreadable} that no key opens")


@app.command()
def drop() -> None:
    """Erase the tokens that no key opens; their owners have to link again."""
    with _store() as store:
        dropped = store.drop_unreadable()
    typer.echo(f"{dropped} erased that no key opens")


@contextmanager
def _store() -> Iterator[TokenStore]:
    with or_exit():
        logs.configure_quietly(settings())
        keys = TokenKeys.of(settings())
        yield TokenStore(open_database(settings().sql_url), keys)
