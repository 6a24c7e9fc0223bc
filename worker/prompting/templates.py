"""Prompt templates: renders the files in `prompts/`, and tells their version."""

from __future__ import annotations

import hashlib
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

OF_ANSWERS = ("answer", "answer_system", "evidence", "instructions", "manner", "read_claims")


@cache
def _environment() -> Environment:
    # Prompts are plain text: escaping them for HTML would change what pages say.
    return Environment(
        loader=PackageLoader("prompts", ""),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        keep_trailing_newline=False,
    )


def render(name: str, **variables: object) -> str:
    """The prompt `prompts/NAME.j2` with its variables filled in.

    Raises:
        jinja2.UndefinedError: a variable is missing.
    """
    return _environment().get_template(f"{name}.j2").render(**variables).strip()


@cache
def version() -> str:
    """Of the prompts that answer: another one whenever a character of them is."""
    digest = hashlib.sha256()
    for name in OF_ANSWERS:
        digest.update(source(name).encode())
    return digest.hexdigest()[:8]


def source(name: str) -> str:
    """The text of `prompts/NAME.j2`."""
    loader = _environment().loader
    assert loader is not None
    text, _, _ = loader.get_source(_environment(), f"{name}.j2")
    return text
