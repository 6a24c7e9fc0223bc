"""Settings from the environment and `.env`: read once, frozen, secrets never printed.

With core.settings.environment the only module that reads the environment. `.env.example` documents
every setting; a test proves that none is missing there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import SettingsConfigDict

from core.attribution import ExplainBy, Method
from core.dialogue.decision import Attention
from core.errors import SettingsError
from core.manner import Context, Length, Mode, Tone
from core.settings import environment
from core.settings.access import AccessSettings
from core.settings.chat import ModelSettings
from core.settings.digest import DigestSettings
from core.settings.named import names_of_secrets, refuse_unknown
from core.settings.private_files import from_files, make_private, refuse_if_open
from core.settings.slack import SlackSettings
from core.settings.stores import StoreSettings
from core.settings.values import (
    FEWEST_EVIDENCE,
    LANGUAGES,
    MOST_EVIDENCE,
    OF_ANSWERS,
    Askers,
    ConfluenceFlavor,
    Folders,
    LogFormat,
    MessagesBy,
    OnUnsupported,
    Outsiders,
    PermissionMode,
    SuggestBy,
    SupportBy,
    Weights,
    words,
)


class Settings(AccessSettings, DigestSettings, ModelSettings, SlackSettings, StoreSettings):
    """Every setting of every process, with its default."""

    model_config = SettingsConfigDict(env_ignore_empty=True, frozen=True, extra="ignore")

    confluence_url: str | None = None
    confluence_username: str = ""
    confluence_token: SecretStr | None = None
    confluence_spaces: str | None = None
    confluence_flavor: ConfluenceFlavor = ConfluenceFlavor.AUTO
    permission_mode: PermissionMode = PermissionMode.PUBLIC
    confluence_everybody: str = ""
    entities_file: Path | None = None
    confluence_folders: Folders = Folders.CLOSED
    confluence_comments: bool = False
    confluence_attachments: bool = False
    confluence_attachment_mb: float = Field(20.0, gt=0)
    confluence_attachments_s: float = Field(60.0, gt=0)
    confluence_attachments_mb: float = Field(200.0, gt=0)
    confluence_file_hosts: str = ""
    confluence_scan_period_s: float = Field(86400.0, gt=0)
    confluence_requests_per_second: float = Field(5.0, gt=0)
    confluence_news_s: float = Field(60.0, ge=0)
    webhook_host: str = "127.0.0.1"
    webhook_port: int | None = Field(None, ge=1, le=65535)
    webhook_secret: SecretStr | None = None

    judge_base_url: str | None = None
    judge_api_key: SecretStr = SecretStr("none")
    judge_model: str | None = None

    embedder: str = "bundled"
    ranking: Weights = Weights.PRODUCT
    reranker: str = "none"
    reranker_key: SecretStr = SecretStr("none")

    answer_patience_s: float = Field(60.0, gt=0)
    catch_up_s: float = Field(86400.0, ge=0)
    answerability: float = Field(0.05, ge=0, le=0.3)
    suggestions: SuggestBy = SuggestBy.RULES
    unsupported: OnUnsupported = OnUnsupported.MARK
    support_by: SupportBy = SupportBy.MODEL
    messages_by: MessagesBy = MessagesBy.MODEL
    explain_method: Method = Method.OURS
    explain_by: ExplainBy = ExplainBy.SAMPLE
    explain_max_calls: int = Field(40, ge=3)
    explain_max_tokens: int = Field(0, ge=0)
    explain_max_money: float = Field(0.0, ge=0)
    explain_concurrency: int = Field(8, ge=1)
    explain_eps: Literal["auto"] | float = "auto"
    explain_min_samples: int = Field(2, ge=1)
    explain_temperature: float = Field(0.05, gt=0)
    explain_paper_repeats: int = Field(3, ge=1)
    explain_picture: bool = True
    prices: str = ""
    currency: str = "USD"
    explain_reactions: str = "question,mag"

    default_spaces: str = ""
    default_mode: Mode = Mode.BOTH
    default_evidence: int | None = Field(None, ge=FEWEST_EVIDENCE, le=MOST_EVIDENCE)
    default_context: Context = Context.AUTO
    default_length: Length = Length.NORMAL
    default_tone: Tone = Tone.PLAIN
    default_language: str = ""
    default_askers: Askers = Askers.EVERYBODY
    default_mention: Attention = Attention.SURE

    retention_days: int = Field(0, ge=0)
    audit_days: int = Field(365, ge=0)

    limit_person_per_hour: int = Field(60, ge=0)
    limit_channel_per_hour: int = Field(0, ge=0)
    limit_per_day: int = Field(0, ge=0)
    limit_person_tokens_per_day: int = Field(0, ge=0)
    limit_tokens_per_day: int = Field(0, ge=0)
    limit_person_money_per_day: float = Field(0.0, ge=0)
    limit_money_per_day: float = Field(0.0, ge=0)
    guests: Outsiders = Outsiders.REFUSE
    externals: Outsiders = Outsiders.REFUSE

    log_format: LogFormat = LogFormat.AUTO
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @field_validator("default_language")
    @classmethod
    def _can_be_chosen(cls, language: str) -> str:
        if language not in ("", *LANGUAGES):
            raise ValueError(f"one of {', '.join(LANGUAGES)}, or empty")
        return language

    @field_validator("default_askers")
    @classmethod
    def _needs_no_names(cls, askers: Askers) -> Askers:
        if askers is Askers.LISTED:
            raise ValueError("people are named by the settings of a channel")
        return askers

    @property
    def messages_by_model(self) -> bool:
        """Whether a model is asked about messages, once it has passed the exam."""
        wanted = self.messages_by is MessagesBy.MODEL and self.support_by is SupportBy.MODEL
        return wanted and self.llm_base_url is not None

    @property
    def slack_teams(self) -> tuple[str, ...]:
        """The ids of the workspaces that may install the app; empty with SLACK_BOT_TOKEN."""
        return words(self.slack_workspaces)

    @property
    def space_keys(self) -> tuple[str, ...]:
        """The configured space keys; `("*",)` stands for every space the account can see."""
        return words(self.confluence_spaces or "")

    @property
    def default_space_keys(self) -> tuple[str, ...]:
        return words(self.default_spaces)

    @property
    def everybody_groups(self) -> tuple[str, ...]:
        """Names of the Confluence groups that everybody in Slack belongs to."""
        return words(self.confluence_everybody)

    @property
    def explain_reaction_names(self) -> tuple[str, ...]:
        return words(self.explain_reactions)

    @property
    def of_answers(self) -> dict[str, str]:
        """The settings that decide what an answer is, kept with each."""
        return {name: str(getattr(self, name)) for name in OF_ANSWERS}

    def require(self, *names: str) -> None:
        """Name the settings that this process cannot do without.

        Raises:
            SettingsError: one or more of them are not set.
        """
        missing = [name.upper() for name in names if getattr(self, name) in (None, "")]
        if missing:
            cure = "put it into the environment or .env (see .env.example)"
            raise SettingsError(f"{', '.join(missing)} not set: {cure}")


@cache
def settings() -> Settings:
    """The settings of this process.

    Raises:
        SettingsError: a name is no setting, a value cannot be used, or other accounts of the
            machine can read what is secret; the message names the setting, not its value.
    """
    file, in_file = environment.file(), environment.written()
    refuse_unknown(in_file, os.environ, Settings.model_fields)
    secrets = names_of_secrets(Settings.model_fields)
    if any(in_file.get(name) for name in secrets):
        refuse_if_open(file, "600")
    given: dict[str, Any] = from_files({**in_file, **os.environ}, secrets)
    try:
        chosen = Settings(_env_file=file, **given)
    except ValidationError as error:
        wrong = "; ".join(_described(error))
        raise SettingsError(f"wrong setting: {wrong} (see .env.example)") from None
    refuse_if_open(chosen.data_dir, "700")
    return chosen


def _described(error: ValidationError) -> Iterator[str]:
    for each in error.errors():
        name = ".".join(map(str, each["loc"]))
        yield f"{name.upper()}: {each['msg']}"


@contextmanager
def or_exit() -> Iterator[None]:
    """At the outermost level of a program: a wrong setting ends it with exit code 2.

    What the program writes from then on is for its own account alone.
    """
    make_private()
    try:
        yield
    except SettingsError as error:
        print(f"groundwire: {error}", file=sys.stderr)  # noqa: T201  (there may be no log yet)
        sys.exit(2)
