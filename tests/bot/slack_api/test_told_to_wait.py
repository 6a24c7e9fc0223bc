"""A method that only reads is not called again while Slack has said to wait."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from desk import NOBODY, settings

from bot.slack_api.client import client
from bot.slack_api.directory import Directory
from bot.slack_api.errors import RATE_LIMITED, SlackRefused
from sandbox.slack.client import Workspace

ALICE, BOB = "U0ALICE", "U0BOB"


def refused(directory: Directory, user: str) -> str:
    with pytest.raises(SlackRefused) as found:
        directory.user(user)
    return found.value.code


def test_slack_is_not_asked_again_until_the_wait_is_over(
    workspace: Workspace, tmp_path: Path
) -> None:
    web = client(settings(tmp_path, workspace.url, NOBODY))
    directory = Directory(web)
    workspace.fault("users.info", retry_after=1)
    assert [refused(directory, user) for user in (ALICE, BOB, ALICE)] == [RATE_LIMITED] * 3
    assert len(workspace.received("users.info")) == 1
    assert web.auth_test()["ok"], "another method has limits of its own"
    time.sleep(1.1)
    assert directory.user(ALICE)["id"] == ALICE
    assert len(workspace.received("users.info")) == 2
