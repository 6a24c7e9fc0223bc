"""Slack's Web API client: what is tried again, and what is counted."""

from __future__ import annotations

from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import HttpRequest, HttpResponse, RetryHandler, RetryState
from slack_sdk.http_retry.builtin_handlers import (
    ConnectionErrorRetryHandler,
    RateLimitErrorRetryHandler,
    ServerErrorRetryHandler,
)
from slack_sdk.web import SlackResponse

from core import metrics
from core.settings import Settings

ADDING = ("/chat.postMessage", "/chat.startStream", "/chat.appendStream")


def client(chosen: Settings) -> WebClient:
    """Slack's Web API; a 429, a 5xx and a dropped connection are tried again, as slack_sdk does not do by itself.

    Only what adds something is not: it may stand there although its reply got lost. bot.delivery.turn_message looks for a message before it posts again.
    """
    token = chosen.slack_bot_token.get_secret_value() if chosen.slack_bot_token else None
    web = _MeteredClient(token=token, base_url=chosen.slack_api_url, timeout=15)
    web.retry_handlers = [
        _RateLimits(max_retry_count=5),
        _ServerErrors(max_retry_count=2),
        _ConnectionErrors(max_retry_count=2),
    ]
    return web


class _MeteredClient(WebClient):
    def api_call(self, api_method: str, **arguments: Any) -> SlackResponse:
        try:
            return super().api_call(api_method, **arguments)
        except SlackApiError as error:
            metrics.SLACK_ERRORS.labels(api_method, error.response.get("error", "")).inc()
            raise


class _RateLimits(RateLimitErrorRetryHandler):
    def prepare_for_next_attempt(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> None:
        metrics.SLACK_RATE_LIMITED.labels(request.url.rpartition("/")[2].partition("?")[0]).inc()
        super().prepare_for_next_attempt(
            state=state, request=request, response=response, error=error
        )


class _NotTwice(RetryHandler):
    def can_retry(self, *, request: HttpRequest, **more: Any) -> bool:
        return not request.url.endswith(ADDING) and super().can_retry(request=request, **more)


class _ServerErrors(_NotTwice, ServerErrorRetryHandler):
    pass


class _ConnectionErrors(_NotTwice, ConnectionErrorRetryHandler):
    pass
