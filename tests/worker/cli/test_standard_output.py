"""What commands print for machines stays so when something is logged meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from test_feedback_export import answered

from core.states import Vote, VoteBy
from core.storage.database import Database
from core.turns import feedback
from sandbox.programs.environment import child_environment


def test_a_site_that_cannot_be_asked_is_told_on_standard_error_and_lines_stay_json(
    database: Database, tmp_path: Path
) -> None:
    turn = answered(database)
    feedback.record(database, turn.id, "U0BEN", Vote.UP, by=VoteBy.REACTION, at=10.0)
    nobody_there = {
        "CONFLUENCE_URL": "http://127.0.0.1:9",
        "CONFLUENCE_TOKEN": "hunter2",
        "CONFLUENCE_SPACES": "HR",
    }
    done = subprocess.run(
        [sys.executable, "-m", "worker", "feedback", "export"],
        env=child_environment(
            DATA_DIR=str(tmp_path),
            DATABASE_URL=f"sqlite:///{tmp_path / 'groundwire.db'}",
            LOG_FORMAT="console",
            **nobody_there,
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (line,) = map(json.loads, done.stdout.splitlines())
    assert line["withheld"] is True
    assert "is CONFLUENCE_URL right?" in done.stderr
    assert "hunter2" not in done.stdout + done.stderr
