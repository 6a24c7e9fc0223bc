"""Prompt templates: renders the files in `prompts/`; a missing variable is an error."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


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
    """The prompt `prompts/NAME.j2` with its variables filled in."""
    return _environment().get_template(f"{name}.j2").render(**variables).strip()
