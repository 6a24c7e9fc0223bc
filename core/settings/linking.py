"""Settings of who is who: the operator's list of accounts, and the accounts that people link."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class LinkingSettings(BaseSettings):
    """A part of core.settings.Settings."""

    accounts_file: Path | None = None

    token_keys: SecretStr | None = None
    public_url: str = ""
    link_host: str = "127.0.0.1"
    link_port: int | None = Field(None, ge=1, le=65535)
    atlassian_client_id: str = ""
    atlassian_client_secret: SecretStr | None = None
    atlassian_auth_url: str = "https://auth.atlassian.com"
    atlassian_api_url: str = "https://api.atlassian.com"
