"""What people do in the stand-in workspace, for tests and the demo: a client of the control API."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any

from sandbox.slack.conditions import Conditions, Json, OrderRefused
from sandbox.slack.render.plain import plain
from sandbox.slack.seen import Call, Message, read_message

__all__ = ["Call", "Message", "NothingCame", "OrderRefused", "Workspace"]

MOST_PRESSES = 3
NOT_HEARD_S = 5.0  # after 3 s Slack says that it failed
PATIENCE_S = 60.0  # nothing takes so long that will come at all, not even beside a busy neighbour


class NothingCame(Exception):
    """What was waited for did not happen in time."""


class Workspace(Conditions):
    """The workspace at `base_url`, the first or that of a name; people go by their names."""

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def team(self, name: str) -> Workspace:
        """The workspace of this name or id, beside this one; closed with it."""
        beside = Workspace(self.url, name)
        self._beside.append(beside)
        return beside

    def add_team(self, name: str, **more: Any) -> Workspace:
        """One more workspace, with the same ids of people and channels, without the app.

        More: `admins`, `guests`, who is which there, by name; `email_domain`.
        """
        self._order("add_team", name=name, **more)
        return self.team(name)

    def allow(self, user: str, url: str) -> str:
        """Allow the app here on the page of /oauth/v2/authorize; where the browser goes then."""
        return str(self._order("authorize", user=user, url=url)["url"])

    def deny(self, url: str) -> str:
        """Cancel on that page; where the browser goes then."""
        return str(self._order("authorize", deny=True, url=url)["url"])

    def say(
        self, user: str, channel: str, text: str, thread_ts: str | None = None, **more: Any
    ) -> Message:
        """Write into a channel; `@groundwire` in the text is a mention.

        More: `files`, names of what is shared with it; `app_context`, what its author looks at;
        `ts`, its timestamp, if it is to be that of a message in another workspace.
        """
        said = {"user": user, "text": text, "thread_ts": thread_ts, **more}
        return read_message(self._order("say", channel=channel, **said))

    def direct(self, user: str, text: str, thread_ts: str | None = None, **more: Any) -> Message:
        """Write to the bot directly; more as in `say`."""
        said = {"user": user, "text": text, "thread_ts": thread_ts, **more}
        return read_message(self._order("say", dm=True, **said))

    def edit(self, message: Message, text: str) -> Message:
        return read_message(self._order("edit", user=message.user, **_at(message), text=text))

    def delete(self, message: Message) -> None:
        self._order("delete", user=message.user, **_at(message))

    def react(self, user: str, message: Message, name: str) -> None:
        self._order("react", user=user, **_at(message), name=name)

    def unreact(self, user: str, message: Message, name: str) -> None:
        self._order("unreact", user=user, **_at(message), name=name)

    def click(self, user: str, message: Message, action_id: str, value: str | None = None) -> str:
        """Press a button; gives the trigger id that went with it."""
        order = {"user": user, **_at(message), "action_id": action_id, "value": value}
        return str(self._order("click", **order)["trigger_id"])

    def click_until_heard(self, user: str, message: Message, action_id: str) -> None:
        """Press a button as people do: once more where Slack says that the app did not answer.

        Slack gives a press to the app once; it is gone with the connection that it was sent over.

        Raises:
            NothingCame: the app acknowledged none of them.
        """
        for _ in range(MOST_PRESSES):
            trigger = self.click(user, message, action_id)
            try:
                self.wait_until(partial(self._is_heard, trigger), NOT_HEARD_S)
            except NothingCame:
                continue
            return
        raise NothingCame(f"pressed {action_id} {MOST_PRESSES} times, and nobody acknowledged it")

    def shortcut(self, user: str, message: Message, callback_id: str) -> str:
        """Choose a message shortcut; gives the trigger id that went with it."""
        order = {"user": user, **_at(message), "callback_id": callback_id}
        return str(self._order("shortcut", **order)["trigger_id"])

    def submit(self, user: str, view_id: str, values: Json) -> Json:
        """Send a modal off with values by action id; gives what the app answered."""
        answer: Json = self._order("submit", user=user, view_id=view_id, values=values)["answer"]
        return answer

    def open_direct(self, user: str) -> str:
        """Open the direct messages with the bot; gives the channel id."""
        return str(self._order("open", user=user)["channel"])

    def invite(self, user: str, channel: str, invited: str = "") -> None:
        """Invite somebody to a channel, by default the bot."""
        self._order("invite", user=user, channel=channel, invited=invited)

    def make_private(self, channel: str) -> None:
        self._order("make_private", channel=channel)

    def open_home(self, user: str) -> None:
        """Open the Home tab of the bot."""
        self._order("home", user=user)

    def home(self, user: str) -> Json | None:
        """The Home tab of this person (by id), as the bot published it last."""
        view: Json | None = self.state()["homes"].get(user)
        return view

    def press(self, user: str, view_id: str, action_id: str, value: str | None = None) -> str:
        """Press a button in a modal or in the Home tab; gives the trigger id that went with it."""
        order = {"user": user, "view_id": view_id, "action_id": action_id, "value": value}
        return str(self._order("press", **order)["trigger_id"])

    def command(self, user: str, channel: str, text: str, without: Sequence[str] = ()) -> Json:
        """Write a slash command, without a channel in direct messages; gives the app's answer.

        Slack leaves the fields of `without` out of its payload.
        """
        where: Json = {"channel": channel} if channel else {"dm": True}
        sent = self._order("command", user=user, text=text, without=list(without), **where)
        answer: Json = sent["answer"]
        return answer

    def stop(self, user: str, message: Message) -> None:
        """Press the stop button of the session in this message's thread."""
        self._order("stop", user=user, channel=message.channel, thread_ts=message.root_ts)

    def messages(self, channel: str) -> list[Message]:
        return [read_message(m) for m in self._ask("messages", channel=channel)["messages"]]

    def thread(self, channel: str, thread_ts: str) -> list[Message]:
        """The first message of a thread and its replies."""
        found = self._ask("messages", channel=channel, thread_ts=thread_ts)["messages"]
        return [read_message(message) for message in found]

    def message(self, message: Message) -> Message:
        """The same message as it stands now."""
        return next(m for m in self.messages(message.channel) if m.ts == message.ts)

    def received(self, method: str | None = None) -> list[Call]:
        """The Web API calls of the bot, oldest first."""
        parameters = {"method": method} if method else {}
        return [Call(**call) for call in self._ask("received", **parameters)["calls"]]

    def views(self, user: str) -> list[Json]:
        """The modals this person (by id) has open."""
        return [view for view in self.state()["views"] if view["open"] and view["user"] == user]

    def modal(self, user: str) -> str:
        """The text of the modal that this person (by id) opened last; empty without one."""
        open_ = self.views(user)
        if not open_:
            return ""
        return "\n".join([open_[-1]["title"]["text"], plain("", open_[-1]["blocks"])])

    def close_modal(self, view_id: str) -> None:
        self._order("close", view_id=view_id)

    def wait_for_app(self, timeout: float = PATIENCE_S) -> None:
        """Wait until the bot is connected."""
        self.wait_until(lambda: self.state()["connections"] > 0, timeout, "the app to connect")

    def wait_for_reply(
        self,
        message: Message,
        timeout: float = PATIENCE_S,
        settled: Callable[[Message], bool] = lambda m: True,
    ) -> Message:
        """The bot's first reply in the message's thread for which `settled` holds."""
        found: list[Message] = []

        def replied() -> bool:
            replies = self.thread(message.channel, message.root_ts)
            after = [m for m in replies if m.bot and m.ts > message.ts and not m.streaming]
            found[:] = filter(settled, after)
            return bool(found)

        self.wait_until(replied, timeout, f"a reply to {message.text!r}")
        return found[0]

    def wait_for_modal(
        self, user: str, settled: Callable[[str], bool], timeout: float = PATIENCE_S
    ) -> str:
        """The readable text of this person's modal (by id) once `settled` holds of it."""
        self.wait_until(lambda: settled(self.modal(user)), timeout, f"the modal of {user}")
        return self.modal(user)

    def unheard(self) -> list[str]:
        """What was sent to the app and not acknowledged: the kinds, oldest first."""
        sent = self.state()["deliveries"]
        return [each["kind"] for each in sent if not each["acknowledged"]]

    def _is_heard(self, trigger: str) -> bool:
        sent = self.state()["deliveries"]
        return any(
            each["acknowledged"] for each in sent if each["payload"].get("trigger_id") == trigger
        )

    def wait_until(
        self, condition: Callable[[], bool], timeout: float = PATIENCE_S, what: str = "it"
    ) -> None:
        """Look again and again until the condition holds.

        Raises:
            NothingCame: it never did.
        """
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                raise NothingCame(f"waited {timeout:g} s for {what}")
            time.sleep(0.05)


def _at(message: Message) -> dict[str, str]:
    return {"channel": message.channel, "ts": message.ts}
