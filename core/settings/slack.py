"""Settings of Slack: the app's tokens, where the Web API is, how many connections are kept."""

from __future__ import annotations

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings


class SlackSettings(BaseSettings):
    """A part of core.settings.Settings."""

    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    # Not SLACK_CLIENT_ID: where that is in the environment, Bolt makes itself a store of files.
    slack_oauth_client_id: str = ""
    slack_oauth_client_secret: SecretStr | None = None
    slack_workspaces: str = ""
    slack_api_url: str = "https://slack.com/api/"
    slack_connections: int = Field(2, ge=1, le=10)

    @field_validator("slack_api_url")
    @classmethod
    def _ends_in_a_slash(cls, url: str) -> str:
        # slack_sdk joins the method's name to the base; without the slash it replaces a part.
        return url if url.endswith("/") else url + "/"

    @field_validator("slack_bot_token", "slack_app_token")
    @classmethod
    def _is_of_this_kind(cls, token: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        other = "xapp-" if info.field_name == "slack_bot_token" else "xoxb-"
        if token and token.get_secret_value().startswith(other):
            raise ValueError(f"this is the other token of Slack's: it begins with {other}")
        return token
