"""A finding of the doctor: how one thing is, in one line, and its cure where it is not well."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class HealthState(StrEnum):
    """How the thing is that was looked at."""

    OK = "ok"
    WARNING = "warning"  # it works, and somebody should know
    WRONG = "wrong"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class HealthFinding:
    """What one check has found; `id` and `seconds` are added by whoever runs it."""

    state: HealthState
    says: str
    cure: str = ""
    may_come: bool = False  # wrong now, and right once a server has started that does so now
    id: str = ""  # subject.what
    seconds: float = 0.0

    @property
    def subject(self) -> str:
        return self.id.partition(".")[0]


class NotTried(Exception):
    """What the check needs is not there; why is the message."""


def ok(says: str) -> HealthFinding:
    return HealthFinding(HealthState.OK, says)


def warning(says: str, cure: str) -> HealthFinding:
    return HealthFinding(HealthState.WARNING, says, cure)


def wrong(says: str, cure: str, *, may_come: bool = False) -> HealthFinding:
    return HealthFinding(HealthState.WRONG, says, cure, may_come)


def not_tried(says: str, cure: str = "") -> HealthFinding:
    return HealthFinding(HealthState.NOT_TRIED, says, cure)


def worst(findings: list[HealthFinding]) -> HealthState:
    """The state of the whole installation; what was not tried says nothing."""
    states = {finding.state for finding in findings}
    return next(
        (each for each in (HealthState.WRONG, HealthState.WARNING) if each in states),
        HealthState.OK,
    )
