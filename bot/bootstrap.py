"""The real parts of the programs that speak: Slack's client, the database, the progress of turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import HttpRequest, HttpResponse, RetryHandler, RetryState
from slack_sdk.http_retry.builtin_handlers import ConnectionErrorRetryHandler, RateLimitErrorRetryHandler, ServerErrorRetryHandler
from slack_sdk.web import SlackResponse

from bot.delivery.chart_upload import Pictures
from bot.slack_api.capabilities import Newer
from core import metrics
from core.jobs.progress_events import Events
from core.settings import Settings, settings
from core.storage.database import Database, open_database

ADDING = ("/chat.postMessage", "/chat.startStream", "/chat.appendStream")


@dataclass(frozen=True)
class Parts:
    """What listeners and deliveries work with."""

    settings: Settings
    client: WebClient
    database: Database
    events: Events
    pictures: Pictures
    newer: Newer = field(default_factory=Newer)


def build(chosen: Settings, database: Database) -> Parts:
    """The parts for these settings."""
    web = client(chosen)
    return Parts(chosen, web, database, Events(chosen.redis_url), Pictures(web, wanted=chosen.explain_picture))


@cache
def parts() -> Parts:
    """The parts of this process.

    Raises:
        SettingsError: there is no bot token.
    """
    chosen = settings()
    chosen.require("slack_bot_token")
    return build(chosen, open_database(chosen.sql_url))


def client(chosen: Settings) -> WebClient:
    """Slack's Web API; a 429, a 5xx and a dropped connection are tried again, as slack_sdk does not do by itself.

    Only what adds something is not: it may stand there although its reply got lost. bot.delivery.turn_message looks for a message before it posts again.
    """
    token = chosen.slack_bot_token.get_secret_value() if chosen.slack_bot_token else None
    web = _Counted(token=token, base_url=chosen.slack_api_url, timeout=15)
    web.retry_handlers = [
        _RateLimits(max_retry_count=5),
        _ServerErrors(max_retry_count=2),
        _ConnectionErrors(max_retry_count=2),
    ]
    return web


class _Counted(WebClient):
    def api_call(self, api_method: str, **arguments: Any) -> SlackResponse:
        try:
            return super().api_call(api_method, **arguments)
        except SlackApiError as error:
            metrics.SLACK_ERRORS.labels(api_method, error.response.get("error", "")).inc()
            raise


class _RateLimits(RateLimitErrorRetryHandler):
    def prepare_for_next_attempt(
        self, *, state: RetryState, request: HttpRequest, response: HttpResponse | None = None, error: Exception | None = None
    ) -> None:
        metrics.SLACK_RATE_LIMITED.labels(request.url.rpartition("/")[2].partition("?")[0]).inc()
        super().prepare_for_next_attempt(state=state, request=request, response=response, error=error)


class _NotTwice(RetryHandler):
    def can_retry(self, *, request: HttpRequest, **more: Any) -> bool:
        return not request.url.endswith(ADDING) and super().can_retry(request=request, **more)


class _ServerErrors(_NotTwice, ServerErrorRetryHandler):
    pass


class _ConnectionErrors(_NotTwice, ConnectionErrorRetryHandler):
    pass
