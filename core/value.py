"""The base of every value that is stored or sent."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value; an older program ignores the unknown fields of a newer one's record.

    What was given stays out of error texts: it may be page text, and errors go to the log.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)
