"""What Slack itself does by order: faults, limits, lost connections, more people. A client."""

from __future__ import annotations

from typing import Any

import httpx

Json = dict[str, Any]


class OrderRefused(Exception):
    """The sandbox would not do it: no such channel, no such button, not your message."""


class Conditions:
    """The workspace at `base_url`, seen from behind its scenes; the first, or that of a name."""

    def __init__(self, base_url: str, name: str = "") -> None:
        self.url, self.name = base_url.rstrip("/"), name
        # trust_env: a proxy has no business between this machine and itself
        self._http = httpx.Client(base_url=base_url, trust_env=False, timeout=30)
        self._beside: list[Conditions] = []  # workspaces that were reached by way of this one

    def close(self) -> None:
        for each in (self, *self._beside):
            each._http.close()

    def state(self) -> Json:
        return self._ask("state")

    def fault(self, method: str = "", *, times: int = 1, **fault: Any) -> None:
        """Answer the next calls wrongly: `error="…"`, `status=500`, `retry_after=1`, `lost=True`.

        `after=True` carries them out first; a lost reply is always one to what was carried out.
        `seconds=10` lets it wait, and alone says the truth then; `share=0.1` is one call in ten.
        The method `upload` stands for the bytes of a file, which no method of the Web API takes.
        """
        self._order("faults", method=method, times=times, **fault)

    def mend(self) -> None:
        """Take back every fault that was ordered."""
        self._order("mend")

    def lack(self, *methods: str) -> None:
        """Be an older workspace, without these methods, until the next reset."""
        self._order("lack", methods=list(methods))

    def expire_streams(self) -> list[str]:
        """Let every stream run out of its time; gives their messages."""
        streams: list[str] = self._order("expire")["streams"]
        return streams

    def redeliver(self, event_id: str | None = None) -> str:
        """Repeat an event, by default the last one; gives its id."""
        return str(self._order("redeliver", event_id=event_id)["event_id"])

    def give_up(self) -> None:
        """Deliver nothing any more of what waits, as Slack does after its last retry."""
        self._order("give_up")

    def disconnect(self, reason: str = "refresh_requested") -> None:
        self._order("disconnect", reason=reason)

    def sever(self, connections: int | None = None) -> int:
        """Reset so many connections of Socket Mode (TCP RST), or all; gives how many there were."""
        return int(self._order("sever", connections=connections)["connections"])

    def mute(self) -> int:
        """Let all connections stay open and dead, as where a NAT forgot them; gives how many."""
        return int(self._order("mute")["connections"])

    def request_url(self, url: str) -> None:
        """Deliver to this URL over HTTP after the challenge; if empty, over Socket Mode."""
        self._order("request_url", url=url)

    def grow(self, people: int, channels: int) -> tuple[list[str], list[str]]:
        """So many more people and channels, in which the bot is; their names."""
        grown = self._order("grow", people=people, channels=channels)
        return grown["people"], grown["channels"]

    def rotate(self, expires_in: int | None = 43_200) -> None:
        """From now on tokens live so many seconds, in every workspace; None: for ever."""
        self._order("rotation", expires_in=expires_in)

    def expire_tokens(self) -> int:
        """Let the time of this workspace's rotating tokens be over; gives how many there were."""
        return int(self._order("expire_tokens")["tokens"])

    def scopes(self, *scopes: str) -> None:
        """The app was allowed these, and not all that its manifest asks for."""
        self._order("scopes", scopes=list(scopes))

    def uninstall(self) -> None:
        """An administrator removes the app from this workspace."""
        self._order("uninstall")

    def reset(self) -> None:
        self._order("reset")

    def _order(self, order: str, **given: Any) -> Json:
        return _checked(self._http.post(f"/sandbox/{order}", json={"team": self.name, **given}))

    def _ask(self, question: str, **parameters: str) -> Json:
        return _checked(
            self._http.get(f"/sandbox/{question}", params={"team": self.name, **parameters})
        )


def _checked(response: httpx.Response) -> Json:
    answer: Json = response.json()
    if not answer["ok"]:
        raise OrderRefused(answer["error"])
    return answer
