"""The arguments that a method takes, by slack_sdk's own signatures, and the fields of blocks."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from functools import cache

from slack_sdk import WebClient
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

from sandbox.slack.workspace.values import Json, Refused

NOT_OURS = {"self", "kwargs"}
EVERYWHERE = {"team_id"}  # Bolt's client sends it with each call


def check(method: str, given: Json) -> None:
    """Refuse what the method does not know, or needs and was not given.

    Real Slack lets many unknown arguments pass, with a warning at best; here they are mistakes.

    Raises:
        Refused: invalid_arguments, with what is wrong
    """
    known, needed = _signature(method)
    unknown = [f"unknown field: {name}" for name in given if name not in known | EVERYWHERE]
    missing = [f"missing required field: {name}" for name in needed if name not in given]
    if complaints := unknown + missing:
        raise Refused("invalid_arguments", *complaints)


@cache
def _signature(method: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The names of all arguments, and of those without which it cannot be called."""
    function = getattr(WebClient, method.replace(".", "_"))
    parameters = inspect.signature(function).parameters.values()
    ours = [each for each in parameters if each.name not in NOT_OURS]
    needed = tuple(each.name for each in ours if each.default is each.empty)
    return frozenset(each.name for each in ours), needed


def complaints(blocks: Sequence[Json]) -> Iterator[str]:
    """What slack_sdk's models say against these blocks: unknown fields, and their own checks."""
    for place, block in enumerate(blocks):
        for complaint in _against(block):
            yield f"{complaint} [json-pointer:/blocks/{place}]"


def _against(block: Json) -> Iterator[str]:
    try:
        parsed = Block.parse(block)
        if parsed is None:
            return
        yield from (f"unknown field: {name}" for name in sorted(set(block) - parsed.attributes))
        parsed.validate_json()
    except (SlackObjectFormationError, TypeError) as error:
        yield str(error)
