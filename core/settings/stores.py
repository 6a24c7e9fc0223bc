"""Settings of the stores, of the pools beside them, and of where health is shown."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings

from core.settings.values import EvidenceEngine


class StoreSettings(BaseSettings):
    """A part of core.settings.Settings."""

    database_url: str | None = None
    redis_url: str = "redis://127.0.0.1:6379/0"
    chroma_url: str = "http://127.0.0.1:8000"
    evidence_engine: EvidenceEngine = EvidenceEngine.HOST
    data_dir: Path = Path("var")
    disk_free_mb: int = Field(500, ge=0)
    clock_skew_s: float = Field(5.0, gt=0)
    redis_port: int = Field(6379, ge=1, le=65535)
    chroma_port: int = Field(8000, ge=1, le=65535)
    chroma_log: str = "warn"
    bot_options: str = ""
    answer_concurrency: int = Field(16, ge=1)
    explain_pool: int = Field(2, ge=1)
    speak_concurrency: int = Field(32, ge=1)
    console_port: int = Field(8600, ge=1, le=65535)
    console_url: str = ""
    console_client_id: str = ""
    console_client_secret: SecretStr | None = None
    console_operators: str = ""
    console_viewers: str = ""
    console_cost_by_person: bool = False
    health_host: str = "127.0.0.1"
    health_port: int | None = Field(None, ge=1, le=65535)
    worker_metrics_port: int | None = Field(None, ge=1, le=65535)
    explainer_metrics_port: int | None = Field(None, ge=1, le=65535)
    speaker_metrics_port: int | None = Field(None, ge=1, le=65535)
    traces_url: str | None = None
    indexer_metrics_port: int | None = Field(None, ge=1, le=65535)

    @field_validator("database_url")
    @classmethod
    def _names_its_driver(cls, url: str | None) -> str | None:
        """As hosts give it, `postgres://…` leaves open which driver; ours is psycopg."""
        for short in ("postgres://", "postgresql://"):
            if url and url.startswith(short):
                return f"postgresql+psycopg://{url.removeprefix(short)}"
        return url

    @property
    def sql_url(self) -> str:
        """The database, by default one SQLite file in the data directory."""
        return self.database_url or f"sqlite:///{self.data_dir / 'groundwire.db'}"
