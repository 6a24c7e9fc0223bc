"""Ranks in Slack's user objects: admins and owners of the workspace."""

from __future__ import annotations

from typing import Any

ROLES = ("is_admin", "is_owner", "is_primary_owner")


def is_admin_of(user: dict[str, Any], team: str) -> bool:
    """Not of another workspace: in a shared channel, the other company's admins have no say."""
    enterprise = user.get("enterprise_user") or {}
    teams = [user.get("team_id"), *enterprise.get("teams", ())]
    return team in teams and any(user.get(role) for role in ROLES)
