"""Signed HTTP requests: docs.slack.dev/authentication/verifying-requests-from-slack."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from urllib.parse import urlencode

import aiohttp

from sandbox.slack.workspace.values import SIGNING_SECRET, Json, Refused

CHALLENGE = "a-challenge-of-the-sandbox"


@dataclass(frozen=True)
class Retry:
    """Which repetition of an event this is, and why: docs.slack.dev/apis/events-api/#retries."""

    number: int
    reason: str

    @property
    def headers(self) -> dict[str, str]:
        return (
            {"X-Slack-Retry-Num": str(self.number), "X-Slack-Retry-Reason": self.reason}
            if self.number
            else {}
        )


class Caller:
    """Calls the app at its request URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        # Of the HTTP clients at hand the one with the least overhead on what is measured.
        self._http = aiohttp.ClientSession()

    async def verify(self) -> None:
        """Verify a request URL by a challenge: docs.slack.dev/reference/events/url_verification."""
        body = json.dumps({"token": "sandbox", "challenge": CHALLENGE, "type": "url_verification"})
        try:
            answer = await self._post(body, signed(body, "application/json"), timeout_s=3)
        except (aiohttp.ClientConnectionError, TimeoutError) as error:
            raise Refused("url_not_reachable") from error
        except aiohttp.ClientResponseError as error:
            raise Refused("challenge_failed") from error
        if CHALLENGE not in answer:
            raise Refused("challenge_failed")

    async def deliver(self, kind: str, payload: Json, retry: Retry, timeout_s: float) -> Json:
        """One attempt; what the app answers.

        Raises:
            TimeoutError: it does not answer in time.
            aiohttp.ClientError: it is not reached, or answers with an error.
        """
        body, content_type = _written(kind, payload)
        answer = await self._post(
            body, signed(body, content_type) | retry.headers, timeout_s=timeout_s
        )
        if answer.startswith("{"):
            return dict(json.loads(answer))
        return {"text": answer} if answer else {}

    async def _post(self, body: str, headers: dict[str, str], *, timeout_s: float) -> str:
        timeout = aiohttp.ClientTimeout(total=timeout_s)
        async with self._http.post(
            self.url, data=body.encode(), headers=headers, timeout=timeout, raise_for_status=True
        ) as answer:
            return await answer.text()

    async def close(self) -> None:
        await self._http.close()


def _written(kind: str, payload: Json) -> tuple[str, str]:
    """A request's body and type: events as JSON, commands and interactions as forms."""
    if kind == "events_api":
        return json.dumps(payload), "application/json"
    fields = payload if kind == "slash_commands" else {"payload": json.dumps(payload)}
    return urlencode(fields), "application/x-www-form-urlencoded"


def signed(
    body: str, content_type: str, *, secret: str = SIGNING_SECRET, now: float | None = None
) -> dict[str, str]:
    """The headers of a request with this body."""
    at = str(int(time.time() if now is None else now))
    digest = hmac.new(secret.encode(), f"v0:{at}:{body}".encode(), hashlib.sha256).hexdigest()
    return {
        "Content-Type": content_type,
        "X-Slack-Request-Timestamp": at,
        "X-Slack-Signature": f"v0={digest}",
    }
