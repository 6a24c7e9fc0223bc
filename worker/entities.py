"""What is known of the people, teams and things a question names: what they belong to, what belongs to them, and how many."""

from __future__ import annotations

from core.access import Reader
from core.models import Completed, Hit


class Entities:
    """Question in, statements of place in the organization out, as evidence of the pages they come from."""

    def about(self, completed: Completed, reader: Reader) -> tuple[Hit, ...]:
        raise NotImplementedError
