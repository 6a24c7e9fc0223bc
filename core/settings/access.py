"""Settings of access: how fresh a confirmation is, the witness, and who is who."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings

from core.settings.values import words


class AccessSettings(BaseSettings):
    """A part of core.settings.Settings."""

    confluence_witness_username: str = ""
    confluence_witness_token: SecretStr | None = None
    confirm_valid_s: float = Field(10.0, gt=0, le=300)
    confirm_grace_s: float = Field(0.0, ge=0)
    confirm_grace_spaces: str = ""

    accounts_file: Path | None = None

    token_keys: SecretStr | None = None
    public_url: str = ""
    link_host: str = "127.0.0.1"
    link_port: int | None = Field(None, ge=1, le=65535)
    atlassian_client_id: str = ""
    atlassian_client_secret: SecretStr | None = None
    atlassian_auth_url: str = "https://auth.atlassian.com"
    atlassian_api_url: str = "https://api.atlassian.com"

    @property
    def grace_space_keys(self) -> tuple[str, ...]:
        """Spaces that are answered from for a while when Confluence does not answer."""
        return words(self.confirm_grace_spaces)
