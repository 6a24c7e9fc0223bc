"""Connections of Socket Mode: whether reset, closed or refreshed, they are opened again."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from slack_bolt import App
from slack_sdk import WebClient
from wire import Wire

from bot.sockets import Sockets
from sandbox.slack.client import Workspace
from sandbox.slack.serve import running

# websocket-client leaves a socket that is closed while it opens to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Heard:
    """An app behind two connections, and what it has heard."""

    def __init__(self, workspace: Workspace, wire: Wire) -> None:
        self.workspace, self.wire = workspace, wire
        self.texts: list[str] = []
        web = WebClient("xoxb-sandbox", base_url=wire.url)
        app = App(client=web, process_before_response=True)
        app.event("app_mention")(self._mention)
        app.event("message")(lambda: None)
        self.opened = 0
        self.sockets = Sockets(app, "xapp-sandbox", 2, opened=self._count)
        self.sockets.connect()
        self.wait_for(2)

    def _count(self) -> None:
        self.opened += 1

    def _mention(self, event: dict[str, str]) -> None:
        self.texts.append(event["text"])

    def wait_for(self, connections: int) -> None:
        self.workspace.wait_until(
            lambda: self.workspace.state()["connections"] == connections, what="the connections"
        )

    def is_gone(self) -> bool:
        gc.collect()  # here and now, not in somebody else's test
        connections: int = self.workspace.state()["connections"]
        return connections == 0

    def hears(self, text: str) -> bool:
        self.workspace.say("alice", "general", f"@groundwire {text}")
        self.workspace.wait_until(
            lambda: any(text in each for each in self.texts), what=f"hearing {text}"
        )
        return True


@pytest.fixture
def heard() -> Iterator[Heard]:
    with running(seed=7) as url, Workspace(url) as workspace:
        made = Heard(workspace, Wire(int(url.rpartition(":")[2])))
        yield made
        made.sockets.close()
        workspace.wait_until(made.is_gone, what="the end of all connections")
        made.wire.stop()


def test_after_a_reset_and_after_an_end_both_connections_come_back(heard: Heard) -> None:
    assert heard.hears("first")
    for number, cut in enumerate((heard.wire.reset, heard.wire.close)):
        cut()
        assert heard.hears(f"after cut {number}")
        heard.wait_for(2)
        assert heard.sockets.is_connected()


def test_connections_that_slack_refreshes_come_back(heard: Heard) -> None:
    heard.workspace.disconnect()
    assert heard.hears("after the refresh")
    heard.wait_for(2)


def test_each_connection_tells_how_long_it_has_been_silent(heard: Heard) -> None:
    assert len(heard.sockets.silent_s()) == 2
    heard.workspace.wait_until(heard.sockets.is_connected, what="readiness")
    heard.sockets.close()
    heard.wait_for(0)
