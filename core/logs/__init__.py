"""Structured logs: one line per step with ids; no page or question text above DEBUG, no token."""

from __future__ import annotations

import logging
import sys

import structlog
from structlog.typing import Processor

from core.settings import Settings
from core.settings.values import LogFormat

# Libraries that write a line per request, some of them with the address and its query in it.
_CHATTY = (
    "httpx",
    "httpx2",
    "httpcore",
    "chromadb",
    "openai",
    "slack_sdk",
    "slack_bolt",
    "alembic",
    "atlassian",
)
# It warns of each try, with the address and its query; what became of it our own line says.
_TRIES = "urllib3"


def configure(settings: Settings) -> None:
    """Send every log line, ours and the libraries', to standard error in one format."""
    automatic = settings.log_format is LogFormat.AUTO and not sys.stderr.isatty()
    as_json = settings.log_format is LogFormat.JSON or automatic
    last = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=_in_place([*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                last,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    logging.getLogger(_TRIES).setLevel(logging.ERROR)


def _in_place(processors: list[Processor]) -> list[Processor]:
    """The list that loggers hold which were used before: they follow a new configuration."""
    held: list[Processor] = structlog.get_config()["processors"]
    held[:] = processors
    return held


def configure_quietly(settings: Settings) -> None:
    """For commands in a terminal: only what goes wrong."""
    configure(settings.model_copy(update={"log_level": "WARNING"}))


def get(name: str) -> structlog.stdlib.BoundLogger:
    """The logger of one module."""
    if not structlog.is_configured():
        _configure_for_nobody()
    logger: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return logger


def _configure_for_nobody() -> None:
    """What goes wrong before `configure`, or without it: to standard error, as plain lines.

    By itself structlog writes to standard output, and with an exception all local variables.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(key_order=("level", "event")),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
