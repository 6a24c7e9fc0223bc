"""What a reset makes new in one workspace: its team, views, statuses, faults and received calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandbox.slack.workspace.team import Team
from sandbox.slack.workspace.values import File, Json, Status, View


@dataclass
class Trigger:
    """The right to open one modal for the person who just did something."""

    user: str
    until: float
    used: bool = False


@dataclass
class Fault:
    """What to answer instead of the truth, and how often."""

    method: str = ""  # empty: any
    error: str = ""
    status: int = 200
    retry_after: int | None = None  # seconds, with status 429
    after: bool = False  # carry the call out first: the reply gets lost, not the request
    times: int = 1
    seconds: float = 0.0  # to wait before the reply; alone, the reply is the truth
    lost: bool = False  # carried out, but the connection is closed before the reply
    share: float = 1.0  # of the calls, by chance

    @property
    def is_truthful(self) -> bool:
        """Whether it only takes its time."""
        return not (self.error or self.lost or self.status != 200 or self.retry_after is not None)


@dataclass(frozen=True)
class Call:
    """One Web API call of the bot, and how it was answered."""

    method: str
    arguments: Json
    ok: bool
    error: str
    status: int
    time: float
    lost: bool = False  # the connection was closed before the reply


@dataclass
class Everything:
    """What a reset makes new."""

    team: Team
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    responses: dict[str, tuple[str, str, str]] = field(
        default_factory=dict
    )  # response_url -> (channel, ts, user)
    statuses: dict[tuple[str, str], Status] = field(default_factory=dict)
    sessions: dict[tuple[str, str], str] = field(default_factory=dict)
    prompts: dict[str, Json] = field(default_factory=dict)
    choices: dict[tuple[str, str, str], str] = field(
        default_factory=dict
    )  # (user, ts, action id) -> value of the feedback button chosen
    files: dict[str, File] = field(default_factory=dict)
    lacking: set[str] = field(default_factory=set)  # methods that this workspace does not have
    faults: list[Fault] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
