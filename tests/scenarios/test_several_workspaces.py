"""Several workspaces, with real processes over both transports: none sees, stops or delays another.

People, channels and even messages have the same ids in all of them on purpose: Slack says that
these are unique within one workspace only.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography.fernet import Fernet
from sqlmodel import SQLModel, func, select

from bot.home import history
from bot.views.answer_blocks import FEEDBACK_ACTION
from bot.views.home import FORGET_ACTION
from bot.views.reasons import no_answer
from core.language.sentences import sentences
from core.states import NoAnswer, TurnState
from core.storage.tables import TurnRow
from core.turns import feedback
from sandbox.programs.processes import free_port
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import CLIENT_ID, CLIENT_SECRET
from scenarios.conftest import PATIENCE_S, Running, is_final, run

SAY = sentences("en")

HOTEL, HOTEL_SAYS = "How much may a hotel in Porto cost per night?", "110 EUR"
VISION, VISION_SAYS = "Who leads the Vision team?", "Priya Raman"
ALICE, DEV = "U0ALICE", "U0DEV"
RED, BLUE = "T0RED", "T0BLUE"
FLOOD = 60
MARKER = "quokka-7144"
# What outlives an uninstalled workspace beside the audit: tombstones without a word, for two days.
LEFT = {"turn", "thread"}


@dataclass(frozen=True)
class Several:
    """The product, and the two workspaces in which it is installed."""

    product: Running
    address: str  # what stands behind PUBLIC_URL

    @property
    def red(self) -> Running:
        return self.of("Red")

    @property
    def blue(self) -> Running:
        return self.of("Blue")

    def of(self, name: str) -> Running:
        there = copy.copy(self.product)
        there.workspace = self.product.workspace.team(name)
        return there

    def install(self, name: str) -> httpx.Response:
        """What Alice, who administers this workspace, sees after she has allowed the app there."""
        began = httpx.get(f"{self.address}/slack/install", trust_env=False)
        # By hand: a browser sends a cookie that is Secure over https only, as PUBLIC_URL is.
        cookies = [each.partition(";")[0] for each in began.headers.get_list("set-cookie")]
        workspace = self.product.workspace.team(name)
        back = urlsplit(workspace.allow("Alice", began.headers["location"]))
        return httpx.get(
            f"{self.address}{back.path}?{back.query}",
            headers={"Cookie": "; ".join(cookies)},
            trust_env=False,
        )

    def refreshes(self) -> int:
        """How often a refresh token was exchanged."""
        calls = self.product.workspace.received("oauth.v2.access")
        return sum(call.arguments.get("grant_type") == "refresh_token" for call in calls)


@pytest.fixture(scope="module", params=["socket", "http"])
def several(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Several]:
    """Tokens rotate; a third workspace is there, which the operator has not named."""
    folder: Path = tmp_path_factory.mktemp(f"several-{request.param}")
    port = free_port()
    settings = {
        "SLACK_BOT_TOKEN": "",
        "SLACK_OAUTH_CLIENT_ID": CLIENT_ID,
        "SLACK_OAUTH_CLIENT_SECRET": CLIENT_SECRET,
        "SLACK_WORKSPACES": f"{RED},{BLUE}",
        "PUBLIC_URL": "https://groundwire.example.com",
        "TOKEN_KEYS": Fernet.generate_key().decode(),
        "LINK_PORT": str(port),
        "ANSWER_CONCURRENCY": "4",
    }
    for product in run(folder, model=True, settings=settings, transport=request.param):
        by_http = request.param == "http"
        address = product.stack.bot_url if by_http else f"http://127.0.0.1:{port}"
        product.workspace.rotate()
        for name in ("Red", "Blue", "Grey"):
            product.workspace.add_team(name, admins=["Alice"], guests=["Ben"] * (name == "Blue"))
        several = Several(product, address)
        for name in ("Red", "Blue"):
            assert several.install(name).status_code == 200
        yield several


def at_the_same_time(
    several: Several, channel: str = "general", user: str = "Dev"
) -> tuple[Message, Message]:
    """Two questions of the same channel, person and time, as far as their ids tell."""
    red = several.red.workspace.say(user, channel, f"@groundwire {HOTEL}")
    blue = several.blue.workspace.say(user, channel, f"@groundwire {VISION}", ts=red.ts)
    assert (red.channel, red.ts, red.user) == (blue.channel, blue.ts, blue.user)
    return red, blue


def test_two_workspaces_ask_at_once_and_each_is_answered_in_its_own_place(
    several: Several,
) -> None:
    red, blue = at_the_same_time(several)
    assert HOTEL_SAYS in several.red.reply(red).plain()
    assert VISION_SAYS in several.blue.reply(blue).plain()
    assert len(several.red.answers(red)) == len(several.blue.answers(blue)) == 1


def test_a_private_question_stays_in_its_workspace(several: Several) -> None:
    asked = several.blue.workspace.direct("Alice", HOTEL)
    assert HOTEL_SAYS in several.blue.reply(asked).plain()
    several.red.workspace.open_direct("Alice")
    assert several.red.workspace.messages(asked.channel) == []


def test_a_follow_up_in_a_channel_shared_with_others_stays_in_its_workspace(
    several: Several,
) -> None:
    red, blue = at_the_same_time(several, "fjord-cranes")
    several.red.reply(red)
    several.blue.reply(blue)
    again = several.red.ask(VISION, user="Dev", channel="fjord-cranes", after=red)
    assert VISION_SAYS in several.red.reply(again).plain()
    assert len(several.blue.answers(blue)) == 1


def test_settings_of_a_channel_hold_in_its_own_workspace_only(several: Several) -> None:
    red, blue = several.red, several.blue
    red.workspace.command("alice", "hr", "/groundwire settings")
    red.workspace.wait_until(
        lambda: (
            SAY("settings-checking") not in str(red.workspace.views(ALICE)[-1:] or "…")
            and bool(red.workspace.views(ALICE))
        ),
        what="the settings",
    )
    view = red.workspace.views(ALICE)[-1]
    red.workspace.submit("alice", view["id"], {"spaces": ["OPS"]})
    answers = [each.reply(each.ask(HOTEL, channel="hr")).plain() for each in (red, blue)]
    assert [HOTEL_SAYS in answer for answer in answers] == [False, True]


def test_a_guest_of_one_workspace_may_ask_in_another_where_somebody_else_has_the_id(
    several: Several,
) -> None:
    asked = several.blue.ask(HOTEL, user="Ben")
    assert several.blue.reply(asked).plain() == no_answer(SAY, NoAnswer.GUEST)
    asked = several.red.ask(HOTEL, user="Ben")
    assert HOTEL_SAYS in several.red.reply(asked).plain()


def votes(several: Several, team: str) -> list[str]:
    """The votes that were cast on answers of this workspace."""
    cast = [vote for vote, _ in feedback.cast_since(several.product.database, 0.0)]
    with several.product.database.reading() as session:
        turns = {turn.id: turn.team for turn in session.exec(select(TurnRow)).all()}
    return [vote.vote for vote in cast if turns[vote.turn_id] == team]


def test_a_vote_counts_in_its_own_workspace_only(several: Several) -> None:
    red, blue = at_the_same_time(several)
    answer, other = several.red.reply(red), several.blue.reply(blue)
    with several.product.database.reading() as session:
        asked = select(TurnRow.id).where(TurnRow.team == BLUE, TurnRow.ts == blue.ts)
        turn_id = session.exec(asked).one()
    several.blue.workspace.click("Chloe", other, FEEDBACK_ACTION, f"up:{turn_id}")
    several.blue.workspace.wait_until(lambda: votes(several, BLUE) == ["up"], what="the vote")
    # In Blue somebody says something at the time of Red's answer, and it is liked.
    said = several.blue.workspace.say("Alice", "general", "Lunch?", ts=answer.ts)
    several.blue.workspace.react("Chloe", said, "-1")
    several.blue.workspace.react("Chloe", said, "mag")
    several.blue.reply(several.blue.ask(HOTEL))
    assert votes(several, RED) == []
    assert len(several.red.answers(red)) == 1


def conversations(several: Several, team: str) -> set[str]:
    found = history.conversations_of(several.product.database, team, DEV)
    return {each.question for each in found}


def test_history_and_forgetting_know_the_workspace(several: Several) -> None:
    red, blue = at_the_same_time(several, "engineering")
    several.red.reply(red)
    several.blue.reply(blue)
    workspace = several.blue.workspace
    workspace.open_home("Dev")
    workspace.wait_until(lambda: VISION in str(workspace.home(DEV)), what="the history")
    assert HOTEL not in str(workspace.home(DEV))
    home = workspace.home(DEV)
    assert home
    for thread in history.conversations_of(several.product.database, BLUE, DEV):
        workspace.press("Dev", home["id"], FORGET_ACTION, thread.thread_id)
    workspace.wait_until(lambda: several.blue.answers(blue) == [], PATIENCE_S, "it to be forgotten")
    # Each was pressed in a request of its own, and none waits for another.
    workspace.wait_until(lambda: conversations(several, BLUE) == set(), what="the others, too")
    assert HOTEL in conversations(several, RED)
    assert len(several.red.answers(red)) == 1


def test_a_token_that_expires_in_the_middle_is_refreshed_once(several: Several) -> None:
    before = several.refreshes()
    assert several.blue.workspace.expire_tokens()
    asked = [several.blue.ask(HOTEL, user=user) for user in ("Alice", "Chloe", "Dev", "Lena")]
    for message in asked:
        several.blue.reply(message)
        assert len(several.blue.answers(message)) == 1
    assert several.refreshes() == before + 1


def test_a_workspace_that_the_operator_did_not_name_cannot_install(several: Several) -> None:
    assert several.install("Grey").status_code >= 400
    grey = several.of("Grey")
    asked = grey.ask(HOTEL)
    assert HOTEL_SAYS in several.red.reply(several.red.ask(HOTEL)).plain()
    assert grey.answers(asked) == []
    assert kept_of(several, "T0GREY") == {}
    assert not grey.workspace.state()["team"]["is_installed"], "its messages would go on coming"


def test_an_installation_with_a_forged_state_is_refused(several: Several) -> None:
    began = httpx.get(f"{several.address}/slack/install", trust_env=False)
    asked = began.headers["location"].replace("state=", "state=forged")
    back = urlsplit(several.blue.workspace.allow("Alice", asked))
    seen = httpx.get(f"{several.address}{back.path}?{back.query}", trust_env=False)
    assert seen.status_code >= 400


def test_a_flood_in_one_workspace_does_not_make_another_wait(several: Several) -> None:
    red, blue = several.red, several.blue
    people, channels = red.workspace.grow(FLOOD, 12)
    assert several.product.model
    several.product.model.delay(2)
    try:
        flood = [
            red.workspace.say(person, channels[n % 12], f"@groundwire {HOTEL}")
            for n, person in enumerate(people)
        ]
        before = answered(red, flood)
        assert VISION_SAYS in blue.reply(blue.ask(VISION, user="Alice")).plain()
        meanwhile = answered(red, flood) - before
    finally:
        several.product.model.delay(0)
    assert meanwhile < FLOOD / 4
    for message in flood:
        red.reply(message)
        assert len(red.answers(message)) == 1


def answered(running: Running, asked: list[Message]) -> int:
    """How many of these questions have their answer."""
    return sum(any(map(is_final, running.answers(message))) for message in asked)


def kept_of(several: Several, team: str) -> dict[str, int]:
    """How many rows each table has of a workspace; what operators answer for is kept apart."""
    kept = {}
    with several.product.database.reading() as session:
        for table in SQLModel.metadata.sorted_tables:
            if "team" in table.columns and table.name != "audit":
                mine = select(func.count()).select_from(table).where(table.columns.team == team)
                kept[table.name] = session.exec(mine).one()
    return {name: count for name, count in kept.items() if count}


def lasting(several: Several, team: str) -> dict[str, int]:
    """The same of what no beat of the clock changes, as places do in which all was heard."""
    kept = kept_of(several, team)
    return {name: kept.get(name, 0) for name in ("thread", "turn", "person", "installation")}


def no_turns(several: Several, team: str) -> bool:
    """Whether all that is left of questions are tombstones."""
    with several.product.database.reading() as session:
        states = session.exec(select(TurnRow.state).where(TurnRow.team == team)).all()
    return set(states) <= {TurnState.FORGOTTEN}


def files_with(several: Several, word: str) -> list[str]:
    """What the product has written holds it where? Files of stand-ins do not count."""
    files = [file for file in several.product.stack.folder.rglob("*") if file.is_file()]
    ours = [file for file in files if not file.name.startswith(("slack", "llm", "confluence"))]
    return [file.name for file in ours if word.encode() in file.read_bytes()]


def test_a_workspace_that_removes_the_app_is_forgotten_and_may_come_back(several: Several) -> None:
    before = lasting(several, RED)
    several.blue.reply(several.blue.ask(f"Who feeds the {MARKER}?"))
    several.blue.workspace.uninstall()
    several.blue.workspace.redeliver()  # events may come twice
    several.blue.workspace.wait_until(
        lambda: set(kept_of(several, BLUE)) <= LEFT and no_turns(several, BLUE),
        PATIENCE_S,
        "the workspace to be forgotten",
    )
    assert lasting(several, RED) == before
    several.product.workspace.wait_until(
        lambda: several.product.database.leave_no_trace(wait_s=2), what="the log of writes"
    )
    assert files_with(several, MARKER) == []
    assert HOTEL_SAYS in several.red.reply(several.red.ask(HOTEL)).plain()
    assert several.install("Blue").status_code == 200
    assert HOTEL_SAYS in several.blue.reply(several.blue.ask(HOTEL)).plain()
