"""What all calls of an endpoint share: its pages are checked before, its errors are one after."""

from __future__ import annotations

from collections.abc import Collection

from core.errors import KeptInside, ModelUnavailable
from core.pages import PageKey
from core.policy.model_routing import ModelRouting

CONNECT_S = 3.0  # an endpoint that does not even take the connection is down


def check(routing: ModelRouting | None, pages: Collection[PageKey]) -> None:
    """See that all of these pages may reach the endpoint.

    Raises:
        KeptInside: one of them may not.
    """
    if routing and (kept := routing.kept(pages)):
        keys = ", ".join(sorted(map(str, kept)))
        raise KeptInside(f"pages that may not reach {routing.endpoint}: {keys}")


def no_answer(error: Exception) -> ModelUnavailable:
    return ModelUnavailable(f"the model at LLM_BASE_URL does not answer: {error}")
