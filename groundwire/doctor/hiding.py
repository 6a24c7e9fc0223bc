"""Keeps tokens, keys and passwords of the settings out of what the doctor shows and writes."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from core.settings import Settings
from core.settings.environment import secrets
from core.settings.named import names_of_secrets
from groundwire.doctor.finding import HealthFinding

SHORTEST = 5  # of a secret: what is shorter stands in too many ordinary words
HIDDEN = "•••"


class Hiding:
    """Puts dots in the place of secrets."""

    def __init__(self, secrets: Collection[str]) -> None:
        # The longest first: a secret may hold another one.
        known = sorted({each for each in secrets if len(each) >= SHORTEST}, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, known))) if known else None

    @classmethod
    def of_settings(cls) -> Hiding:
        """Of those that the environment and `.env` hold, also where the settings are wrong."""
        return cls(secrets(names_of_secrets(Settings.model_fields)))

    def text(self, text: str) -> str:
        return self._secrets.sub(HIDDEN, text) if self._secrets else text

    def finding(self, finding: HealthFinding) -> HealthFinding:
        return replace(finding, says=self.text(finding.says), cure=self.text(finding.cure))
