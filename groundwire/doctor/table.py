"""The checks of the doctor, in the order in which they are shown."""

from __future__ import annotations

from functools import partial

from groundwire.doctor.checks import (
    chosen,
    clocks,
    confluence,
    confluence_access,
    database,
    exam,
    installation,
    model,
    ports,
    redis_server,
    slack,
    vectors,
)
from groundwire.doctor.examination import Check

CHECKS = (
    Check("settings.files", chosen.files, quick=True),
    Check("settings.slack", chosen.slack, quick=True),
    Check("settings.confluence", chosen.confluence, quick=True),
    Check("settings.model", chosen.model, quick=True),
    Check("settings.ports", chosen.ports, quick=True),
    Check("machine.python", installation.python, quick=True),
    Check("machine.libraries", installation.libraries),
    Check("machine.disk", installation.disk, quick=True),
    Check("machine.languages", installation.languages),
    Check("machine.prompts", installation.prompts),
    Check("machine.entities_file", installation.entities, quick=True),
    Check("machine.accounts_file", installation.accounts, quick=True),
    Check("database.reachable", database.reachable, quick=True),
    Check("database.writable", database.writable, quick=True),
    Check("database.migrations", database.migrations, quick=True),
    Check("database.sync", database.sync),
    Check("redis.reachable", redis_server.reachable),
    Check("redis.keeps", redis_server.keeps),
    Check("redis.eviction", redis_server.eviction),
    Check("redis.latency", redis_server.latency),
    Check("vectors.reachable", vectors.reachable),
    Check("vectors.complete", vectors.complete),
    Check("vectors.embedder", vectors.embedder, within_s=30.0),
    Check("slack.token", slack.token, quick=True),
    Check("slack.scopes", slack.scopes, quick=True),
    Check("slack.socket", slack.socket, quick=True),
    Check("slack.request_url", slack.request_url),
    Check("slack.workspaces", slack.workspaces),
    Check("confluence.address", confluence.address, quick=True),
    Check("confluence.account", confluence.account, quick=True),
    Check("confluence.spaces", confluence.spaces, quick=True, within_s=15.0),
    Check("confluence.pages", confluence.pages, within_s=20.0),
    Check("confluence.permissions", confluence_access.permissions, within_s=20.0),
    Check("confluence.witness", confluence_access.witnessed, within_s=20.0),
    Check("confluence.pace", confluence.pace),
    Check("confluence.attachments", confluence.attachments, within_s=25.0),
    Check("model.endpoint", model.endpoint, quick=True, within_s=28.0),
    Check("model.call", model.call, within_s=28.0),
    Check("model.parameters", model.parameters, within_s=28.0),
    Check("model.scores", model.scores, within_s=30.0),
    Check("model.context", model.context),
    Check("model.exam", exam.exam),
    Check("clocks.database", clocks.database),
    Check("clocks.redis", clocks.redis),
    Check("clocks.slack", clocks.of_slack, quick=True),
    Check("clocks.confluence", clocks.of_confluence, quick=True),
    *(Check(f"programs.{name}", partial(ports.program, name)) for name in ports.PROGRAMS),
    Check("programs.incoming", ports.incoming),
)
BY_ID = {check.id: check for check in CHECKS}
# What can be said without any setting.
WITHOUT_SETTINGS = ("machine.python", "machine.libraries", "machine.languages", "machine.prompts")
