"""The state of the workspace: users, channels, messages; `world` announces its changes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sandbox.slack.workspace.values import (
    BOT,
    CHANNELS,
    HOME,
    OF_SLACK,
    PARTNER_ID,
    PEOPLE,
    Channel,
    Ids,
    Message,
    Reaction,
    Refused,
    User,
)


class Team:
    """Users, channels and messages, with the refusals that Slack documents for each look-up."""

    def __init__(self, ids: Ids = HOME) -> None:
        self.ids = ids
        bot = replace(BOT, id=ids.bot_user)
        self.users = {user.id: _of(ids, user) for user in (*PEOPLE, bot, OF_SLACK)}
        self.channels = {channel.id: channel for channel in CHANNELS}
        self._messages: dict[str, dict[str, Message]] = {}
        self._last_ts = 0

    def new_ts(self) -> str:
        """A message timestamp: seconds and microseconds, unique and rising."""
        self._last_ts = max(self._last_ts + 1, int(time.time() * 1_000_000))
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06d}"

    def user(self, name_or_id: str) -> User:
        for user in self.users.values():
            if name_or_id.lower() in (user.id.lower(), user.name):
                return user
        raise Refused("user_not_found")

    def channel(self, channel_id: str) -> Channel:
        if channel_id not in self.channels:
            raise Refused("channel_not_found")
        return self.channels[channel_id]

    def channel_named(self, name_or_id: str) -> Channel:
        """A channel as people write it: `general`, `#general` or its id."""
        wanted = name_or_id.removeprefix("#")
        for channel in self.channels.values():
            if wanted == channel.id or (wanted == channel.name and not channel.is_im):
                return channel
        raise Refused("channel_not_found")

    def direct(self, user: User) -> Channel:
        """The direct messages of this person with the bot, opened on first use."""
        if user.id == self.ids.bot_user:
            raise Refused("cannot_dm_bot")
        channel = Channel("D" + user.id[1:], user.name, user=user.id)
        return self.channels.setdefault(channel.id, channel)

    def grow(self, people: int, channels: int) -> tuple[list[str], list[str]]:
        """So many more people and channels; their names."""
        first, last = len(self.users), len(self.users) + people
        joined = [
            User(f"U1P{n}", f"person{n}", f"Person {n}", team_id=self.ids.team)
            for n in range(first, last)
        ]
        made = [Channel(f"C1C{n}", f"team{n}") for n in range(channels)]
        self.users |= {user.id: user for user in joined}
        self.channels |= {channel.id: channel for channel in made}
        return [user.name for user in joined], [channel.name for channel in made]

    def rank(self, admins: Sequence[str], guests: Sequence[str]) -> None:
        """These people, by name, are administrators here, those are guests, and nobody else is."""
        for user in list(self.users.values()):
            is_admin, is_guest = user.name in admins, user.name in guests
            self.users[user.id] = replace(user, is_admin=is_admin, is_guest=is_guest)

    def get_mail_at(self, domain: str) -> None:
        """Everybody's address is at this domain."""
        for user in list(self.users.values()):
            self.users[user.id] = replace(user, email_domain=domain)

    def post(
        self, channel: str, user: str, text: str, *, thread_ts: str | None = None, **more: Any
    ) -> Message:
        """Put a message into a channel, or into the thread whose first message is `thread_ts`.

        `ts` among `more` is when, where two workspaces are to have the same.
        """
        if thread_ts is not None:
            self._check_root(channel, thread_ts)
        ts = more.pop("ts", None) or self.new_ts()
        message = Message(channel, ts, user, text, thread_ts=thread_ts, ids=self.ids, **more)
        return self.keep(message)

    def keep(self, message: Message) -> Message:
        self._messages.setdefault(message.channel, {})[message.ts] = message
        return message

    def remove(self, message: Message) -> None:
        del self._messages[message.channel][message.ts]

    def message(self, channel: str, ts: str) -> Message:
        found = self._messages.get(channel, {}).get(ts)
        if found is None:
            raise Refused("message_not_found")
        return found

    def messages(self, channel: str) -> list[Message]:
        """Everything in a channel, oldest first, replies included."""
        return list(self._messages.get(channel, {}).values())

    def thread(self, channel: str, ts: str) -> list[Message]:
        """The first message of a thread and its replies."""
        found = [m for m in self.messages(channel) if m.root_ts == ts or m.ts == ts]
        if not found:
            raise Refused("thread_not_found")
        return found

    def has_replies(self, message: Message) -> bool:
        return any(m.is_reply and m.root_ts == message.ts for m in self.messages(message.channel))

    def react(self, message: Message, user: str, name: str) -> Message:
        # docs.slack.dev/reference/methods/reactions.add
        users = _who(message, name)
        if user in users:
            raise Refused("already_reacted")
        return self._with_reaction(message, name, (*users, user))

    def unreact(self, message: Message, user: str, name: str) -> Message:
        # docs.slack.dev/reference/methods/reactions.remove
        users = _who(message, name)
        if user not in users:
            raise Refused("no_reaction")
        return self._with_reaction(message, name, tuple(u for u in users if u != user))

    def _with_reaction(self, message: Message, name: str, users: tuple[str, ...]) -> Message:
        names = list(dict.fromkeys([*(r.name for r in message.reactions), name]))
        new = (Reaction(n, users if n == name else _who(message, n)) for n in names)
        return self.keep(replace(message, reactions=tuple(r for r in new if r.users)))

    def _check_root(self, channel: str, thread_ts: str) -> None:
        root = self._messages.get(channel, {}).get(thread_ts)
        if root is None:
            raise Refused("thread_not_found")
        # docs.slack.dev/reference/methods/chat.postMessage:
        # "Avoid using a reply's ts value; use its parent instead".
        if root.is_reply:
            raise Refused("cannot_reply_to_message")


def _of(ids: Ids, user: User) -> User:
    """The person of the same id in this workspace; guests of another one stay its people."""
    return user if user.team_id == PARTNER_ID else replace(user, team_id=ids.team)


def _who(message: Message, name: str) -> tuple[str, ...]:
    return next((reaction.users for reaction in message.reactions if reaction.name == name), ())
