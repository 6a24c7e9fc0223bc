"""Who belongs to the workspace, and what becomes of those who do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desk import NOBODY, settings
from sqlmodel import update

from bot.access.membership import Membership, standing_of
from bot.slack_api.client import client
from bot.slack_api.directory import Directory
from core.policy import people
from core.policy.people import FRESH_S, Standing
from core.storage.database import Database
from core.storage.people_tables import PersonRow
from sandbox.slack.client import Workspace
from sandbox.slack.workspace.values import TEAM_ID

ALICE, GRETA, ERIK = "U0ALICE", "U0GRETA", "U0ERIK"


def membership(workspace: Workspace, database: Database, folder: Path, **more: Any) -> Membership:
    chosen = settings(folder, workspace.url, NOBODY, **more)
    return Membership(database, Directory(client(chosen)), chosen)


def refusals(chosen: Membership, *, private: bool = False) -> list[str]:
    return [chosen.refusal(TEAM_ID, user, private=private) or "" for user in (ALICE, GRETA, ERIK)]


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ({"team_id": "T1"}, Standing.MEMBER),
        ({"team_id": "T1", "is_restricted": True}, Standing.GUEST),
        ({"team_id": "T1", "is_restricted": True, "is_ultra_restricted": True}, Standing.GUEST),
        ({"team_id": "T1", "is_stranger": True}, Standing.EXTERNAL),
        ({"team_id": "T2"}, Standing.EXTERNAL),
        (
            {"team_id": "T2", "is_stranger": False, "enterprise_user": {"enterprise_id": "E2"}},
            Standing.EXTERNAL,
        ),
        ({"team_id": "T2", "enterprise_user": {"enterprise_id": "E1"}}, Standing.MEMBER),
        (
            {"team_id": "T2", "enterprise_user": {"enterprise_id": "E1"}, "is_restricted": True},
            Standing.GUEST,
        ),
        ({}, Standing.EXTERNAL),
    ],
)
def test_a_user_object_says_where_somebody_belongs(
    user: dict[str, Any], expected: Standing
) -> None:
    assert standing_of(user, "T1", lambda: "E1") is expected


def test_outside_any_enterprise_every_other_workspace_is_another_organization() -> None:
    assert (
        standing_of({"team_id": "T2", "enterprise_user": {"enterprise_id": ""}}, "T1", lambda: "")
        is Standing.EXTERNAL
    )


def test_by_default_guests_and_people_of_other_organizations_are_refused(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    assert refusals(membership(workspace, database, tmp_path)) == ["", "guest", "external"]


def test_where_the_settings_let_everybody_ask_slack_is_not_asked(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    chosen = membership(workspace, database, tmp_path, guests="public", externals="public")
    assert refusals(chosen) == ["", "", ""]
    assert workspace.received("users.info") == []


def test_each_of_both_is_refused_by_a_setting_of_its_own(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    only_guests = membership(workspace, database, tmp_path, externals="public")
    assert refusals(only_guests) == ["", "guest", ""]
    only_others = membership(workspace, database, tmp_path, guests="public")
    assert refusals(only_others) == ["", "", "external"]


def test_what_must_be_acknowledged_knows_what_sql_knows_and_asks_slack_nothing(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    asking = membership(workspace, database, tmp_path)
    hasty = Membership(database, None, settings(tmp_path, workspace.url, NOBODY))
    assert refusals(hasty) == ["stranger"] * 3
    assert [hasty.is_known(TEAM_ID, user, private=False) for user in (ALICE, ERIK)] == [False] * 2
    assert workspace.received("users.info") == []
    assert refusals(asking) == ["", "guest", "external"]
    assert refusals(hasty) == ["", "guest", "external"]
    assert [hasty.is_known(TEAM_ID, user, private=False) for user in (ALICE, ERIK)] == [True] * 2


def test_slack_is_asked_once_in_an_hour(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    chosen = membership(workspace, database, tmp_path, externals="public")
    assert [refusals(chosen) for _ in range(3)] == [["", "guest", ""]] * 3
    assert len(workspace.received("users.info")) == 3
    with database.session() as session:
        session.exec(update(PersonRow).values(read_at=PersonRow.read_at - FRESH_S))
    refusals(chosen)
    assert len(workspace.received("users.info")) == 6


def test_whom_slack_does_not_know_is_refused_like_the_least_trusted_and_asked_for_again(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    chosen = membership(workspace, database, tmp_path)
    workspace.fault("users.info", error="user_not_found")
    assert chosen.refusal(TEAM_ID, ALICE, private=False) == "stranger"
    assert chosen.refusal(TEAM_ID, ALICE, private=False) is None


def test_in_private_only_a_members_address_is_kept(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    everybody = {"guests": "public", "externals": "public"}
    chosen = membership(workspace, database, tmp_path, permission_mode="aware", **everybody)
    assert refusals(chosen, private=True) == ["", "", ""]
    assert [people.email(database, TEAM_ID, user) for user in (ALICE, GRETA, ERIK)] == [
        "alice@example.com",
        "",
        "",
    ]


def test_an_address_counts_no_more_once_slack_does_not_say_whose_it_is(
    workspace: Workspace, database: Database, tmp_path: Path
) -> None:
    chosen = membership(workspace, database, tmp_path, permission_mode="aware")
    refusals(chosen, private=True)
    with database.session() as session:
        session.exec(update(PersonRow).values(read_at=PersonRow.read_at - FRESH_S))
    workspace.fault("users.info", error="internal_error")
    assert chosen.refusal(TEAM_ID, ALICE, private=True) == "stranger"
    assert people.email(database, TEAM_ID, ALICE) == ""
