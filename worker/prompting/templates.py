"""Renders the prompts in `prompts/`; a variable that is missing there is an error here."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def _environment() -> Environment:
    # Prompts are plain text: escaping them for HTML would change what pages say.
    return Environment(
        loader=PackageLoader("prompts", ""),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=False,
    )


def render(name: str, **variables: object) -> str:
    """The prompt `prompts/NAME.j2` with its variables filled in."""
    return _environment().get_template(f"{name}.j2").render(**variables).strip()
