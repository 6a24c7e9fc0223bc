"""The nouns of a workspace: frozen values; a change makes a new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

TEAM_ID = "T0SANDBOX"
PARTNER_ID = "T0PARTNER"  # the workspace of another organization, with which a channel is shared
APP_ID = "A0SANDBOX"
BOT_ID = "B0SANDBOX"
BOT_USER_ID = "U0BOT"
SLACKBOT = "USLACKBOT"
BOT_TOKEN = "xoxb-sandbox"
APP_TOKEN = "xapp-sandbox"
SIGNING_SECRET = "sandbox-signing-secret"
CLIENT_ID = "1111.2222"
CLIENT_SECRET = "sandbox-client-secret"


class Refused(Exception):
    """Slack says no; the code is the one its documentation lists for the method."""

    def __init__(self, code: str, *complaints: str) -> None:
        super().__init__(code)
        self.code = code
        self.complaints = complaints


@dataclass(frozen=True, slots=True)
class Ids:
    """A workspace by name, with the ids that are its own; those of people and channels are not.

    An id of a person is unique only together with the workspace's: two may have the same
    (docs.slack.dev/reference/objects/user-object).
    """

    team: str = TEAM_ID
    name: str = "Sandbox"
    bot_user: str = BOT_USER_ID
    bot: str = BOT_ID

    @property
    def domain(self) -> str:
        return self.name.lower()


HOME = Ids()


@dataclass(frozen=True, slots=True)
class User:
    """A person, or the bot."""

    id: str
    name: str
    real_name: str
    title: str = ""
    is_bot: bool = False
    is_admin: bool = False
    is_guest: bool = False
    team_id: str = (
        TEAM_ID  # of another organization's workspace for people who are met in a shared channel
    )
    locale: str = "en-US"  # the language that they use Slack in
    email_domain: str = "example.com"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel, or the direct messages of the bot with one person, `user`."""

    id: str
    name: str
    topic: str = ""
    user: str = ""
    creator: str = ""
    is_shared: bool = False  # with another organization
    is_private: bool = False  # only those who were invited read it

    @property
    def is_im(self) -> bool:
        return bool(self.user)


@dataclass(frozen=True, slots=True)
class Reaction:
    """An emoji on a message, and who put it there, in that order."""

    name: str
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it stands; `ts` is its identity within the channel."""

    channel: str
    ts: str
    user: str
    text: str
    thread_ts: str | None = None
    blocks: tuple[Json, ...] = ()
    metadata: Json | None = None
    edited_ts: str | None = None
    reactions: tuple[Reaction, ...] = ()
    ephemeral_for: str | None = None
    streaming: bool = False
    subtype: str = ""
    files: tuple[Json, ...] = ()
    app_context: Json | None = None  # what its author was looking at; told in its event only
    ids: Ids = HOME

    @property
    def by_bot(self) -> bool:
        return self.user == self.ids.bot_user

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts

    @property
    def root_ts(self) -> str:
        return self.thread_ts or self.ts


@dataclass(frozen=True, slots=True)
class View:
    """An open modal, or a Home tab, of one person."""

    id: str
    user: str
    content: Json
    hash: str
    open: bool = True
    ids: Ids = HOME


@dataclass(frozen=True, slots=True)
class File:
    """A file of the bot; `ready_at` is 0 until its upload is completed."""

    id: str
    name: str
    length: int
    title: str = ""
    data: bytes = b""
    ready_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Status:
    """What the bot says it is doing in a thread ("is thinking…"), until when."""

    text: str
    loading_messages: tuple[str, ...]
    until: float


PEOPLE = (
    User("U0ALICE", "alice", "Alice Okafor", "Platform engineer", is_admin=True),
    User("U0BEN", "ben", "Ben Castellanos", "Support lead"),
    User("U0CHLOE", "chloe", "Chloe Lindqvist", "People partner"),
    User("U0DEV", "dev", "Dev Raman", "New joiner"),
    User("U0LENA", "lena", "Lena Brandes", "Assembly, Werk Kassel", locale="de-DE"),
    User("U0GRETA", "greta", "Greta Holm", "Auditor, a guest", is_guest=True),
    User("U0ERIK", "erik", "Erik Sandvik", "of Fjord Cranes", team_id=PARTNER_ID),
)
BOT = User(BOT_USER_ID, "groundwire", "groundwire", "Answers from Confluence", is_bot=True)
OF_SLACK = User(SLACKBOT, "slackbot", "Slackbot", is_bot=True)
CHANNELS = (
    Channel("C0GENERAL", "general", "Everything and everyone", creator="U0ALICE"),
    Channel("C0ENGINEER", "engineering", "Builds, deploys and on-call", creator="U0BEN"),
    Channel("C0HR", "hr", "Leave, benefits and policies", creator="U0CHLOE"),
    Channel(
        "C0PARTNERS", "fjord-cranes", "Shared with Fjord Cranes", creator="U0BEN", is_shared=True
    ),
)
PARTNERS = {user.id for user in PEOPLE if user.team_id == PARTNER_ID}
SHARED = {channel.id for channel in CHANNELS if channel.is_shared}


def tombstone(message: Message) -> Message:
    """What is left of a message with replies: github.com/slack-edge/slack-edge/pull/10."""
    said = "This message was deleted."
    return Message(
        message.channel,
        message.ts,
        SLACKBOT,
        said,
        thread_ts=message.ts,
        subtype="tombstone",
        ids=message.ids,
    )


def team_of(message: Message) -> str:
    """The workspace that a message's author belongs to, a person or the bot."""
    return PARTNER_ID if message.user in PARTNERS else message.ids.team
