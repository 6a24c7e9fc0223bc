"""There is one way out to Slack, and on it everything says which pages it gives away."""

from __future__ import annotations

import ast
import inspect
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk import Speaker, a_speaker, confirm, settings
from structlog.testing import capture_logs
from told import told

from bot import metrics
from bot.delivery.stream import Stream
from bot.delivery.turn_message import TurnMessage
from bot.gate import Gate
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.errors import SlackError, Unconfirmed
from bot.slack_api.file_upload import FileUpload
from bot.slack_api.messages import SlackMessages
from bot.slack_api.sender import Sender, Write
from bot.slack_api.streams import SlackStreams
from bot.slack_api.views import SlackViews
from core.access.disclosure import EVERYBODY, NOTHING, Disclosure, of_pages
from core.pages import CONFLUENCE, PageKey
from core.storage.database import Database
from sandbox.slack.client import Workspace

ROOT = Path(__file__).parents[2]
SENDER = ROOT / "bot/slack_api/sender.py"
# Methods of Slack's client that change what people see, of today and of tomorrow.
WRITES = re.compile(
    r"(chat|views|assistant|agents|files|canvases|reactions|pins|bookmarks|dialog)_\w+|api_call"
)
PAGE, OTHER = PageKey(CONFLUENCE, "1"), PageKey(CONFLUENCE, "2")
SHOWN = {
    SlackMessages: ("post", "update"),
    SlackStreams: ("start", "append", "stop"),
    SlackViews: ("open", "update", "fill", "publish", "reply"),
    SlackAssistant: ("set_status", "suggest"),
    EphemeralMessages: ("post",),
    FileUpload: ("upload",),
    Sender: ("send", "acknowledge"),
    TurnMessage: ("post", "show_progress", "finish", "update"),
    Stream: ("start", "grow", "finish"),
}


def calls() -> Iterator[tuple[Path, ast.Call]]:
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield path, node


def name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def test_nobody_but_the_sender_calls_a_method_that_writes() -> None:
    found = []
    for path, call in calls():
        is_of_super = path.name == "client.py" and name(call) == "api_call"  # counts the errors
        if WRITES.fullmatch(name(call)) and path != SENDER and not is_of_super:
            found.append(f"{path.relative_to(ROOT)}:{call.lineno}: {name(call)}")
    assert found == []


def test_nobody_takes_a_method_that_writes_by_its_name() -> None:
    names = {write.value for write in Write}
    found = []
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and node.value in names and path != SENDER:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
            if isinstance(node, ast.Attribute) and node.attr in names and path != SENDER:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_an_acknowledgement_with_content_goes_through_the_sender() -> None:
    """`ack` also shows texts and views, and Bolt would hand listeners `say` and `respond`."""
    found = []
    for path, call in calls():
        is_ack = isinstance(call.func, ast.Name) and call.func.id in ("ack", "respond")
        only_errors = {each.arg for each in call.keywords} == {"response_action", "errors"}
        if is_ack and (call.args or call.keywords) and path != SENDER and not only_errors:
            found.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert found == []


def test_no_listener_takes_another_way_out_from_bolt() -> None:
    found = []
    for path in sorted((ROOT / "bot/listeners").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                taken = {each.arg for each in node.args.args} & {"respond", "client"}
                is_method_of_bolt = "ack" in {each.arg for each in node.args.args}
                takes_say = is_method_of_bolt and "say" in {each.arg for each in node.args.args}
                if (taken and node.name != "__init__") or (takes_say and node.name != "_reply"):
                    found.append(f"{path.name}:{node.lineno}: {node.name}")
    assert found == []


@pytest.mark.parametrize(
    ("owner", "method"), [(owner, each) for owner, names in SHOWN.items() for each in names]
)
def test_nothing_is_sent_without_saying_what_it_shows(owner: type, method: str) -> None:
    shows = inspect.signature(getattr(owner, method)).parameters["shows"]
    assert shows.kind is inspect.Parameter.KEYWORD_ONLY
    assert shows.default is inspect.Parameter.empty


def test_what_shows_nothing_may_pass(database: Database) -> None:
    assert Gate(database, 10.0).stale(NOTHING) == set()


@pytest.mark.parametrize(
    ("age_s", "audience", "passes"),
    [
        (0.0, EVERYBODY, True),
        (9.0, EVERYBODY, True),
        (11.0, EVERYBODY, False),
        (0.0, "user:5b", False),
    ],
    ids=["now", "within the time", "too long ago", "for somebody else"],
)
def test_a_page_may_pass_while_its_confirmation_for_these_readers_counts(
    database: Database, age_s: float, audience: str, passes: bool
) -> None:
    confirm(database, PAGE.id, audience=audience, age_s=age_s)
    assert (Gate(database, 10.0).stale(of_pages([PAGE])) == set()) is passes


def test_of_several_pages_each_has_to_be_confirmed(database: Database) -> None:
    confirm(database, PAGE.id)
    assert Gate(database, 10.0).stale(of_pages([PAGE, OTHER])) == {OTHER}


def test_a_page_that_was_closed_since_does_not_pass(database: Database) -> None:
    confirm(database, PAGE.id)
    told(database, EVERYBODY, {PAGE: False}, time.time())
    assert Gate(database, 10.0).stale(of_pages([PAGE])) == {PAGE}


def test_a_call_that_had_to_wait_asks_the_gate_again(
    workspace: Workspace, tmp_path: Path, database: Database, redis_url: str
) -> None:
    """Slack says to wait for two seconds, and a confirmation counts for one more."""
    chosen = settings(tmp_path, workspace.url, redis_url, confirm_valid_s=1.0)
    sender = a_speaker(chosen, database).sender
    confirm(database, PAGE.id, age_s=9.0)
    workspace.fault("chat.postMessage", error="ratelimited", status=429, retry_after=2)
    with pytest.raises(Unconfirmed):
        sender.send(Write.POST, shows=of_pages([PAGE]), channel="C0GENERAL", text="quokka")
    assert workspace.messages("general") == []


def test_a_stopped_call_is_logged_and_counted_and_slack_hears_nothing(
    workspace: Workspace, speaker: Speaker
) -> None:
    counted = metrics.STOPPED.labels(Write.POST)
    before = counted._value.get()
    shows = Disclosure(frozenset({PAGE}), "user:5b")
    with capture_logs() as logs, pytest.raises(Unconfirmed) as stopped:
        speaker.sender.send(Write.POST, shows=shows, channel="C0GENERAL", text="quokka")
    assert isinstance(stopped.value, SlackError)
    (line,) = [each for each in logs if each["event"] == "gate.stopped"]
    assert (line["pages"], line["audience"], line["call"]) == (
        ["confluence:1"],
        "user:5b",
        "chat_postMessage",
    )
    assert "quokka" not in str(line)
    assert counted._value.get() == before + 1
    assert workspace.received("chat.postMessage") == []
