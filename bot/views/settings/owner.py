"""Whose settings they are, a channel's or a person's, and what they can choose."""

from __future__ import annotations

from dataclasses import dataclass

from core.policy.preferences import Choices, Preferences, Resolved, resolve
from core.settings import Settings


@dataclass(frozen=True)
class OwnerSettings:
    """The settings of one owner, and what can be chosen."""

    owner: str  # id of a channel or of a person
    chosen: Preferences
    available: Choices
    settings: Settings

    @property
    def is_of_channel(self) -> bool:
        return is_channel(self.owner)

    @property
    def effective(self) -> Resolved:
        return resolve(self.chosen, self.settings, self.available)

    @property
    def defaults(self) -> Resolved:
        return resolve(Preferences(), self.settings, self.available)


def is_channel(owner: str) -> bool:
    return owner[:1] not in "UW"


def space_name(key: str, available: Choices) -> str:
    name = available.spaces.get(key, "")
    return f"{name} ({key})" if name and name != key else key
