"""SQL tables of the connection to Slack: installations, what was heard or missed, budgets."""

from __future__ import annotations

from sqlmodel import Field, SQLModel

from core.storage import clock


class HeardRow(SQLModel, table=True):
    """The last moment at which a bot of this workspace was connected and could write to SQL."""

    __tablename__ = "heard"
    team: str = Field(primary_key=True)
    until: float


class InstallationRow(SQLModel, table=True):
    """A workspace in which the app is installed; its tokens are a TokenRow."""

    __tablename__ = "installation"
    team: str = Field(primary_key=True)
    name: str = ""
    bot: str  # the id of the bot as a user there
    bot_id: str = ""
    installed_by: str = ""
    installed_at: float = Field(default_factory=clock.now)
    refused: str = ""  # Slack's code since it takes no token of ours any more


class GapRow(SQLModel, table=True):
    """A place in Slack where something may have been said that nobody heard."""

    __tablename__ = "gap"
    team: str = Field(primary_key=True)
    channel: str = Field(primary_key=True)  # empty: every channel, not looked up yet
    thread_ts: str = Field(primary_key=True)  # empty: the channel and its threads
    direct: bool = False  # direct messages with one person
    since: float  # what is older was heard
    opened_at: float = Field(default_factory=clock.now)


class SlackBudgetRow(SQLModel, table=True):
    """Calls against a limit of Slack's, while Redis is away; see bot.slack_api.outbox."""

    __tablename__ = "slack_budget"
    name: str = Field(primary_key=True)
    window: str  # JSON
